"""Hands the sentences that a language lacks to a translator in numbered lists, and takes the translations back.

    python -m tools.chunks out de FOLDER         # writes FOLDER/001.txt, 002.txt, …, those that are read most first
    python -m tools.chunks in de FILE [FILE …]   # FOLDER/001.de.txt answers FOLDER/001.txt; wrong lines are refused
    python -m tools.chunks again de FOLDER TEXT  # the same with what is translated, where TEXT stands in either

A list has a line for each sentence, `12 The {piece} moves.`; an answer has `12 Zug: {piece}.` for the same number.
Where a number decides, the list has `12` for one thing and `12+` for more, and so has the answer; a language with one
form answers `12` alone. Lines without a number in front are for the reader.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from babel.messages.catalog import Catalog, Message

from tools.extract import collected, forms
from tools.languages import file_of, updated, write, wrong

SIZE = 4_000
"""Characters of English in a list, about."""

ORDER = (
    "bot/messages",
    "engine/match/",
    "bot/commands/spec",
    "bot/commands",
    "engine/game.py",
    "engine/composition.py",
    "render",
    "bot/service",
    "bot/adapters/web/page",
    "bot/adapters/web",
    "bot/adapters/discord",
    "bot/adapters",
    "bot",
    "engine/place_text.py",
    "engine/reading/typed.py",
    "engine/match/record",
    "engine/games/.*/(judge|notation|position|play|picture|compose|board|luck|ends|penalties|pending)",
    "engine/games/.*/__init__",
    "engine/games/.*/rules",
    "engine/games/.*/teaching/overview",
    "engine/games/.*/teaching/entries",
    "engine/games/.*/teaching",
    "engine/games",
    "engine",
)
"""The beginnings of files, those first whose sentences are read most; nouns come before them all."""

ANSWER = re.compile(r"(\d+)(\+?) (.*)")


def main(arguments: list[str]) -> int:
    """Carry out one of the commands above."""
    match arguments:
        case ["out", code, folder]:
            catalog = updated(code)
            lacking = [one for one in collected() if one.id and not _is_told(catalog, one)]
            return _export(catalog, lacking, Path(folder))
        case ["again", code, folder, text]:
            catalog = updated(code)
            told = [one for one in collected() if one.id and _has(catalog, one, text)]
            return _export(catalog, told, Path(folder))
        case ["in", code, *files] if files:
            return _import(code, map(Path, files))
        case _:
            print(__doc__)
            return 2


def _is_told(catalog: Catalog, message: Message) -> bool:
    known = catalog.get(message.id)
    return known is not None and all(forms(known.string)) and not known.fuzzy


def _has(catalog: Catalog, message: Message, text: str) -> bool:
    known = catalog.get(message.id)
    return any(text in form for form in (*forms(message.id), *(forms(known.string) if known else ())))


def _export(catalog: Catalog, messages: Iterable[Message], folder: Path) -> int:
    """Write the lists. An earlier translation, a doubtful one say, follows its sentence, without a number."""
    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(messages, key=_rank)
    terms = {str(one.id): str(one.string) for one in catalog if one.id and "noun" in one.auto_comments and one.string}
    number = size = 0
    lists: list[list[Message]] = [[]]
    for message in ordered:
        if size > SIZE:
            lists.append([])
            size = 0
        lists[-1].append(message)
        size += sum(map(len, forms(message.id)))
    for count, part in enumerate(lists if ordered else (), 1):
        lines: list[str] = []
        said = " ".join(form for message in part for form in forms(message.id))
        used = [
            f"{term} → {told}" for term, told in sorted(terms.items()) if re.search(rf"\b{re.escape(term)}\b", said)
        ]
        if used:
            lines += ["Terms: " + "; ".join(used), ""]
        for title, group in groupby(part, _title):
            lines.append(title)
            for message in group:
                number += 1
                lines += _lines(number, message, catalog.get(message.id))
            lines.append("")
        (folder / f"{count:03}.txt").write_text("\n".join(lines), "utf-8")
    print(f"{number} sentences in {len(lists) if ordered else 0} lists in {folder}")
    return 0


def _lines(number: int, message: Message, known: Message | None) -> Iterator[str]:
    for sign, form in zip(("", "+"), forms(message.id), strict=False):
        yield f"{number}{sign} {form}"
    if known is not None and any(forms(known.string)):
        yield f"  now{' (doubtful)' if known.fuzzy else ''}: " + " | ".join(forms(known.string))


def _title(message: Message) -> str:
    kind = "Nouns and labels" if "noun" in message.auto_comments else "Sentences"
    return f"{kind} of {message.locations[0][0]}"


def _rank(message: Message) -> tuple[int, str]:
    file = message.locations[0][0]
    place = next(nth for nth, begin in enumerate((*ORDER, "")) if re.match(begin, file))
    return place if "noun" not in message.auto_comments else -1, file


def _import(code: str, answers: Iterable[Path]) -> int:
    """Take translations into the catalogue; what is wrong is told and left out."""
    catalog, taken, refused = updated(code), 0, 0
    for answer in answers:
        questions = answer.with_name(answer.name.replace(f".{code}.txt", ".txt"))
        missing = [file for file in (answer, questions) if not file.is_file()]
        if missing or answer == questions:
            print(f"{answer.name}: refused, for an answer to lists/001.txt is lists/001.{code}.txt, beside it")
            refused += 1
            continue
        asked = _read_list(questions)
        for number, told in _read_list(answer).items():
            english = asked.get(number)
            entry = catalog.get(english if english and len(english) > 1 else english[0]) if english else None
            if entry is None:
                because = "nobody says that now" if english else f"there is no such number in {questions.name}"
                print(f"{answer.name}:{number}: {because}")
                refused += 1
                continue
            if len(forms(entry.id)) == 1 < len(told):
                print(f"{answer.name}:{number}: answered twice: {' | '.join(told)}")
                refused += 1
                continue
            before, flags = entry.string, set(entry.flags)
            entry.string = told if len(forms(entry.id)) > 1 else told[0]
            entry.flags.discard("fuzzy")
            found = [*wrong(catalog, entry, sentence="sentence" in entry.auto_comments)]
            if found:
                entry.string, entry.flags = before, flags
                refused += 1
                print(*(f"{answer.name}:{number}: {fault.what}: {' | '.join(told)}" for fault in found), sep="\n")
            else:
                taken += 1
    write(code, catalog)
    lacking = sum(1 for one in collected() if one.id and not _is_told(catalog, one))
    print(f"{taken} taken, {refused} refused, {lacking} lacking in {file_of(code)}")
    return 1 if refused else 0


def _read_list(file: Path) -> dict[str, tuple[str, ...]]:
    """The forms by their number."""
    found: dict[str, tuple[str, ...]] = {}
    for line in file.read_text("utf-8").splitlines():
        if answer := ANSWER.fullmatch(line):
            found[answer[1]] = (*found.get(answer[1], ()), answer[3].rstrip())
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
