"""Where an object store's bucket is: the address in the settings, and what it says."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

EXAMPLE = "s3://BUCKET/FOLDER?region=eu-central-1&endpoint=https://s3.example.org"


class Bucket(NamedTuple):
    """A bucket, and the folder in it."""

    name: str
    folder: str
    region: str
    endpoint: str

    @property
    def at(self) -> str:
        """Who has it, as hosts are told."""
        return self.endpoint or "Amazon S3"


def bucket(text: str) -> Bucket:
    """Reads `s3://bucket/folder?region=…&endpoint=…`. Raises ValueError with an example."""
    try:
        parts = urlsplit(text)
        words = dict(parse_qsl(parts.query))
        endpoint, region = words.pop("endpoint", ""), words.pop("region", "us-east-1")
        there = urlsplit(endpoint)
        fine = (
            parts.scheme == "s3" and parts.netloc and not words and re.fullmatch(r"(https?://[^/?#\s]+/?)?", endpoint)
        )
        if not fine or (endpoint and (not there.hostname or there.port == 0)):
            raise ValueError
    except ValueError:
        raise ValueError(f"write it like {EXAMPLE}") from None
    return Bucket(parts.netloc, parts.path.strip("/"), region, endpoint.rstrip("/"))


def checked(text: str) -> str:
    """Returns the same. Raises ValueError for what is no address; none at all is fine."""
    if text:
        bucket(text)
    return text
