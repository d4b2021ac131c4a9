"""Facts, conclusions and validity intervals of our own JSONL, each checked where it stands.

A fact must point at the characters of the claim that hold its value. A fact that does not is
refused with its whole record, because a fact nobody can find in the text is an invention.
"""

from __future__ import annotations

from importers import fields, times
from importers.faults import RecordFaultError
from store.cells import Conclusion, Fact, Interval, Precision, Span
from store.records import FailReason


def interval(value: object, name: str) -> tuple[Interval, bool]:
    """``{"start", "end", "precision"}`` as an interval, and whether a time zone was assumed.

    Args:
        value: The object, or ``None`` for an open interval.
        name: What to call the field in a fault.

    Raises:
        RecordFaultError: ``TIME_INVALID`` for a bound that is no time; ``FIELD_INVALID`` for an
            end before its start, an unknown precision or another shape.
    """
    if value is None:
        return Interval(), False
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    start, end = _bound(value.get("start"), name), _bound(value.get("end"), name)
    given = [one for one in (start, end) if one]
    if start and end and times.earliest(end.text) < times.earliest(start.text):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    found = Interval(
        start=start.text if start else None,
        end=end.text if end else None,
        precision=_precision(value.get("precision"), given, name),
    )
    return found, any(one.tz_assumed for one in given)


def _bound(value: object, name: str) -> times.Bound | None:
    if value is None:
        return None
    found = times.bound(value)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name=name)
    return found


def _precision(value: object, given: list[times.Bound], name: str) -> Precision:
    """As stated, or the coarsest of the bounds' own when nothing is stated."""
    if value is None:
        order = (Precision.YEAR, Precision.MONTH, Precision.DAY, Precision.INSTANT)
        return min((one.precision for one in given), key=order.index, default=Precision.UNKNOWN)
    try:
        return Precision(str(value))
    except ValueError:
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name) from None


def end_of_life(value: object) -> str | None:
    """``expires_at``: an instant or a plain date.

    Raises:
        RecordFaultError: ``TIME_INVALID`` for anything else.
    """
    found = _bound(value, "expires_at")
    return found.text if found else None


def facts(value: object, claim: str, name: str) -> tuple[Fact, ...]:
    """A list of ``{subject, parameter, value, start, end, valid}`` as facts of ``claim``.

    ``start`` and ``end`` count characters of the claim, half-open.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` for a wrong shape, or a span without the value in it.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return tuple(_fact(one, claim, name) for one in value)


def _fact(value: object, claim: str, name: str) -> Fact:
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    subject, parameter, said = (
        fields.text(value, key, called=name) for key in ("subject", "parameter", "value")
    )
    start, end = value.get("start"), value.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(claim):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    if not subject or not parameter or not said or said not in claim[start:end]:
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    valid, _ = interval(value.get("valid"), name)
    return Fact(
        subject=subject, parameter=parameter, value=said, span=Span(start, end), valid=valid
    )


def conclusion(value: object, claim: str) -> Conclusion | None:
    """``{text, task, support}`` as a conclusion resting on facts of the same claim.

    Raises:
        RecordFaultError: ``FIELD_INVALID``, named ``conclusion``.
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="conclusion")
    text = fields.text(value, "text", called="conclusion")
    task = fields.text(value, "task", called="conclusion")
    if not text or not task:
        raise RecordFaultError(FailReason.FIELD_INVALID, name="conclusion")
    support = facts(value.get("support"), claim, "conclusion")
    return Conclusion(text=text, task=task, support=support)
