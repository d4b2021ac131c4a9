"""Keys and signatures, checked with stock ssh-keygen as anybody else would."""

from __future__ import annotations

import stat
import subprocess
from datetime import timedelta

import pytest

from console import signing
from console.signing import LockedError, PassphraseError, new_key, unlock
from store.signatures import NAMESPACE, BadSignatureError, PublicKey, verify
from tests.conftest import NOON

PHRASE = "a phrase of words"
AS_SHIPPED = signing.KDF_ROUNDS
"""Read when this file is collected: the other tests make keys of fewer rounds."""


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "r-1"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signing, "KDF_ROUNDS", AS_SHIPPED)
        new_key(path, PHRASE, comment="r-1", now=NOON)
    return path


def keygen(*words, stdin=b""):
    return subprocess.run(["ssh-keygen", *words], input=stdin, capture_output=True, check=False)


def test_a_signature_of_ours_is_accepted_by_stock_ssh_keygen(key, tmp_path):
    (signed,) = unlock(key, PHRASE, now=NOON).sign([b'{"a":1}'], now=NOON)
    allowed, sig = tmp_path / "allowed", tmp_path / "s.sig"
    public = key.with_suffix(".pub").read_text().split()
    allowed.write_text(f'r-1 namespaces="{NAMESPACE}" {public[0]} {public[1]}\n')
    sig.write_text(signed.signature)
    words = ("-Y", "verify", "-f", str(allowed), "-I", "r-1", "-n", NAMESPACE, "-s", str(sig))
    good = keygen(*words, stdin=signed.statement)
    assert good.returncode == 0, good.stderr
    assert b"Good" in good.stdout
    assert keygen(*words, stdin=signed.statement + b" ").returncode != 0


def test_a_signature_by_stock_ssh_keygen_is_accepted_by_us(key, tmp_path):
    statement = tmp_path / "statement.json"
    statement.write_bytes(b'{"b":2}')
    plain = tmp_path / "plain"
    keygen("-q", "-t", "ed25519", "-N", "", "-f", str(plain))
    keygen("-Y", "sign", "-f", str(plain), "-n", NAMESPACE, str(statement))
    signature = statement.with_suffix(".json.sig").read_text()
    public = PublicKey.from_line(plain.with_suffix(".pub").read_text())
    assert verify(b'{"b":2}', signature) == public
    with pytest.raises(BadSignatureError, match="does not match"):
        verify(b'{"b":3}', signature)
    with pytest.raises(BadSignatureError, match="is for"):
        verify(b'{"b":2}', signature, "git")


def test_the_key_file_is_private_and_opens_with_ssh_keygen_and_the_passphrase_alone(key):
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert keygen("-y", "-P", PHRASE, "-f", str(key)).returncode == 0
    assert keygen("-y", "-P", "another phrase", "-f", str(key)).returncode != 0
    fingerprint = keygen("-l", "-f", str(key.with_suffix(".pub"))).stdout.decode()
    assert PublicKey.from_line(key.with_suffix(".pub").read_text()).fingerprint in fingerprint


def test_the_key_file_says_one_hundred_bcrypt_rounds(key):
    import base64

    body = "".join(key.read_text().splitlines()[1:-1])
    blob = base64.b64decode(body)
    assert b"bcrypt" in blob
    options = blob[blob.index(b"bcrypt") + 6 + 4 :]
    salt = int.from_bytes(options[:4], "big")
    assert int.from_bytes(options[4 + salt : 8 + salt], "big") == AS_SHIPPED == 100


def test_a_wrong_passphrase_signs_nothing_and_says_so(key):
    with pytest.raises(PassphraseError, match="your drafts are still here"):
        unlock(key, "not the phrase", now=NOON)


def test_a_short_passphrase_makes_no_key(tmp_path):
    with pytest.raises(PassphraseError, match="No key was made"):
        new_key(tmp_path / "k", "short", comment="x", now=NOON)
    assert not list(tmp_path.iterdir())


def test_a_key_is_never_overwritten(key):
    before = key.read_bytes()
    with pytest.raises(FileExistsError):
        new_key(key, PHRASE, comment="again", now=NOON)
    assert key.read_bytes() == before


def test_an_unlocked_key_signs_for_sixty_seconds_and_no_longer(key):
    unlocked = unlock(key, PHRASE, now=NOON)
    assert len(unlocked.sign([b"a", b"b"], now=NOON + timedelta(seconds=60))) == 2
    with pytest.raises(LockedError, match="Nothing was signed"):
        unlocked.sign([b"c"], now=NOON + timedelta(seconds=61))
    with pytest.raises(LockedError):
        unlocked.sign([b"d"], now=NOON)


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "junk",
        "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----",
        "-----BEGIN SSH SIGNATURE-----\n!!!\n-----END SSH SIGNATURE-----",
    ],
)
def test_what_is_no_signature_is_refused(signature):
    with pytest.raises(BadSignatureError, match="not an SSH signature"):
        verify(b"a", signature)


@pytest.mark.parametrize("line", ["", "ssh-rsa AAAA x", "ssh-ed25519 ???", "ssh-ed25519 AAAA"])
def test_what_is_no_ed25519_key_is_refused(line):
    with pytest.raises(BadSignatureError):
        PublicKey.from_line(line)
