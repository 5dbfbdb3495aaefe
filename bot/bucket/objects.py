"""Objects of a bucket by obstore, sealed under the database's key; what goes wrong is told in a sentence."""

import asyncio
import errno
import re
from collections.abc import Awaitable, Sequence
from datetime import timedelta
from importlib.util import find_spec
from typing import Any, Final, TypeVar

from cryptography.exceptions import InvalidTag

from bot.bucket.address import Bucket
from storage.seal import Sealer

T = TypeVar("T")

PATIENCE: Final = 30.0
"""Seconds for which one object is tried, again and again where the server is busy."""
RETRIES: Final = 5
GRACE: Final = 10.0
"""And how much longer, for the answer to the last try."""
LACKING: Final = "obstore is not installed. `make setup` installs it; elsewhere: `pip install 'riposte[s3]'`."
AGAIN: Final = "It is tried again by itself."
CAUSES: Final = (
    (r"NoSuchBucket", errno.ENOENT, "There is no bucket {bucket} at {at}. Make it there, or correct RIPOSTE_BUCKET."),
    (
        r"RequestTimeTooSkewed",
        errno.EINVAL,
        "The clock of this machine and that of {at} are minutes apart, so it refuses everything. Set this machine's: "
        "`timedatectl set-ntp true`.",
    ),
    (
        r"InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|40[13] (Forbidden|Unauthorized)|Unauthenticated"
        r"|Permission",
        errno.EACCES,
        "{at} refuses RIPOSTE_BUCKET_KEY for the bucket {bucket}. Write ID:SECRET of a key that may read, write, list "
        "and delete there.",
    ),
    (r"SlowDown|\b50[0-9]\b|\b429\b", errno.EBUSY, "{at} is too busy or broken to store anything. " + AGAIN),
    (r"timed out|deadline|TimeoutError", errno.ETIMEDOUT, "{at} answers too slowly. " + AGAIN),
    (
        r"NoSuchKey|Object at location .* not found",
        errno.ENOENT,
        "Something is missing in the bucket {bucket} at {at}.",
    ),
    (r"", errno.EIO, "{at} cannot be reached, or does not speak S3: {why}. Correct RIPOSTE_BUCKET. " + AGAIN),
)
"""What errors hold, and what hosts are told."""


class Objects:
    """The objects below a bucket's folder."""

    def __init__(self, at: Bucket, key: str, sealer: Sealer):
        """`key` is ID:SECRET. Raises OSError where obstore is missing."""
        if find_spec("obstore") is None:
            raise OSError(errno.ENOPKG, LACKING)
        from obstore.exceptions import BaseError
        from obstore.store import S3Store

        self.where = at
        self._sealer = sealer
        name, _, secret = key.partition(":")
        endpoint: Any = {"endpoint": at.endpoint} if at.endpoint else {}
        try:
            self._store: Any = S3Store(
                at.name,
                prefix=at.folder or None,
                region=at.region,
                access_key_id=name,
                secret_access_key=secret,
                virtual_hosted_style_request=not at.endpoint,
                **endpoint,
                client_options={
                    "timeout": timedelta(seconds=20),
                    "connect_timeout": timedelta(seconds=5),
                    "allow_http": at.endpoint.startswith("http:"),
                },
                retry_config={
                    "max_retries": RETRIES,
                    "retry_timeout": timedelta(seconds=PATIENCE),
                    "backoff": {
                        "init_backoff": timedelta(milliseconds=200),
                        "max_backoff": timedelta(seconds=5),
                        "base": 2,
                    },
                },
            )
        except BaseError as error:
            raise self._told(error) from error

    async def put(self, name: str, data: bytes) -> None:
        """Store an object, whole or not at all."""
        sealed = await asyncio.to_thread(self._sealer.seal_bytes, data, "bucket", name)
        await self._sure(self._store.put_async(name, sealed, use_multipart=False))

    async def get(self, name: str) -> bytes:
        """Returns what an object holds. Raises OSError for one that was not sealed there under this key."""

        async def read() -> bytes:
            answer = await self._store.get_async(name)
            return bytes(await answer.bytes_async())

        sealed = await self._sure(read())
        try:
            return await asyncio.to_thread(self._sealer.open_bytes, sealed, "bucket", name)
        except (OSError, ValueError, InvalidTag):
            fact = f"The object {name} in the bucket {self.where.name} does not open under this key"
            raise OSError(
                errno.EBADMSG, f"{fact}: it is another Riposte's, or damaged. Put the right data.key in its place."
            ) from None

    async def folders(self) -> list[str]:
        """Returns the names of what looks like folders, in order."""
        found = await self._sure(self._store.list_with_delimiter_async())
        return sorted(str(one).rstrip("/").rpartition("/")[2] for one in found["common_prefixes"])

    async def clear(self, folder: str) -> None:
        """Delete all objects of a folder."""

        async def listed() -> list[str]:
            return [one["path"] for one in await self._store.list(f"{folder}/").collect_async()]

        names: Sequence[str] = await self._sure(listed())
        if names:
            await self._sure(self._store.delete_async(list(names)))

    async def _sure(self, act: Awaitable[T]) -> T:
        try:
            return await asyncio.wait_for(act, PATIENCE + GRACE)
        except Exception as error:  # a panic in the library is one of its own kind
            raise self._told(error) from error

    def _told(self, error: Exception) -> OSError:
        text = f"{type(error).__name__} {error}" if str(error) else "timed out"
        number, told = next(
            (number, told) for pattern, number, told in CAUSES if re.search(pattern, text, re.IGNORECASE)
        )
        why = " ".join(str(error).split())[:200].rstrip(".")
        return OSError(number, told.format(bucket=self.where.name, at=self.where.at, why=why))
