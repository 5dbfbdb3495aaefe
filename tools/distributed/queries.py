"""What a statement asks of which tables: its queries, their tables by alias, and what fixes or joins a column."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from sqlglot import exp

QUERIES: Final = (exp.Select, exp.Update, exp.Delete, exp.Insert)
WRITES: Final = (exp.Update, exp.Delete, exp.Insert)


class Query(NamedTuple):
    """A query, or one within another, and the tables that it names itself."""

    node: exp.Expr
    tables: Mapping[str, str]
    """From aliases to tables; to "" for what is made by a function or a query."""
    within: "Query | None"
    """The query around it whose rows it can name; None for one that stands alone."""


def queries(statement: exp.Expr) -> list[Query]:
    """Returns all queries of a statement, outer ones first."""
    found: dict[int, Query] = {}
    named = {cte.alias for cte in statement.find_all(exp.CTE)}
    for node in statement.walk():
        if isinstance(node, QUERIES):
            around = _around(node)
            found[id(node)] = Query(node, dict(_tables(node, named)), found.get(id(around)) if around else None)
    return [*found.values()]


def _around(node: exp.Expr) -> exp.Expr | None:
    """The query whose rows this one can name: not those of a CTE, nor of a table in FROM that is not LATERAL."""
    above: exp.Expr | None = node.parent
    child: exp.Expr | None = node
    while above is not None:
        if isinstance(above, exp.CTE):
            return None
        if isinstance(above, exp.From | exp.Join) and not isinstance(child, exp.Lateral):
            return None
        if isinstance(above, exp.Insert):
            return None
        if isinstance(above, QUERIES):
            return above
        above, child = above.parent, above
    return None


def _tables(node: exp.Expr, named: set[str]) -> Iterator[tuple[str, str]]:
    """The tables that a query names itself, not those of queries within it."""
    places: list[exp.Expr | None] = [node.args.get("from_"), *(node.args.get("joins") or ())]
    if isinstance(node, WRITES):
        places.append(node.this)
        places += node.args.get("using") or ()
    for place in places:
        for one in place.find_all(exp.Table, exp.Subquery) if place else ():
            if one.find_ancestor(*QUERIES) is node and one.alias_or_name:
                made = isinstance(one, exp.Subquery) or not isinstance(one.this, exp.Identifier) or one.name in named
                yield one.alias_or_name, "" if made else one.name


def target(node: exp.Expr) -> str:
    """The table that a query writes to."""
    table = node.this.find(exp.Table) if isinstance(node, WRITES) else None
    return table.name if table else ""


def conditions(node: exp.Expr, *, outer: bool = True) -> list[exp.Expr]:
    """The conditions that all hold of a query's rows; and those of outer joins, which rows need not meet."""
    told: list[exp.Expr] = []
    joins = [join for join in node.args.get("joins") or () if outer or not join.side]
    places = [node.args.get("where"), *(join.args.get("on") for join in joins)]
    for place in places:
        if place is not None:
            said = place.this if isinstance(place, exp.Where) else place
            told += said.unnest().flatten() if isinstance(said, exp.And) else [said]
    return [one.unnest() for one in told]


def equal(node: exp.Expr, *, outer: bool = True) -> Iterator[tuple[exp.Column, exp.Expr]]:
    """What columns are equal to, each way round."""
    for one in conditions(node, outer=outer):
        if isinstance(one, exp.EQ):
            for left, right in ((one.left.unnest(), one.right.unnest()), (one.right.unnest(), one.left.unnest())):
                if isinstance(left, exp.Column):
                    yield left, right


def is_value(node: exp.Expr) -> bool:
    """Whether something is known before any row is looked at."""
    return not node.find(exp.Column, *QUERIES)


def called(node: exp.Expr) -> set[str]:
    """The functions that are called in it by names of their own."""
    return {call.name.lower() for call in node.find_all(exp.Anonymous)} | {
        call.sql_name().lower() for call in node.find_all(exp.Func) if not isinstance(call, exp.Anonymous)
    }
