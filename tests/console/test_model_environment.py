"""Variables of the environment that the client knows: none leads elsewhere or shows anything."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from console import identity
from console.model.bounded_answers import SENT
from tests.console.messages_stub import claim, replying
from tests.console.model_worlds import KEY, stub
from tests.console.test_model_adapter import TEXT

_CALLING = """
import sys
from pathlib import Path
from tests.console.model_worlds import adapter
from tests.console.test_model_adapter import request
from review.proposals.protocol import ModelError
try:
    print(adapter(Path(sys.argv[1]), sys.argv[2]).ask(request(), "k").stop)
except ModelError as error:
    print(error)
"""


def called(folder, address, **environment):
    """What a process with more variables says, prints as a fault, and how it ends."""
    words = [sys.executable, "-c", _CALLING, str(folder), address]
    told = {**os.environ, "NO_PROXY": "", "no_proxy": "", **environment}
    return subprocess.run(words, env=told, capture_output=True, text=True, check=True, timeout=120)


def test_no_variable_leads_a_request_elsewhere_adds_a_header_or_writes_a_log(tmp_path):
    with stub(replying(claim())) as server, stub(replying(claim())) as other:
        told = called(
            tmp_path,
            server.address,
            ANTHROPIC_BASE_URL=other.address,
            ANTHROPIC_AUTH_TOKEN="token-of-another-account",
            ANTHROPIC_API_KEY="key-of-another-account",
            ANTHROPIC_CUSTOM_HEADERS="X-Tenant: acme\nAuthorization: other\nX-Api-Key: other",
            ANTHROPIC_LOG="debug",
            HTTP_PROXY=other.address,
            http_proxy=other.address,
            ALL_PROXY=other.address,
        )
        (heard,) = server.heard
        assert not other.heard
    assert (told.stdout.strip(), told.stderr) == ("end_turn", "")
    sent = {name.lower(): value for name, value in heard.headers.items()}
    keys = {name: value for name, value in sent.items() if KEY in value}
    assert set(keys) <= {"authorization", "x-api-key"}
    assert len(keys) == 1
    assert set(sent) - set(keys) <= SENT
    assert not any("other" in value or "acme" in value for value in sent.values())


@contextmanager
def proxy():
    """A proxy that takes note of everything and leads nowhere."""
    listening, heard = socket.create_server(("127.0.0.1", 0)), bytearray()

    def serve():
        with suppress(OSError):
            while True:
                taken, _ = listening.accept()
                with taken:
                    heard.extend(taken.recv(65_536))
                    taken.sendall(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n")

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", heard
    finally:
        listening.close()


def test_a_proxy_is_asked_for_a_tunnel_and_sees_neither_the_key_nor_a_word(tmp_path):
    with proxy() as (address, heard):
        told = called(tmp_path, "https://model.example", HTTPS_PROXY=address, https_proxy=address)
    assert "(unreachable)" in told.stdout
    assert bytes(heard).startswith(b"CONNECT model.example:443 ")
    assert KEY.encode() not in heard
    assert TEXT.encode() not in heard
    assert b"claim" not in heard


@contextmanager
def impostor(folder):
    """An HTTPS server on loopback with a certificate that nobody trusts; what it was told."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(tz=UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    made = made.add_extension(
        x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False
    )
    file = folder / "impostor.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    listening, heard = socket.create_server(("127.0.0.1", 0)), bytearray()

    def serve():
        with suppress(OSError):
            while True:
                taken, _ = listening.accept()
                with suppress(OSError), taken, context.wrap_socket(taken, server_side=True) as tls:
                    heard.extend(tls.recv(65_536))

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"https://localhost:{listening.getsockname()[1]}", heard
    finally:
        listening.close()


def test_a_server_without_a_certificate_that_is_trusted_hears_nothing(tmp_path):
    with impostor(tmp_path) as (address, heard):
        told = called(tmp_path / "m", address, NO_PROXY="localhost", no_proxy="localhost")
    assert "(unreachable)" in told.stdout
    assert not heard


def test_a_process_that_reads_files_is_not_given_the_key(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-real-key")
    assert identity.model_key() == "not-a-real-key"
    told = identity.keyless_environment()
    assert "not-a-real-key" not in told.values()
    assert identity.environment() == told | {"ANTHROPIC_API_KEY": "not-a-real-key"}
