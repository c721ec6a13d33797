"""The application: what holds the addresses together.

`create_app` opens the store, starts the processes that think when the server starts and
ends them when it stops.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from bezique.engine.library import Library
from bezique.play.web import errors, pages
from bezique.play.web.desk import Desk
from bezique.play.web.guard import Buckets, Guard
from bezique.play.web.honest import Chance
from bezique.play.web.settings import Settings
from bezique.play.web.store import Store
from bezique.play.web.thinking import Thinkers


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
