"""Real proxies for the tests, with the configurations of the documents."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.server.waiting import PATIENCE

SLOW = 5.0  # seconds that the proxies give to a body here, instead of 20
FORWARDER = "127.0.0.3"  # nginx believes what comes from there about the visitor's address
NETWORK = f"""set_real_ip_from {FORWARDER}; real_ip_header X-Visitor;
    location = /network {{ return 200 "$plenilune_network"; }}"""
OPERATING = Path(__file__).parents[2] / "docs" / "operating"


class Proxy(NamedTuple):
    """A proxy that runs, and how to trust its certificate."""

    plain: int  # the port for http
    secure: int  # and for https
    trust: ssl.SSLContext

    @property
    def address(self) -> str:
        return f"https://localhost:{self.secure}"


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not found:
        pytest.fail(f"the tests need {name}: install the package {name} (as root, `make test` does), then try again")
    return found


def free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost, signed by itself, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    what = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    command = [program("openssl"), *what.split(), "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


def replaced(text: str, changes: dict[str, str]) -> str:
    """The text with these changes, each of which must find something."""
    for old, new in changes.items():
        assert old in text, f"{old!r} is not in the configuration any more"
        text = text.replace(old, new)
    return text


def nginx(folder: Path, upstream: str, plain: int, secure: int) -> tuple[list[str], dict[str, str]]:
    cert, key = certificate(folder)
    site = replaced(
        (OPERATING / "nginx.conf").read_text("utf-8"),
        {
            "listen 80;": f"listen 127.0.0.1:{plain};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{secure} ssl http2;",
            "listen [::]:80;": "",
            "listen [::]:443 ssl http2;": "",
            "/etc/letsencrypt/live/play.example.org/fullchain.pem": str(cert),
            "/etc/letsencrypt/live/play.example.org/privkey.pem": str(key),
            "play.example.org": "localhost",
            "127.0.0.1:7272": upstream,
            "client_body_timeout 20s;": f"client_body_timeout {SLOW:.0f}s;",
            "    location / {": f"    {NETWORK}\n    location / {{",
        },
    )
    (folder / "site.conf").write_text(site)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    main = f"""{user} daemon off; pid {folder}/nginx.pid; error_log stderr;
        events {{ worker_connections 256; }} http {{ access_log off; {places} include {folder}/site.conf; }}"""
    (folder / "nginx.conf").write_text(main)
    return [program("nginx"), "-e", "stderr", "-c", str(folder / "nginx.conf")], {}


def caddy(folder: Path, upstream: str, plain: int, secure: int) -> tuple[list[str], dict[str, str]]:
    cert, key = certificate(folder)
    ports = f"admin off\n\tdefault_bind 127.0.0.1\n\thttp_port {plain}\n\thttps_port {secure}\n"
    site = replaced(
        (OPERATING / "Caddyfile").read_text("utf-8"),
        {
            "{\n\tgrace_period": f"{{\n\t{ports}\tgrace_period",
            "\nplay.example.org {": f"\nlocalhost {{\n\ttls {cert} {key}",
            "127.0.0.1:7272": upstream,
            "read_body 20s": f"read_body {SLOW:.0f}s",
        },
    )
    (folder / "Caddyfile").write_text(site)
    places = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], places


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextmanager
def proxied(name: str, folder: Path, upstream: str) -> Iterator[Proxy]:
    """The proxy in front of a server at `upstream`."""
    plain, secure = free_ports(2)
    command, environment = PROXIES[name](folder, upstream, plain, secure)
    log = folder / "log"
    with log.open("w") as out:
        process = subprocess.Popen(command, env=os.environ | environment, stdout=out, stderr=out)
    try:
        for port in (plain, secure):
            _wait(process, port, log)
        yield Proxy(plain, secure, ssl.create_default_context(cafile=str(folder / "cert.pem")))
    finally:
        process.terminate()  # not killed: nginx would leave its workers behind
        process.wait(PATIENCE)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise AssertionError(f"nobody listens at {port}: {log.read_text()}")
