"""The application served: by uvicorn, at one address.

It leaves out what is served: see `app`.
"""

import socket
from collections.abc import Callable
from contextlib import closing

from kontextwerk.context.errors import MissingExtraError, SettingsError
from kontextwerk.settings import Settings
from kontextwerk.web.app import make_app

GRACE_SECONDS = 3
"""How long requests may take to end when the server is stopped."""


def run(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Args:
        settings: Host and port, and all that the application needs.
        ready: Told the address when it is about to be served.

    Raises:
        SettingsError: The address is in use, is none, or can be reached by others without a token.
        RecordsError: The records cannot be opened.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtraError("uvicorn", "web") from error
    app = make_app(settings)
    with closing(_listen(settings)) as listener:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        ready(f"http://{host}:{listener.getsockname()[1]}")
        config = uvicorn.Config(
            app, log_level="warning", timeout_graceful_shutdown=GRACE_SECONDS, server_header=False, date_header=False
        )
        uvicorn.Server(config).run(sockets=[listener])


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        place = f"{settings.host}:{settings.port}"
        raise SettingsError(place, error.strerror or "cannot be served at", "Choose another host or --port") from error
    return listener
