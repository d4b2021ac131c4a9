"""The rules for what may be drawn how, as a reading of the console's own syntax trees."""

from __future__ import annotations

import ast

_NEVER = """
write write_stream markdown table exception latex echo image video audio iframe
link_button feedback chat_message chat_input data_editor graphviz_chart mermaid_chart
echarts_chart map LinkColumn ImageColumn MarkdownColumn VideoColumn AudioColumn ListColumn
JsonColumn
"""
NEVER = frozenset(_NEVER.split())
"""Not called at all in the console: each reads Markdown, fetches, or links."""

_LABELLED = """
caption info warning error success toast title header subheader metric badge button
checkbox toggle selectbox multiselect radio pills segmented_control text_input text_area
number_input slider select_slider date_input time_input expander tabs popover dialog
form_submit_button download_button file_uploader status spinner Column TextColumn
NumberColumn ButtonColumn
"""
LABELLED = frozenset(_LABELLED.split())
"""Their first argument is read as Markdown."""

NAMED = frozenset(
    ("dataframe page_link Page set_page_config progress").split()  # noqa: SIM905 - a list of words is read more easily
)
"""What they draw is in named arguments only."""

TEXTS = frozenset(
    ("label help title body text placeholder page_title format_func alt").split()  # noqa: SIM905 - a list of words is read more easily
)
"""Named arguments that are read as Markdown or drawn as labels."""

_FOREIGN = """
claim raw member note source_name conclusion entities provenance foreign parameter subject
value evidence scope task
"""
FOREIGN = frozenset(_FOREIGN.split())
"""Attributes of our records that hold foreign text."""


def broken(source: str, name: str) -> list[str]:
    """Every way in which ``source``, the text of module ``name``, breaks the rules."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found += _of_call(node, name, tree)
        if isinstance(node, ast.Expr) and name != "untrusted" and _is_magic(node):
            found.append(f"{node.lineno}: a bare expression, which magic would draw")
        if (
            isinstance(node, ast.Attribute)
            and node.attr in FOREIGN
            and isinstance(node.ctx, ast.Load)
            and _drawn_bare(node, parents)
        ):
            found.append(f"{node.lineno}: foreign {node.attr} is drawn past untrusted")
    return found


def _of_call(node: ast.Call, name: str, tree: ast.AST) -> list[str]:  # noqa: C901 - one rule a line
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    where, found = f"{node.lineno}: {called}", []
    if called in NEVER and _on_streamlit(node):
        found.append(f"{where} is never used")
    for keyword in node.keywords:
        if keyword.arg in ("unsafe_allow_html", "unsafe_allow_javascript"):
            found.append(f"{where} with {keyword.arg}")
    if name == "untrusted":
        return found
    if called == "html" and not _literal(node.args[0]):
        found.append(f"{where} of something computed")
    if called == "code" and not _literal(node.args[0]):
        found.append(f"{where} of something computed; use untrusted.show")
    if called == "json" and name != "ledger":
        found.append(f"{where} outside the ledger")
    if called in LABELLED and not (node.args and _fine(node.args[0], tree)):
        found.append(f"{where} with a label that is not said")
    if called in LABELLED | NAMED:
        for keyword in node.keywords:
            if keyword.arg in TEXTS and not _fine(keyword.value, tree):
                found.append(f"{where} with {keyword.arg} that is not said")
    if called in ("selectbox", "radio", "pills", "segmented_control", "multiselect"):
        options = node.args[1] if len(node.args) > 1 else ast.Constant("")
        told = {keyword.arg for keyword in node.keywords}
        if not _literal(options) and "format_func" not in told:
            found.append(f"{where} shows its options as they are")
    return found


def _on_streamlit(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and not (
        isinstance(node.func.value, ast.Name) and node.func.value.id in ("file", "sys", "os")
    )


def _literal(node: ast.AST) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return False
    return True


def _fine(node: ast.AST, tree: ast.AST) -> bool:
    """Whether an expression can only be words of ours."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.IfExp):
        return _fine(node.body, tree) and _fine(node.orelse, tree)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _fine(node.left, tree) and _fine(node.right, tree)
    if isinstance(node, ast.Lambda):
        return _fine(node.body, tree)
    if isinstance(node, ast.Call):
        return _said(node) or (
            isinstance(node.func, ast.Name) and _makes_words(node.func.id, tree)
        )
    return False


def _said(node: ast.Call) -> bool:
    """``say(key, …)`` or ``t(key, lang, …)``, on whatever object, without foreign parameters."""
    told = node.func
    name = told.attr if isinstance(told, ast.Attribute) else getattr(told, "id", "")
    if name not in ("say", "t"):
        return False
    return not any(
        isinstance(inner, ast.Attribute) and inner.attr in FOREIGN
        for argument in (*node.args, *(one.value for one in node.keywords))
        for inner in ast.walk(argument)
    )


def _makes_words(name: str, tree: ast.AST) -> bool:
    """Whether ``name`` is a function here whose inner function only returns words of ours."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            inner = [one for one in node.body if isinstance(one, ast.FunctionDef)]
            returns = [
                one.value
                for function in inner
                for one in ast.walk(function)
                if isinstance(one, ast.Return) and one.value is not None
            ]
            return bool(returns) and all(_fine(one, tree) for one in returns)
    return False


def _is_magic(node: ast.Expr) -> bool:
    return not isinstance(
        node.value, ast.Call | ast.Constant | ast.Yield | ast.YieldFrom | ast.Await
    )


def _drawn_bare(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a foreign attribute is handed to Streamlit or a table and not to ``untrusted``."""
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.Compare):
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "untrusted":
                return False
            if isinstance(owner, ast.Name) and owner.id in ("st", "pd"):
                return True
    return False
