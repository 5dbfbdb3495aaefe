"""Reads from `deploy/citus.sql` which table lies where on a Citus."""

from pathlib import Path
from typing import Final, NamedTuple

import sqlglot
from sqlglot import exp

STATEMENTS: Final = Path(__file__).parents[2] / "deploy/citus.sql"
DISTRIBUTED, EVERYWHERE, ONE_NODE = (
    "create_distributed_table",
    "create_reference_table",
    "citus_add_local_table_to_metadata",
)


class Layout(NamedTuple):
    """Where tables lie; a name that is in none of these is no table of Riposte's."""

    columns: dict[str, str]
    """Of each distributed table, the column by which its rows are distributed."""
    beside: dict[str, str]
    """Of each distributed table, the table whose rows of the same value lie on the same node."""
    everywhere: frozenset[str]
    """Reference tables: all nodes have all of their rows."""
    one_node: frozenset[str]
    """Those that stay whole, on the node that is asked."""

    def together(self, one: str, other: str) -> bool:
        """Returns whether rows with the same value lie on the same node."""
        return self.beside[one] == self.beside[other]


def layout(text: str) -> Layout:
    """Returns where the statements of a file put each table."""
    columns: dict[str, str] = {}
    beside: dict[str, str] = {}
    kinds: dict[str, set[str]] = {EVERYWHERE: set(), ONE_NODE: set()}
    for statement in sqlglot.parse(text, read="postgres"):
        for call in statement.find_all(exp.Anonymous) if statement else ():
            words = [word.name for word in call.expressions if isinstance(word, exp.Literal)]
            given = {word.this.name: word.expression.name for word in call.find_all(exp.Kwarg, exp.PropertyEQ)}
            if call.name == DISTRIBUTED:
                table, column = words
                columns[table] = column
                beside[table] = table if given.get("colocate_with", "none") == "none" else given["colocate_with"]
            elif call.name in kinds:
                kinds[call.name].update(words)
    return Layout(columns, beside, frozenset(kinds[EVERYWHERE]), frozenset(kinds[ONE_NODE]))
