"""A Riposte whose standby lies in a bucket."""

import shutil
from pathlib import Path
from random import Random

from bot.bucket.keeping import BucketStandby
from bot.bucket.restoring import restore
from tests.bucket.conftest import Store
from tests.faults.evening import Evening

NOON = 1_800_000_000.0


class Machine:
    """A Riposte with a standby in a bucket; when it is lost, the platform and what people have said stay."""

    def __init__(self, store: Store, folder: Path, seed: int = 1):
        self.settings = store.settings(folder)
        self.data = self.settings.data
        (self.data / "matrix").mkdir(parents=True)
        (self.data / "matrix/session.json").write_text("the login on Matrix")
        self.now = NOON
        self.standby = BucketStandby(self.settings, lambda: self.now)
        self.evening = Evening(self.data, Random(seed))

    async def lose(self) -> None:
        """The disk is gone; the world goes on."""
        left = {name: (self.data / name).read_bytes() for name in ("wall", "said", "acknowledged")}
        shutil.rmtree(self.data)
        await restore(self.settings)
        for name, content in left.items():
            (self.data / name).write_bytes(content)
