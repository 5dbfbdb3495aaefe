"""Holds SQL to what Citus and CockroachDB document that they do not do, or do otherwise; a table of rules.

Citus: https://docs.citusdata.com/en/stable/develop/reference_workarounds.html, and the page on DDL beside it.
CockroachDB: https://www.cockroachlabs.com/docs/stable/postgresql-compatibility and …/known-limitations.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tools.distributed.layout import Layout
from tools.distributed.queries import QUERIES, WRITES, Query, called, equal, is_value, queries, target

VIEWS: Final = {"summaries": "matches", "heads": "letters"}
"""Our views, and the table whose rows each shows."""
VOLATILE: Final = frozenset(
    {"clock_timestamp", "nextval", "pg_advisory_xact_lock", "pg_notify", "pg_terminate_backend", "random", "setval"}
)
XID: Final = frozenset(
    {"pg_current_xact_id", "pg_current_snapshot", "pg_xact_status", "pg_snapshot_xmin", "txid_current", "txid_status"}
)
SYSTEM: Final = frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"})
WORDS: Final = ("LISTEN", "NOTIFY", "UNLISTEN")
ANYWHERE: Final = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "COPY")
"""How statements begin that are the same everywhere."""
KNOWN: Final = (*QUERIES, exp.Union, exp.Set, exp.Semicolon)
"""What statements may be beside these; tables are made by others, see `definition`."""
DEFINITIONS: Final = (exp.Create, exp.Alter, exp.Drop)


UNKNOWN: Final = {
    r"\bEXCLUDE\s+(USING|\()": "constraints by EXCLUDE are",
    r"\bINHERITS\b": "tables that inherit are",
    r"\bTEMP(ORARY)?\s+TABLE\b": "temporary tables are an experiment",
    r"\bUSING\s+(brin|spgist)\b": "indexes of this kind are",
    r"\bNULLS\s+NOT\s+DISTINCT\b": "NULLS NOT DISTINCT is",
    r"\bxml(\w*\(|\s*[,)])": "XML is",
    r"\b(int4|int8|num|ts|tstz|date)range\b": "ranges are",
    r"\bDROP\s+CONSTRAINT\s+\w+_pkey\b(?!.*\bADD\b.*\bPRIMARY\s+KEY\b)": "a table without a key is",
}
"""What statements hold, literals apart, that CockroachDB does not know."""
SPREADING: Final = (exp.TableSample, exp.GroupingSets, exp.Cube, exp.Rollup)
LITERAL: Final = re.compile(r"'(?:[^']|'')*'|\$\$.*?\$\$", re.DOTALL)


class Finding(NamedTuple):
    """Something that a database of several nodes would refuse, or do otherwise."""

    rule: str
    told: str
    sql: str


class Tables(NamedTuple):
    """What is known of the tables."""

    layout: Layout
    columns: Mapping[str, frozenset[str]]
    """Of each table and view."""

    def column(self, table: str) -> str:
        """The column by which a table's rows are distributed; "" for one whose are not."""
        return self.layout.columns.get(VIEWS.get(table, table), "")

    def is_here(self, table: str) -> bool:
        """Whether a table stays on one node."""
        return VIEWS.get(table, table) in self.layout.one_node

    def distributed(self, query: Query) -> dict[str, str]:
        """The distributed tables of a query, by alias."""
        return {alias: table for alias, table in query.tables.items() if self.column(table)}

    def owner(self, column: exp.Column, query: Query) -> tuple[str, Query] | None:
        """Whose a column is: the alias, and the query that names the table."""
        looked: Query | None = query
        while looked is not None:
            for alias, table in looked.tables.items():
                if column.table == alias or (not column.table and column.name in self.columns.get(table, ())):
                    return alias, looked
            looked = looked.within
        return None

    def is_key(self, column: exp.Expr, query: Query) -> tuple[str, Query] | None:
        """Whose rows a column distributes; None for one that does not."""
        owned = self.owner(column, query) if isinstance(column, exp.Column) else None
        return owned if owned and column.name == self.column(owned[1].tables[owned[0]]) else None

    def fixed(self, query: Query) -> dict[str, str]:
        """The distributed tables of which a query asks for rows of one value alone, and that value."""
        found: dict[str, str] = {}
        for column, value in equal(query.node, outer=False):
            key = self.is_key(column, query)
            if key and key[1] is query and is_value(value):
                found[key[0]] = value.sql()
        for one, other in self._joined(query):
            for known, same in ((one, other), (other, one)):
                if known in found:
                    found.setdefault(same, found[known])
        return found

    def _joined(self, query: Query) -> Iterator[tuple[str, str]]:
        for column, other in equal(query.node):
            left, right = self.is_key(column, query), self.is_key(other, query)
            if left and right and left[1] is right[1] is query:
                yield left[0], right[0]

    def in_one_piece(self, query: Query) -> bool:
        """Whether the distributed tables of a query are joined by the columns that distribute them."""
        aliases = self.distributed(query)
        if len(aliases) < 2:
            return True
        first, *others = aliases
        if any(not self.layout.together(*(VIEWS.get(t, t) for t in (aliases[first], aliases[o]))) for o in others):
            return False
        reached, fixed, pairs = {first}, self.fixed(query), [*self._joined(query)]
        for _ in others:
            reached |= {b for a, b in pairs if a in reached}
            reached |= {b for b in fixed for a in reached if fixed.get(a) == fixed[b]}
        return reached >= set(aliases)


Rule = Callable[[Query, Tables], str]


def _locks(query: Query, tables: Tables) -> str:
    spread = set(tables.distributed(query)) - set(tables.fixed(query))
    return f"locks rows of {', '.join(sorted(spread))} on many nodes" if query.node.args.get("locks") and spread else ""


def _recursive(query: Query, tables: Tables) -> str:
    with_ = query.node.args.get("with_")
    inside = [*queries(with_)] if with_ is not None and with_.args.get("recursive") else []
    spread = {
        table for one in inside for alias, table in tables.distributed(one).items() if alias not in tables.fixed(one)
    }
    return f"goes through {', '.join(sorted(spread))} by recursion" if spread else ""


def _writing_cte(query: Query, tables: Tables) -> str:
    with_ = query.node.args.get("with_")
    told = [target(one.this) for one in with_.expressions if isinstance(one.this, WRITES)] if with_ else []
    return f"writes to {', '.join(told)} in a WITH" if any(map(tables.column, told)) else ""


def _twice(query: Query, _: Tables) -> str:
    with_ = query.node.args.get("with_")
    told = [target(one.this) for one in with_.expressions if isinstance(one.this, WRITES)] if with_ else []
    again = sorted({table for table in told if told.count(table) > 1})
    return f"changes {', '.join(again)} more than once in one statement" if again else ""


def _joins(query: Query, tables: Tables) -> str:
    told = ", ".join(sorted(tables.distributed(query).values()))
    return "" if tables.in_one_piece(query) else f"joins {told} by other columns than those that distribute them"


def _correlated(query: Query, tables: Tables) -> str:
    if query.within is None or isinstance(query.node, exp.Insert):
        return ""
    named = [tables.owner(column, query) for column in query.node.find_all(exp.Column)]
    outer = [owned for owned in named if owned and owned[1] is not query and owned[1] in _above(query)]
    if not outer:
        return ""
    if any(tables.is_here(table) for table in query.tables.values()) and any(
        tables.distributed(q) for q in _above(query)
    ):
        return "looks for each row of many nodes into a table that one node has"
    for alias, table in tables.distributed(query).items():
        along = False
        for column, other in equal(query.node):
            ours, theirs = tables.is_key(column, query), tables.is_key(other, query)
            along |= bool(
                ours and theirs and ours == (alias, query) and theirs[1] is not query
                and tables.layout.together(*(VIEWS.get(t, t) for t in (table, theirs[1].tables[theirs[0]])))
            )  # fmt: skip
        if not along and alias not in tables.fixed(query):
            return f"looks for each row into {table}, whose rows may lie on another node"
    return ""


def _above(query: Query) -> list[Query]:
    return [] if query.within is None else [query.within, *_above(query.within)]


def _moved(query: Query, tables: Tables) -> str:
    if not isinstance(query.node, exp.Update):
        return ""
    column = tables.column(target(query.node))
    return (
        f"changes {column}, which says where a row lies"
        if column in {one.left.name for one in query.node.expressions}
        else ""
    )


def _inserted(query: Query, tables: Tables) -> str:
    node = query.node
    column = tables.column(target(node)) if isinstance(node, exp.Insert) else ""
    if not column:
        return ""
    if column not in {name.name for name in node.this.expressions}:
        return f"adds rows without {column}, which says where they lie"
    if isinstance(node.expression, exp.Values) and node.expression.find(exp.Select):
        return "asks a query for a value of a new row"
    conflict = node.args.get("conflict")
    keys = {key.name for key in (conflict.args.get("conflict_keys") or ()) if conflict} if conflict else set()
    return f"looks for a conflict without {column}" if keys and column not in keys else ""


def _volatile(query: Query, tables: Tables) -> str:
    if not isinstance(query.node, exp.Update | exp.Delete) or not tables.column(target(query.node)):
        return ""
    return ", ".join(sorted(called(query.node) & VOLATILE))


def _everywhere(query: Query, tables: Tables) -> str:
    node = query.node
    if not isinstance(node, exp.Update | exp.Delete) or not tables.column(table := target(node)):
        return ""
    alias = node.this.alias_or_name
    return "" if alias in tables.fixed(query) else f"changes {table} on all nodes"


def _samples(query: Query, tables: Tables) -> str:
    spread = set(tables.distributed(query)) - set(tables.fixed(query))
    own = [one for one in query.node.find_all(*SPREADING) if one.find_ancestor(*QUERIES) is query.node]
    told = ", ".join(sorted({type(one).__name__ for one in own}))
    return f"asks many nodes for {told}" if spread and told else ""


def _here_and_there(query: Query, tables: Tables) -> str:
    if not isinstance(query.node, exp.Update | exp.Delete) or not tables.column(target(query.node)):
        return ""
    here = sorted(filter(tables.is_here, query.tables.values()))
    return f"changes rows by those of {', '.join(here)}, which one node has" if here else ""


def _calls(names: frozenset[str], told: str) -> Rule:
    def rule(query: Query, _: Tables) -> str:
        own = {
            one.name.lower() for one in query.node.find_all(exp.Anonymous) if one.find_ancestor(*QUERIES) is query.node
        }
        return f"{told}: {', '.join(sorted(own & names))}" if own & names else ""

    return rule


def _system(query: Query, _: Tables) -> str:
    own = {one.name for one in query.node.find_all(exp.Column) if one.find_ancestor(*QUERIES) is query.node}
    return f"names {', '.join(sorted(own & SYSTEM))}, which tells rows of one node apart" if own & SYSTEM else ""


def _backends(query: Query, _: Tables) -> str:
    told = "pg_stat_activity" in query.tables.values() or "pg_terminate_backend" in called(query.node)
    return "looks at other connections, or ends them" if told else ""


RULES: Final[Mapping[str, Rule]] = {
    "citus: locks": _locks,
    "citus: recursion": _recursive,
    "citus: WITH": _writing_cte,
    "citus: joins": _joins,
    "citus: correlated": _correlated,
    "citus: moves": _moved,
    "citus: inserts": _inserted,
    "citus: volatile": _volatile,
    "citus: one node": _here_and_there,
    "citus: everywhere": _everywhere,
    "citus: samples": _samples,
    "both: ctid": _system,
    "cockroachdb: twice": _twice,
    "cockroachdb: xid": _calls(XID, "numbers of transactions"),
    "cockroachdb: advisory": _calls(
        frozenset({"pg_advisory_lock", "pg_advisory_xact_lock", "pg_try_advisory_lock", "pg_try_advisory_xact_lock"}),
        "does nothing there",
    ),
    "cockroachdb: NOTIFY": _calls(frozenset({"pg_notify"}), "is unknown there"),
    "cockroachdb: connections": _backends,
}
"""What each query of a statement is held to: nothing = it is fine."""


def lint(sql: str, tables: Tables) -> list[Finding]:
    """Returns what is wrong with a statement, or several."""
    first = sql.split(maxsplit=1)[0].rstrip(";").upper() if sql.strip() else ""
    if first in ANYWHERE or not first:
        return []
    if first in WORDS:
        return [Finding("cockroachdb: NOTIFY", "is unknown there", sql)]
    try:
        parsed = [one for one in sqlglot.parse(sql, read="postgres") if one is not None]
    except SqlglotError as error:
        return [Finding("not understood", str(error).partition("\n")[0], sql)]
    plain = LITERAL.sub("''", sql)
    found = [
        Finding("cockroachdb: unknown", f"{told} unknown there", sql)
        for pattern, told in UNKNOWN.items()
        if re.search(pattern, plain, re.IGNORECASE | re.DOTALL)
    ]
    for statement in parsed:
        if isinstance(statement, DEFINITIONS):
            found += definition(statement, sql, tables)
        elif not isinstance(statement, KNOWN):
            found.append(Finding("not understood", type(statement).__name__, sql))
        else:
            for query in queries(statement):
                found += [Finding(rule, told, sql) for rule, held in RULES.items() if (told := held(query, tables))]
    return found


def definition(statement: exp.Expr, sql: str, tables: Tables) -> list[Finding]:
    """Returns what is wrong with the making of a table; keys are held to the layout by what the catalogue says."""
    found = []
    if any("DEFERRABLE" in str(word).upper() for one in statement.walk() for word in one.args.get("options") or ()):
        found.append(Finding("cockroachdb: DEFERRABLE", "is unknown there", sql))
    if statement.find(exp.CollateColumnConstraint):
        found.append(Finding("cockroachdb: COLLATE", "columns cannot be given the order C", sql))
    if isinstance(statement, exp.Create) and str(statement.args.get("kind")).upper() in ("TRIGGER", "RULE"):
        found.append(Finding("citus: triggers", "not on distributed tables", sql))
    if isinstance(statement, exp.Alter) and (table := statement.find(exp.Table)) is not None:
        column = tables.column(table.name)
        acts = [one for one in statement.args.get("actions") or () if isinstance(one, exp.AlterColumn | exp.Drop)]
        if column and any(name.name == column for act in acts for name in act.find_all(exp.Identifier)):
            found.append(Finding("citus: moves", f"changes {column}, which says where a row lies", sql))
    return found


def columns_of(definitions: str) -> dict[str, frozenset[str]]:
    """Returns the columns of the tables that statements make."""
    found: dict[str, set[str]] = {}
    for statement in sqlglot.parse(definitions, read="postgres"):
        if not isinstance(statement, exp.Create | exp.Alter):
            continue
        if (table := statement.find(exp.Table)) is not None and str(statement.args.get("kind")).upper() == "TABLE":
            named = [one.name for one in statement.find_all(exp.ColumnDef)]
            found.setdefault(table.name, set()).update(named)
    found |= {view: found[table] for view, table in VIEWS.items() if table in found}
    return {table: frozenset(names) for table, names in found.items()}
