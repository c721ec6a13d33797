"""What all tests share: a busy machine has no say in what passes."""

import gc

from hypothesis import settings

# Modules, rules and terms stay to the end: seldom looked through, they cost little.
gc.set_threshold(50_000, 20, 50)

settings.register_profile("project", deadline=None)
settings.load_profile("project")
