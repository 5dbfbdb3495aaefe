"""Checks the luck of a finished match, from its record alone: `python verify.py RECORD [POSTED HASH …]`."""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path


def check(what, said, right):
    if said != right:
        faults.append(f"{what}: {said} should be {right}")


def fell(what, ply, told, turns):  # `told`: how many faces there were, and which of them fell
    for number, (faces, value) in enumerate(told):
        for again in range(100):
            stood = sha256("\n".join(text for _, text in turns).encode()).hexdigest()
            message = f"{','.join(map('='.join, shares))}|{header['Match']}|{ply}|{number}.{again}|{stood}"
            right = int.from_bytes(digest(seed, message.encode(), "sha256")[:8], "big")
            if right < 2**64 - 2**64 % faces:
                break
        check(f"{what} {number} of ply {ply}", value, right % faces)
    found.extend([what] * len(told))
    return told


def lots(ply, text, turns):
    return fell("lot", ply, [tuple(map(int, lot.split(":"))) for lot in text.split()], turns)


head, _, body = Path(sys.argv[1]).read_text("utf-8").partition("\n\n")
pairs = [line.split(": ", 1) for line in head.splitlines()[1:]]
header, shares = dict(pairs), [value.split(" ", 1) for name, value in pairs if name == "Share"]
terms = dict(term.split("=", 1) for term in header["Terms"].split("; "))
seats = {v.split(" ")[0]: (name[7:].lower(), v.split(" ")[1]) for name, v in pairs if name.startswith("Player ")}
seed, throw, faults, found, stand, last = bytes.fromhex(header["Seed"]), terms.get("throw", ""), [], [], [], 0
faces = 6 if header["Game"] == "ironclad" else int("0" + throw[1:].strip("oinstck")) or 2

hashes = [sha256(seed).hexdigest(), *(sha256(share.encode()).hexdigest()[:32] for _, share in shares)]
check("luck", header.get("Luck"), "2")
check("hashes", [header["Commitment"], *(sys.argv[2:] or hashes)], [hashes[0], *hashes])
drawn, dealt = lots(0, header.get("Lots", ""), []), [player for player, _ in shares]
fixed = [(at, dealt.pop(0)) for at, (name, _) in enumerate(seats.values()) if name == terms["side"]]
for at in range(len(dealt) - 1, 0, -1):  # the shuffle of Fisher and Yates
    left, other = drawn.pop(0)
    check("players left to seat", left, at + 1)
    dealt[at], dealt[other] = dealt[other], dealt[at]
for at, challenger in fixed:
    dealt.insert(at, challenger)
check("seats", [who for _, who in seats.values()], dealt)
if (
    drawn
    and drawn[-1][0] == len(seats)
    and terms.get("first") in ("drawn", "usual", "random")
    and not terms.get("start")
):
    first = sorted(seats, key=lambda side: "RWBP".index(side[0]))[drawn.pop()[1]]
    check("first side", re.search(r"to: (\w+)", header["Start"])[1], first)
if gate := re.search(r"gates: (\d+)", header["Start"]):
    check("first gate", int(gate[1]), drawn[0][1] + 1)

for line in body.splitlines():
    if turn := re.fullmatch(r"(\d+)\. (\S+ .+)|reply (\S+ .+)", line):
        last, before, text = int(turn[1] or last + 1), list(stand), turn[2] or ""
        stand.append((last, f"{last}. {turn[2] or turn[3]}"))
        shown = re.findall(r"[WB]|\d+", " ".join(re.findall(r"\((?:\w+:)?([WB]+|[+-]?\d+)\)", text)))
        told = [(2, "WB".index(one)) if one in "WB" else (faces, int(one) - 1) for one in shown]
        fell("throw", last, told, before)
        if not throw.startswith(("guess", "paper")):  # Veney's sticks always fall
            check(f"throws left out of turn {last}", re.findall(r"t\w+~(?![(?])", text), [])
    elif line.startswith("lots "):
        lots(last, line[5:], before)
    elif cut := re.fullmatch(r"called (\d+) by \S+: (\S+) .*|taken back from (\d+)", line):
        stand = [one for one in stand if one[0] < int(cut[1] or cut[3])]
        last = int(cut[1] or cut[3]) - (cut[2] in ("friendly", "time", None))

luck = f"{found.count('lot')} lots and {found.count('throw')} throws"
print("\n".join(faults) or f"Seats, setup, {luck} are what seed, shares and turns make them.")
sys.exit(bool(faults))
