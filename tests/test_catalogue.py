"""Sentences are told in the reader's language, whole, and everything that can be said is in the catalogues."""

import ast
import gettext
import io
from collections.abc import Mapping

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo

from bot.messages.catalogue import DOMAIN, Language, language, languages
from bot.messages.model import Person, Place, Strong
from engine.text import Code, Duration, Instant, Listing, Phrase, Term, Text, plural
from tools.extract import ROOT, TEMPLATES, as_mo, as_po, calls, collected, literal, sources
from tools.pseudo import FOLDER, noun, pseudo, sentence

ANNA, BEN = Person("web", "anna", "Anna"), Person("web", "ben", "Ben")
ENGLISH = language()


def spoken(code: str, told: Mapping[str | tuple[str, str], str | tuple[str, ...]]) -> Language:
    """A language with these translations."""
    catalog = Catalog(code)
    for template, translation in told.items():
        catalog.add(template, translation)
    file = io.BytesIO()
    write_mo(file, catalog)
    file.seek(0)
    return Language(code, gettext.GNUTranslations(file))


GERMAN = spoken(
    "de",
    {
        "{player} takes the {piece}.": "Die {piece} wird von {player} genommen.",
        "Sword": "Klinge",
        "{piece} on {places}": "{piece} auf {places}",
        ("{count} seat is free.", "{count} seats are free."): ("{count} Platz ist frei.", "{count} Plätze sind frei."),
    },
)


# --- values -----------------------------------------------------------------------------------------------
def test_a_translation_puts_the_values_where_its_language_wants_them() -> None:
    text = Text("{player} takes the {piece}.", player=ANNA, piece=Term("Sword"))
    assert ENGLISH.spans(text) == (ANNA, " takes the Sword.")
    assert GERMAN.spans(text) == ("Die Klinge wird von ", ANNA, " genommen.")


def test_plain_words_are_never_translated() -> None:
    assert GERMAN.say(Text("{player} takes the {piece}.", player="Sword", piece="Sword")) == (
        "Die Sword wird von Sword genommen."
    )


def test_a_number_decides_the_form() -> None:
    one, many = "{count} seat is free.", "{count} seats are free."
    assert [ENGLISH.say(plural(one, many, n)) for n in (0, 1, 2)] == [
        "0 seats are free.", "1 seat is free.", "2 seats are free.",
    ]  # fmt: skip
    assert [GERMAN.say(plural(one, many, n)) for n in (1, 2)] == ["1 Platz ist frei.", "2 Plätze sind frei."]


def test_a_language_may_have_more_forms_than_two() -> None:
    one, many = "{count} seat", "{count} seats"
    polish = spoken("pl", {(one, many): ("{count} miejsce", "{count} miejsca", "{count} miejsc")})
    assert [polish.say(plural(one, many, n)) for n in (1, 2, 5, 22)] == [
        "1 miejsce", "2 miejsca", "5 miejsc", "22 miejsca",
    ]  # fmt: skip
    assert polish.texts([(one, many), ("Copy",)]) == {
        one: "{count} miejsce",
        many: "{count} miejsc",
        f"one|{many}": "{count} miejsce",
        f"few|{many}": "{count} miejsca",
        f"many|{many}": "{count} miejsc",
        "Copy": "Copy",
    }


def test_japanese_lists_of_any_kind_have_marks_between_their_parts() -> None:
    told = Text("{places}", places=Listing(("ben", "carol", "1 0"), "unit"))
    assert language("ja").say(told) == "ben、carol、1 0"


@pytest.mark.parametrize(
    ("style", "english", "german"),
    [("and", "a, b and c", "a, b und c"), ("or", "a, b or c", "a, b oder c"), ("unit", "a, b, c", "a, b, c")],
)
def test_lists_are_joined_as_the_language_joins_them(style: str, english: str, german: str) -> None:
    text = Text("{items}", items=Listing(("a", "b", "c"), style))  # type: ignore[arg-type]
    assert ENGLISH.say(text) == english
    assert GERMAN.say(text) == german
    assert ENGLISH.spans(text) == (english,)


def test_a_list_of_people_stays_a_list_of_people() -> None:
    text = Text("{players}.", players=Listing((ANNA, "zoe", BEN)))
    assert ENGLISH.spans(text) == (ANNA, ", zoe and ", BEN, ".")
    assert ENGLISH.spans(Text("{players}.", players=Listing(()))) == (".",)


def test_people_are_named_by_the_account_that_they_have_where_it_is_said() -> None:
    elsewhere = Person("matrix", "@anna:example.org", "anna")
    text = Text("{player}, {others}.", player=ANNA, others=Listing((ANNA, Phrase("{player} there", player=ANNA))))
    assert ENGLISH.spans(text, lambda person: elsewhere) == (
        elsewhere, ", ", elsewhere, " and ", elsewhere, " there.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("span", "english", "german"),
    [
        (0, "0 minutes", "0 Minuten"),
        (60_000, "1 minute", "1 Minute"),
        (86_400_000, "1 day", "1 Tag"),
        (3 * 86_400_000 + 3_600_000, "3 days, 1 hour", "3 Tage, 1 Stunde"),
    ],
)
def test_durations_are_told_in_the_units_of_the_language(span: int, english: str, german: str) -> None:
    assert ENGLISH.say(Text("{span}", span=Duration(span))) == english
    assert str(Text("{span}", span=Duration(span))) == english
    assert GERMAN.say(Text("{span}", span=Duration(span))) == german


def test_instants_places_and_code_stay_what_they_are_for_the_adapter() -> None:
    text = Text("{due} {place} {code} {number}", due=Instant(5), place=Place("web", "attic"), code=Code("a1"), number=7)
    assert ENGLISH.spans(text) == (Instant(5), " ", Place("web", "attic"), " ", Code("a1"), " 7")


def test_a_phrase_is_translated_inside_a_list() -> None:
    army = Listing((Phrase("{piece} on {places}", piece=Term("Sword"), places=Listing(("a1", "b2"))), "x"), "unit")
    assert GERMAN.say(Text("{army}.", army=army)) == "Klinge auf a1 und b2, x."


def test_a_sentence_inside_a_sentence_is_refused() -> None:
    for told in (ENGLISH.spans, ENGLISH.say):
        with pytest.raises(TypeError, match="a sentence inside a sentence"):
            told(Text("They say: {what}", what=Text("It is so.")))
        with pytest.raises(TypeError, match="a sentence inside a sentence"):
            told(Text("They say: {what}", what=Listing((Text("It is so."),))))


# --- markup -----------------------------------------------------------------------------------------------
def test_back_quotes_make_a_code_span_and_stars_bold_words() -> None:
    text = Text("**Match {match}**: write `accept {match}`.", match="12")
    assert ENGLISH.spans(text) == (Strong("Match 12"), ": write ", Code("accept 12"), ".")
    assert ENGLISH.say(text) == "Match 12: write `accept 12`."


def test_markup_in_values_is_nothing_but_words() -> None:
    text = Text("{word} `{word}`", word="**`x`** {y}")
    assert ENGLISH.spans(text) == ("**`x`** {y} ", Code("**`x`** {y}"))


def test_sentences_stand_apart_by_a_blank_and_lines_by_a_break() -> None:
    one, two = Text("One."), Text("Two.")
    assert ENGLISH.lines(((one, two), (one,))) == ("One. Two.\nOne.",)


# --- which languages there are ----------------------------------------------------------------------------
def test_readers_choose_among_languages_that_people_speak() -> None:
    assert languages()[0] == "en"
    assert "xx" not in languages()


@pytest.mark.parametrize("code", ["xx", "xx-YY", "xx_YY"])
def test_a_language_is_found_by_its_code_with_or_without_a_country(code: str) -> None:
    assert language(code).code == "xx"


@pytest.mark.parametrize("code", ["", "en", "en-GB", "tlh", "../xx", "\0"])
def test_a_language_that_nobody_has_translated_is_english(code: str) -> None:
    assert language(code) is ENGLISH


# --- the catalogues ---------------------------------------------------------------------------------------
def test_the_collected_templates_are_up_to_date() -> None:
    assert TEMPLATES.read_bytes() == as_po(collected()), "run `make texts`"


def test_the_pseudo_language_is_up_to_date() -> None:
    assert (FOLDER / f"{DOMAIN}.po").read_bytes() == as_po(pseudo()), "run `make texts`"
    with (FOLDER / f"{DOMAIN}.mo").open("rb") as file:
        assert entries(read_mo(file)) == entries(read_mo(io.BytesIO(as_mo(pseudo())))), "run `make texts`"


def test_nothing_is_a_sentence_in_one_place_and_a_noun_in_another() -> None:
    assert [message.id for message in collected() if len(message.auto_comments) > 1] == []


def test_every_template_stands_where_it_is_used_word_for_word() -> None:
    """A sentence built from fragments has no entry; one that takes another's template (`X.template`) has."""
    built = [
        f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)[:80]}"
        for path in sources()
        for call in calls(path)
        if isinstance(call.func, ast.Name) and call.func.id != "Term"
        if not literal(call.args[0]) and not isinstance(call.args[0], ast.Attribute)
    ]
    assert [line for line in built if not line.startswith("engine/text.py:")] == []


def test_what_ends_with_a_stop_begins_with_a_capital() -> None:
    """But for labels, which have no stop; a value or a code span may come first."""
    for message in collected():
        for template in (message.id,) if isinstance(message.id, str) else message.id:
            if template.endswith(".") and "sentence" in message.auto_comments:
                assert not template[:1].islower(), template


def test_a_pseudo_sentence_stands_in_brackets_with_its_parts_in_reverse_order() -> None:
    assert sentence("The {piece} on {place} moves.") == "[ moves.{place} on {piece}The ]"
    assert sentence("**Turn {number}**: write `move {number}`.") == "[.`move {number}`: write **{number}Turn **]"
    assert noun("Arm") == "‹Arm›"


def entries(catalog: Catalog) -> dict[object, object]:
    return {str(message.id): message.string for message in catalog if message.id}


@pytest.mark.parametrize("code", ["en", "de", "es", "ja"])
def test_lengths_of_time_are_words_of_the_language(code: str) -> None:
    told = language(code).say(Text("{span}", span=Duration(3 * 86_400_000 + 5 * 3_600_000 + 60_000)))
    assert "duration" not in told
    assert all(number in told for number in ("3", "5", "1"))
