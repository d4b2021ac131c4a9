"""The policy is read strictly, judged in a fixed order, and never quotes what it refuses."""

from dataclasses import replace
from hashlib import sha256
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.policy import (
    Lane,
    Policy,
    PolicyError,
    Refusal,
    RuleName,
    RuleThresholds,
    WriteMode,
    digest,
    judge,
    preference_is_supported,
    read_policy,
)
from review.text.foreign_text import has_signal
from store.cells import Conclusion, Fact, Kind, Proposal, SourceType, Span

SHIPPED = resources.files("review").joinpath("default_policy.yaml").read_bytes()
POLICY = read_policy(SHIPPED)
PLAIN = Proposal(
    claim="The warehouse is in Elektrostal.",
    kind=Kind.FACT,
    source_type=SourceType.DOCUMENT,
    source_id="mem0:1",
    written_at="2026-03-01T10:00:00Z",
    evidence=(Span(0, 10),),
)
TOKEN = "ghp_" + "A" * 36
MINIMAL = b"""memory:
  allowed_kinds: [fact]
  deny_sources: []
  require_tenant_id: false
  reject_if_contains: []
  write_mode: {}
"""


def problems_of(text):
    with pytest.raises(PolicyError) as refused:
        read_policy(text)
    return refused.value.problems


def verdict(**changes):
    return judge(replace(PLAIN, **changes), tenant_id="acme", policy=POLICY)


# --- the file ----------------------------------------------------------------------------------


def test_the_shipped_policy_is_the_seeds_with_four_kinds_added():
    assert {
        Kind.PROFILE_PREFERENCE, Kind.VALIDATED_FACT, Kind.SESSION_SUMMARY,
        Kind.FACT, Kind.EVENT, Kind.DECISION, Kind.INSIGHT,
    } == POLICY.allowed_kinds  # fmt: skip
    assert {
        SourceType.RAW_USER_PROMPT, SourceType.EXTERNAL_HTML, SourceType.UNVALIDATED_TOOL_OUTPUT
    } == POLICY.deny_sources  # fmt: skip
    assert POLICY.require_tenant_id
    assert len(POLICY.reject_if_contains) == 3
    assert POLICY.write_mode[Kind.PROFILE_PREFERENCE] is WriteMode.BACKGROUND_REVIEW
    assert POLICY.write_mode[Kind.VALIDATED_FACT] is WriteMode.IMMEDIATE_IF_TRUSTED
    assert POLICY.write_mode[Kind.SESSION_SUMMARY] is WriteMode.BACKGROUND_ONLY
    assert (POLICY.theta, POLICY.relevance_floor) == (0.55, 0.15)
    assert POLICY.rule_thresholds == RuleThresholds(0.90, 5, 2, 14)


def test_what_a_policy_leaves_out_has_the_documented_default():
    policy = read_policy(MINIMAL)
    assert policy == Policy(frozenset({Kind.FACT}), frozenset(), False, frozenset(), {})
    assert policy.theta_for(Kind.FACT) == 0.55
    assert policy.lane_hint(Kind.FACT).lane is Lane.NEEDS_EYES


def test_a_policy_in_force_cannot_be_changed_in_place():
    with pytest.raises(TypeError):
        POLICY.write_mode[Kind.FACT] = WriteMode.BACKGROUND_ONLY


def test_a_kind_may_have_its_own_threshold_and_a_parameter_its_owner():
    gate = b"  gate:\n    theta_by_kind: {fact: 0.6}\n  owners: {fee: owner_order}\n"
    policy = read_policy(MINIMAL + gate)
    assert (policy.theta_for(Kind.FACT), policy.theta_for(Kind.EVENT)) == (0.6, 0.55)
    assert policy.owners == {"fee": SourceType.OWNER_ORDER}


def test_the_digest_is_that_of_the_exact_bytes():
    assert digest(SHIPPED) == sha256(SHIPPED).hexdigest()
    assert digest(SHIPPED + b"\n") != digest(SHIPPED)


def test_every_problem_is_told_at_once_with_its_line():
    text = (
        SHIPPED.replace(b"- fact\n", b"- fakt\n")
        .replace(b"theta: 0.55", b"theta: 0.9")
        .replace(b"votes: 5", b"voites: 5")
        .replace(b"require_tenant_id: true", b'require_tenant_id: "true"')
    ) + b"memory: {}\nextra: 1\n"
    with pytest.raises(PolicyError) as refused:
        read_policy(text)
    told = str(refused.value)
    assert told.startswith("policy.yaml: 7 problems.\n  line ")
    assert "The policy in force is unchanged. Correct the lines above" in told
    for part in ("'fakt'", "theta must be", "'voites'", "require_tenant_id must be true or false",
                 "memory is here twice", "'extra'", "write_mode names fact"):  # fmt: skip
        assert part in told


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (b"", "must be a mapping"),
        (b"memory: 3", "must be a mapping"),
        (b"- a\n- b", "must be a mapping"),
        (b"memory: {allowed_kinds: [fact", "not valid YAML"),
        (b"memory: \xff", "not UTF-8; byte 9"),
        (b"memory: \x00", "not valid YAML"),
        (b"{" * 9_000, "nested too deeply"),
        (b"- " * 9_000, "nested too deeply"),
        (b"#" * 70_000, "longer than 32,768 bytes"),
        (b"memory: !!python/object/apply:os.system [ls]", "must be a mapping"),
        (b"a: 1\n---\nb: 2", "not valid YAML"),
        (b"memory: {}", "allowed_kinds is missing from memory"),
        (b"x: 1", "memory is missing from policy.yaml"),
        (MINIMAL.replace(b"[fact]", b"[fact, fact]"), "allowed_kinds lists fact twice"),
        (MINIMAL.replace(b"[fact]", b"fact"), "allowed_kinds must be a list"),
        (MINIMAL.replace(b"[fact]", b"[[fact]]"), "a word is expected here"),
        (MINIMAL.replace(b"{}", b"{fact: whenever}"), "write_mode.fact: unknown word 'whenever'"),
        (MINIMAL.replace(b"{}", b"{event: background_only}"), "allowed_kinds does not list"),
        (MINIMAL + b"  relevance_floor: 0.2", "unknown key 'relevance_floor' in memory"),
        (MINIMAL + b"  gate: {theta: .nan}", "theta must be a number"),
        (MINIMAL + b"  gate: {theta: '0.6'}", "theta must be a number"),
        (MINIMAL + b"  gate: {theta: true}", "theta must be a number"),
        (MINIMAL + b"  rule_thresholds: {votes: 0}", "votes must be a whole number"),
        (MINIMAL + b"  rule_thresholds: {votes: 2.5}", "votes must be a whole number"),
        (MINIMAL + b"  rule_thresholds: {days: 0x0F}", "days must be a whole number"),
        (MINIMAL + b"  owners: {fee: somebody}", "owners.fee: unknown word 'somebody'"),
        (MINIMAL + b"  ? [a]\n  : 1", "is not a plain word"),
    ],
)
def test_a_wrong_file_is_refused_with_a_clear_sentence(text, part):
    assert any(part in problem for problem in problems_of(text)), problems_of(text)


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_policy_or_a_policy_error(text):
    with pytest.raises(PolicyError):
        read_policy(text)


@given(st.data())
def test_a_policy_with_a_broken_line_is_never_half_taken(data):
    lines = MINIMAL.splitlines(keepends=True)
    at = data.draw(st.integers(1, len(lines) - 1))
    assert problems_of(b"".join(lines[:at] + lines[at + 1 :]))


# --- judging -----------------------------------------------------------------------------------


def test_an_ordinary_record_is_not_refused():
    assert verdict() is None


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"kind": Kind.PROCEDURE}, Refusal(RuleName.KIND_NOT_ALLOWED, "kind", "procedure")),
        (
            {"source_type": SourceType.RAW_USER_PROMPT},
            Refusal(RuleName.SOURCE_DENIED, "source_type", "raw_user_prompt"),
        ),
        ({"written_at": None}, Refusal(RuleName.PROVENANCE_MISSING, "written_at")),
        ({"written_at": " "}, Refusal(RuleName.PROVENANCE_MISSING, "written_at")),
        ({"source_id": ""}, Refusal(RuleName.PROVENANCE_MISSING, "source_id")),
        (
            {"claim": "пароль: Весна2026"},
            Refusal(RuleName.CONTAINS_SECRETS, "claim", "password"),
        ),
        ({"claim": TOKEN}, Refusal(RuleName.CONTAINS_ACCESS_TOKENS, "claim", "github_token")),
        (
            {"claim": "карта 4111 1111 1111 1111"},
            Refusal(RuleName.CONTAINS_PAYMENT_CARD_DATA, "claim", "payment_card"),
        ),
    ],
)
def test_each_rule_refuses_and_names_itself_and_the_field(changes, refusal):
    assert verdict(**changes) == refusal


@pytest.mark.parametrize("tenant", ["", " "])
def test_a_record_without_a_tenant_is_refused(tenant):
    refusal = judge(PLAIN, tenant_id=tenant, policy=POLICY)
    assert refusal == Refusal(RuleName.TENANT_MISSING, "tenant_id")


def test_a_policy_may_allow_records_without_a_tenant():
    assert judge(PLAIN, tenant_id="", policy=replace(POLICY, require_tenant_id=False)) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("facts", (Fact("db", "password", "hunter2", Span(0, 1)),)),
        ("conclusion", Conclusion("use it", TOKEN)),
        ("entities", ("Irina", TOKEN)),
        ("scope", {"user": TOKEN}),
        ("foreign", {"meta": [{"api_key": "abc123def456"}]}),
        ("source_id", f"x:{TOKEN}"),
    ],
)
def test_a_secret_in_any_field_refuses_the_record(field, value):
    refusal = verdict(**{field: value})
    assert refusal is not None
    assert refusal.field == field
    assert TOKEN not in repr(refusal)


def test_a_refusal_holds_no_foreign_text():
    assert "Весна" not in repr(verdict(claim="пароль: Весна2026"))


def test_what_the_policy_does_not_name_is_not_refused():
    policy = replace(POLICY, reject_if_contains=frozenset())
    assert judge(replace(PLAIN, claim=TOKEN), tenant_id="acme", policy=policy) is None


def test_every_category_of_secret_has_a_rule():
    for category in POLICY.reject_if_contains:
        assert RuleName(f"contains_{category}")


def test_a_write_mode_sets_lane_and_order_and_nothing_else():
    hints = [POLICY.lane_hint(kind) for kind in (
        Kind.PROFILE_PREFERENCE, Kind.VALIDATED_FACT, Kind.SESSION_SUMMARY
    )]  # fmt: skip
    assert [hint.lane for hint in hints] == [Lane.NEEDS_EYES, Lane.ROUTINE, Lane.ROUTINE]
    assert [hint.order for hint in hints] == [0, 1, 2]


# --- preferences -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea", "I'd rather walk", "i really like jazz", "I don’t like phone calls",
        "Please always answer in Russian", "my favourite colour is blue", "never call me at night",
        "Я предпочитаю чай", "мне нравится джаз", "Мне не нравится тёмная тема", "не люблю звонки",
        "Пожалуйста, всегда отвечай по-русски", "пиши мне кратко", "мне удобнее утром",
    ],
)  # fmt: skip
def test_the_speakers_own_words_are_a_signal(text):
    assert has_signal(text)


@pytest.mark.parametrize(
    "text",
    [
        "User prefers dark theme", "Alex likes jazz", "The likely order", "always escalate",
        "Пользователь предпочитает чай", "Ему нравится джаз", "Склад в Коледино", "",
    ],
)  # fmt: skip
def test_a_report_about_somebody_is_no_signal(text):
    assert not has_signal(text)


@pytest.mark.parametrize(
    ("changes", "evidence", "supported"),
    [
        ({"claim": "I prefer tea"}, None, True),
        ({"claim": "I prefer tea", "evidence": ()}, None, False),
        ({"claim": "User prefers tea"}, "I like tea", True),
        ({"claim": "I prefer tea"}, "User: hello", False),
        ({"claim": "User prefers tea", "confidence": "0.90"}, None, True),
        ({"claim": "User prefers tea", "confidence": "0.89"}, None, False),
        ({"claim": "User prefers tea", "confidence": "95"}, None, False),
        ({"claim": "User prefers tea", "confidence": "nan"}, None, False),
        ({"claim": "User prefers tea", "confidence": "very"}, None, False),
        ({"claim": "User prefers tea", "kind": Kind.FACT}, None, True),
    ],
)
def test_a_preference_needs_own_words_in_its_evidence_or_the_confidence_floor(
    changes, evidence, supported
):
    record = replace(PLAIN, **{"kind": Kind.PROFILE_PREFERENCE, **changes})
    assert preference_is_supported(record, POLICY, evidence) is supported
