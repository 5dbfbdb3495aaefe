"""A recovery key, as people write it down, and the secrets that a homeserver keeps sealed with it.

With the key, whoever owns the bot's account can vouch for it from any other client. The formats are the Matrix
specification's: "Recovery key" and "Secret storage", there under m.secret_storage.v1.aes-hmac-sha2.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping

from Crypto.Cipher import AES
from Crypto.Hash import SHA256
from Crypto.Protocol.KDF import HKDF

ALGORITHM = "m.secret_storage.v1.aes-hmac-sha2"
LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
PREFIX = b"\x8b\x01"


def write_key(key: bytes) -> str:
    """A key of 32 bytes in groups of four letters."""
    number = int.from_bytes(_with_parity(PREFIX + key), "big")
    letters = ""
    while number:
        number, letter = divmod(number, 58)
        letters = LETTERS[letter] + letters
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def read_key(written: str) -> bytes:
    """The key that was written down; blanks do not matter. Raises ValueError where it is none."""
    number = 0
    for letter in "".join(written.split()):
        number = number * 58 + LETTERS.index(letter)
    data = number.to_bytes(len(PREFIX) + 33, "big") if number.bit_length() <= 280 else b""
    if data[:2] != PREFIX or _with_parity(data[:-1]) != data:
        raise ValueError("no recovery key")
    return data[2:-1]


def unseal(key: bytes, name: str, kept: Mapping[str, str]) -> str:
    """The secret that was kept under a name. Raises ValueError where it was sealed with another key."""
    cipher, mac = _keys(key, name)
    sealed = unbase64(kept["ciphertext"])
    if not hmac.compare_digest(hmac.digest(mac, sealed, "sha256"), unbase64(kept["mac"])):
        raise ValueError("sealed with another key")
    return AES.new(cipher, AES.MODE_CTR, nonce=b"", initial_value=unbase64(kept["iv"])).decrypt(sealed).decode()


def describe(key: bytes) -> dict[str, str]:
    """How a key is described, so that the right one is recognized."""
    sealed = seal(key, "", "\0" * 32)
    return {"algorithm": ALGORITHM, "iv": sealed["iv"], "mac": sealed["mac"]}


def seal(key: bytes, name: str, secret: str) -> dict[str, str]:
    """A secret as the homeserver keeps it under a name."""
    start = bytearray(secrets.token_bytes(16))
    start[8] &= 0x7F  # some clients count only the lower half up, and this keeps it from running over
    cipher, mac = _keys(key, name)
    sealed = AES.new(cipher, AES.MODE_CTR, nonce=b"", initial_value=bytes(start)).encrypt(secret.encode())
    return {
        "iv": base64(bytes(start)),
        "ciphertext": base64(sealed),
        "mac": base64(hmac.digest(mac, sealed, "sha256")),
    }


def base64(data: bytes) -> str:
    """As Matrix writes it: without padding."""
    return b64encode(data).decode().rstrip("=")


def unbase64(text: str) -> bytes:
    """The data that `base64` wrote."""
    return b64decode(text + "=" * (-len(text) % 4))


def _with_parity(data: bytes) -> bytes:
    parity = 0
    for byte in data:
        parity ^= byte
    return data + bytes([parity])


def _keys(key: bytes, name: str) -> tuple[bytes, bytes]:
    """A key to encrypt with and one to authenticate with."""
    made = HKDF(key, 64, bytes(32), SHA256, context=name.encode())
    return made[:32], made[32:]
