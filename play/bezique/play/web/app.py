"""The application: what holds the addresses together.

`create_app` opens the store, starts the processes that think when the server starts and
ends them when it stops.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
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
from bezique.play.web.waste import tidy
from bezique.play.web.words import LANGUAGES, catalogue
from bezique.spec.language import language


def warm(library: Library, ending: threading.Event) -> None:
    """Read and compile what the first player would wait for, until the server ends."""
    for work in _works(library):
        if ending.is_set():
            return
        work()


def _works(library: Library) -> Iterator[Callable[[], object]]:
    """Yield what a server does before it is asked for, in small parts."""
    for lang in LANGUAGES:
        yield partial(catalogue, lang)
        yield partial(language, lang)
    for name in library.names:
        yield partial(_first_lead, library, name)


def _first_lead(library: Library, name: str) -> None:
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
        ending = threading.Event()
        warming = threading.Thread(target=warm, args=(library, ending))
        tidying = asyncio.create_task(tidy())
        if settings.workers:
            thinkers.warm()
            warming.start()
        app.state.desk = Desk(library, store, thinkers, Chance(settings.seed))
        try:
            yield
        finally:
            tidying.cancel()
            await asyncio.wait({tidying})
            ending.set()
            if warming.is_alive():
                warming.join()
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
