"""Checks the luck of a finished match, from its record alone: `python verify.py RECORD [POSTED HASH …]`."""

import hashlib
import hmac
import re
import sys
from pathlib import Path

head, _, body = Path(sys.argv[1]).read_text("utf-8").partition("\n\n")
pairs = [line.partition(": ")[::2] for line in head.splitlines()[1:]]
header = dict(pairs)
terms = dict(term.split("=", 1) for term in header["Terms"].split("; "))
shares = [value.partition(" ")[::2] for name, value in pairs if name == "Share"]
seats = {
    side: (name[7:].lower(), who) for name, v in pairs if name[:7] == "Player " for side, who in [v.split(" ")[:2]]
}
seed, found, stand, last = bytes.fromhex(header["Seed"]), [], [], 0
COLOURS, OPEN = "WB", ("drawn", "usual", "random")


def check(*what_said_right):
    found.append(what_said_right)


def draw(ply, number, faces, turns):
    signed = hashlib.sha256("\n".join(text for _, text in turns).encode()).hexdigest()
    for again in range(100):
        message = f"{','.join(map('='.join, shares))}|{header['Match']}|{ply}|{number}.{again}|{signed}"
        value = int.from_bytes(hmac.digest(seed, message.encode(), "sha256")[:8], "big")
        if value < 2**64 - 2**64 % faces:
            break
    return value % faces


def lots(ply, text, turns):
    drawn = [tuple(map(int, lot.split(":"))) for lot in text.split()]
    for number, (faces, value) in enumerate(drawn):
        check(f"lot {number} of ply {ply}", value, draw(ply, number, faces, turns))
    return drawn


def throws(ply, text, turns):
    faces = 6 if header["Game"] == "ironclad" else int("0" + terms.get("throw", "")[1:].strip("oinstck")) or 2
    if not terms.get("throw", "").startswith(("guess", "paper")):  # Veney's sticks always fall
        check(f"throws left out of turn {ply}", re.findall(r"t\w+~(?![(?])", text), [])
    groups = re.findall(r"\((?:\w+:)?([WB]+|[+-]?\d+)\)", text)
    told = [one for group in groups for one in (group if group[0] in COLOURS else [group])]
    for number, one in enumerate(told):
        sides, value = (2, COLOURS.index(one)) if one in COLOURS else (faces, abs(int(one)) - 1)
        check(f"throw {number} of turn {ply}", value, draw(ply, number, sides, turns))


check("luck", header.get("Luck"), "2")
hashes = [hashlib.sha256(seed).hexdigest(), *(hashlib.sha256(share.encode()).hexdigest()[:32] for _, share in shares)]
check("commitment", header["Commitment"], hashes[0])
check("posted hashes", sys.argv[2:] or hashes, hashes)
drawn, order = lots(0, header.get("Lots", ""), []), [player for player, _ in shares]
fixed = [side for side, (name, _) in seats.items() if name == terms["side"]]
dealt = order[1:] if fixed else order
for at in range(len(dealt) - 1, 0, -1):  # the shuffle of Fisher and Yates
    faces, other = drawn.pop(0)
    check("players left to seat", faces, at + 1)
    dealt[at], dealt[other] = dealt[other], dealt[at]
due = iter(dealt)
check("seats", [who for _, who in seats.values()], [order[0] if side in fixed else next(due) for side in seats])
sides = sorted(seats, key="RWBP".index) if header["Game"] == "tirachen" else list(seats)
if drawn and drawn[-1][0] == len(seats) and terms.get("first") in OPEN and not terms.get("start"):
    check("first side", re.search(r"to: (\w+)", header["Start"])[1], sides[drawn.pop()[1]])
if gates := re.search(r"gates: (\d+)", header["Start"]):
    check("first gate", int(gates[1]), drawn[0][1] + 1)

for line in body.splitlines():
    words = line.split(" ", 2)
    if turn := re.fullmatch(r"(\d+)\. (\S+ .+)|reply (\S+ .+)", line):
        last, before = int(turn[1] or last + 1), list(stand)
        stand.append((last, f"{last}. {turn[2] or turn[3]}"))
        throws(last, turn[2] or "", before)
    elif words[0] == "lots":
        lots(last, line[5:], before)
    elif fell := re.fullmatch(r"called (\d+) by \S+: (\S+) .*|taken back from (\d+)", line):
        cut = int(fell[1] or fell[3])
        stand = [one for one in stand if one[0] < cut]
        last = cut - (fell[2] in ("friendly", "time", None))

faults = [f"{what}: {said} should be {right}" for what, said, right in found if said != right]
lots_and_throws = [sum(what.startswith(kind) for what, *_ in found) for kind in ("lot ", "throw ")]
told = "Seats, setup, {} lots and {} throws are what seed, shares and turns make them.".format(*lots_and_throws)
print("\n".join(faults) or told)
sys.exit(bool(faults))
