"""The exact bytes of what is staged: canonical JSON of fixed forms, written out by hand.

An import spells five objects for every record; sorting their keys and looking at every type again
would be a fifth of its work. So the keys stand here in their canonical order, and only values are
spelled. ``tests/review/test_spelling.py`` holds these bytes against ``store.canonical.encode``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store.canonical import quote, spell, utf8
from store.cells import Conclusion, Edge, Fact, Interval, Proposal, Provenance
from store.records import Place


@dataclass(frozen=True, slots=True)
class Cell:
    """A proposal with its identity here: what is about to be staged.

    Edges whose target is not in the store stay in ``proposal`` and are shown as the file's claim.
    """

    item: str
    rev: int
    proposal: Proposal
    provenance: Provenance
    place: Place
    edges: tuple[Edge, ...]
    parser: str


def content(proposal: Proposal) -> bytes:
    """What makes a record the same record when it is imported again.

    The claim, its identity in its source, and everything that would change the cell; not the
    times of writing and not the file's claims about itself.
    """
    edges = [[str(e.kind), e.target, e.strength] for e in proposal.edges]
    return utf8(
        f'{{{_pointed(proposal)}{_cases(proposal)}"claim":{quote(proposal.claim)},"conclusion":{_conclusion(proposal.conclusion)},'
        f'"edges":{_list(edges)},"entities":{_list(proposal.entities)},'
        f'"expires":{quote(proposal.expires_at)},"facts":{_facts(proposal.facts)},'
        f'"immutable":{quote(proposal.immutable)},"kind":"{proposal.kind}",'
        f'"polarity":{quote(proposal.polarity)},"scope":{_scope(proposal.scope)},'
        f'"source":{quote(proposal.source_id)},"type":"{proposal.source_type}",'
        f'"valid":{_interval(proposal.valid)},"verbatim":{_flag(proposal.verbatim)}}}'
    )


def provenance(proposal: Proposal, told: Provenance, place: Place) -> bytes:
    """Where a cell comes from, with all that the file says about itself."""
    spans = ",".join([f"[{span.start},{span.end}]" for span in proposal.evidence])
    unresolved = [[str(e.kind), e.target] for e in proposal.edges]
    return utf8(
        f'{{{_cases(proposal)}"confidence":{quote(proposal.confidence)},"evidence":[{spans}],'
        f'"foreign":{foreign(proposal.foreign)},"immutable":{quote(proposal.immutable)},'
        f'"member":{quote(place.member)},{_pointer(proposal)}'
        f'"polarity":{quote(proposal.polarity)},'
        f'"remarks":{_list([str(code) for code in proposal.remarks])},'
        f'"review_id":{quote(proposal.review_id)},"source_id":{quote(told.source_id)},'
        f'"source_type":"{told.source_type}","tenant_id":{quote(told.tenant_id)},'
        f'"unresolved_edges":{_list(unresolved)},"validation_state":"{told.validation_state}",'
        f'"writer_identity":{quote(told.writer_identity)},"written_at":{quote(told.written_at)}}}'
    )


def scope(proposal: Proposal) -> bytes:
    """Where a claim applies and whom it names."""
    return utf8(f'{{"entities":{_list(proposal.entities)},"scope":{_scope(proposal.scope)}}}')


def facts(proposal: Proposal) -> bytes:
    """The facts read from a claim, with their normal forms and who read them."""
    return utf8(f"[{_read_facts(proposal.facts)}]")


def conclusion(proposal: Proposal) -> bytes:
    """The conclusion, with the facts it rests on, as ``facts`` spells them."""
    told = proposal.conclusion
    if told is None:
        return b"null"
    return utf8(
        f'{{"support":[{_read_facts(told.support)}],"task":{quote(told.task)},'
        f'"text":{quote(told.text)}}}'
    )


def manifest(cell: Cell, parts: Mapping[str, str]) -> bytes:
    """What a person signs; ``parts`` are commitments by role. See ``store.artifact``."""
    proposal, valid = cell.proposal, cell.proposal.valid
    edges = [[str(e.kind), e.target, e.strength, str(e.asserter)] for e in cell.edges]
    pointer = quote(None if proposal.pointer is None else proposal.pointer.content)
    return utf8(
        f'{{"conclusion":{quote(parts.get("conclusion"))},"edges":{_list(edges)},'
        f'"expires_at":{quote(proposal.expires_at)},"facts":{quote(parts.get("facts"))},'
        f'"immutable":{_flag(proposal.immutable is not None)},"item":{quote(cell.item)},'
        f'"kind":"{proposal.kind}","parser":{quote(cell.parser)},"pointer":{pointer},'
        f'"precision":"{valid.precision}","provenance":{quote(parts["provenance"])},'
        f'"rev":{cell.rev},"scope":{quote(parts.get("scope"))},'
        f'"source_type":"{proposal.source_type}","tenant":{quote(cell.provenance.tenant_id)},'
        f'"text":{quote(parts["text"])},"valid_from":{quote(valid.start)},'
        f'"valid_to":{quote(valid.end)},"verbatim":{_flag(proposal.verbatim)}}}'
    )


def foreign(value: object) -> str:
    """A foreign value in the canonical subset: numbers with a fraction and odd keys as strings."""
    kind = type(value)
    if kind is str:
        return quote(value)  # type: ignore[arg-type]  # kind is str
    if kind is dict or isinstance(value, Mapping):
        told = value.items()  # type: ignore[attr-defined]  # a mapping
        return _object({ascii_key(str(key)): foreign(inner) for key, inner in told})
    if isinstance(value, list | tuple):
        return f"[{','.join([foreign(inner) for inner in value])}]"
    if value is None or isinstance(value, bool):
        return "null" if value is None else _flag(value)
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    return quote(str(value))


def ascii_key(key: str) -> str:
    """A key in ASCII: canonical JSON has no others. Other characters become escapes."""
    return key if key.isascii() else key.encode("ascii", "backslashreplace").decode("ascii")


def _object(members: Mapping[str, str]) -> str:
    """Members by name, their values spelled already."""
    return f"{{{','.join([f'{quote(name)}:{members[name]}' for name in sorted(members)])}}}"


def _scope(told: Mapping[str, str]) -> str:
    return _object({ascii_key(name): quote(value) for name, value in told.items()})


def _list(told: Sequence[object]) -> str:
    return spell(told).decode("utf-8") if told else "[]"


def _cases(proposal: Proposal) -> str:
    """The member ``cases`` with its comma; nothing for a record without cases."""
    if not proposal.cases:
        return ""
    told = [
        [one.run, str(one.stance), one.session, one.review_id, one.by, one.recalled]
        for one in proposal.cases
    ]
    return f'"cases":{_list(told)},'


def _pointed(proposal: Proposal) -> str:
    """The digest of the content that a claim names, with its comma."""
    return f'"at":{quote(proposal.pointer.sha256)},' if proposal.pointer else ""


def _pointer(proposal: Proposal) -> str:
    """The member ``pointer`` with its comma; nothing for a record without one."""
    if proposal.pointer is None:
        return ""
    return f'"pointer":[{proposal.pointer.size},{quote(proposal.pointer.sha256)}],'


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _interval(valid: Interval) -> str:
    return f'[{quote(valid.start)},{quote(valid.end)},"{valid.precision}"]'


def _facts(told: Sequence[Fact]) -> str:
    return f"[{','.join([_fact(fact) for fact in told])}]"


def _fact(fact: Fact) -> str:
    return (
        f'{{"parameter":{quote(fact.parameter)},"span":[{fact.span.start},{fact.span.end}],'
        f'"subject":{quote(fact.subject)},"valid":{_interval(fact.valid)},'
        f'"value":{quote(fact.value)}}}'
    )


def _read_facts(told: Sequence[Fact]) -> str:
    return ",".join([_read_fact(fact) for fact in told])


def _read_fact(fact: Fact) -> str:
    return (
        f'{{"cardinality":"{fact.cardinality}","parameter":{quote(fact.parameter)},'
        f'"parameter_key":{quote(fact.parameter_key)},"reader":{quote(fact.reader)},'
        f'"role":"{fact.role}","span":[{fact.span.start},{fact.span.end}],'
        f'"subject":{quote(fact.subject)},"subject_key":{quote(fact.subject_key)},'
        f'"valid":{_interval(fact.valid)},"value":{quote(fact.value)},'
        f'"value_key":{quote(fact.value_key)}}}'
    )


def _conclusion(told: Conclusion | None) -> str:
    if told is None:
        return "null"
    return (
        f'{{"support":{_facts(told.support)},"task":{quote(told.task)},"text":{quote(told.text)}}}'
    )
