"""Security headers: every answer says what a page of ours may do."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; "
        "script-src 'self' 'wasm-unsafe-eval'; "  # the rules are WebAssembly, which this lets a page compile: no eval()
        "worker-src 'self'; "  # bots think there, and the pages are kept for a day without a network
        "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HSTS = (b"strict-transport-security", b"max-age=31536000")  # browsers that came by https use https for a year


class Headers:
    """Every answer says what a page of ours may do."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name for name, _ in message["headers"]}
                extra = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in there]
                if scope["scheme"] == "https":
                    extra.append(HSTS)
                if b"cache-control" not in there:
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self.app(scope, receive, with_headers)
