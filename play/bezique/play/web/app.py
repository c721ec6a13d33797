"""The application: what holds the addresses together.

`create_app` opens the store, starts the processes that think when the server starts and
ends them when it stops.
"""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from bezique.engine.action import Action
from bezique.engine.dealing import deal
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import start
from bezique.engine.rules import Rules
from bezique.play.web import errors, pages
from bezique.play.web.desk import Desk
from bezique.play.web.guard import Buckets, Guard
from bezique.play.web.honest import Chance
from bezique.play.web.settings import Settings
from bezique.play.web.store import Store
from bezique.play.web.thinking import Thinkers
from bezique.play.web.words import LANGUAGES, catalogue
from bezique.spec.language import language


def warm(library: Library) -> None:
    """Read and compile what the first player would wait for."""
    for lang in LANGUAGES:
        catalogue(lang)
        language(lang)
    for name in library.names:
        rules = library.rules(name)
        legal(apply(start(rules, rules.seats[0]), deal_of(rules))[0])


def deal_of(rules: Rules) -> Action:
    """Return some deal."""
    return deal(start(rules, rules.seats[0]), rules.pack)


def create_app(settings: Settings) -> FastAPI:
    """Return the web table.

    Raises:
        RulesError: A rule file has problems.
    """
    library = Library(settings.rules)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.database)
        thinkers = Thinkers(settings.workers, settings.rules)
        warming = threading.Thread(target=warm, args=(library,), daemon=True)
        if settings.workers:
            thinkers.warm()
            warming.start()
        app.state.desk = Desk(library, store, thinkers, Chance(settings.seed))
        try:
            yield
        finally:
            thinkers.close()
            store.close()

    app = FastAPI(
        title="Bezique", lifespan=running, docs_url=None, redoc_url=None,
        description="The web table: the same addresses for pages and for JSON.",
    )  # fmt: skip
    app.state.settings = settings
    app.state.library = library
    errors.install(app)
    app.include_router(pages.router)
    static = files("bezique.play.web").joinpath("static")
    app.mount("/static", StaticFiles(directory=str(static)), name="static")
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts))
    app.add_middleware(Guard, buckets=Buckets(settings.rate, settings.burst))
    return app
