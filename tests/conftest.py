"""What all tests share: a busy machine has no say in what passes."""

from hypothesis import settings

settings.register_profile("project", deadline=None)
settings.load_profile("project")
