"""Secrets are found by shape and checksum, masked whole, and ordinary text is left alone.

Every fake is put together at run time, so that no scanner takes this file for a leak.
"""

import json
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review import secrets
from review.secret.numbers import numbers
from review.secret.rules import Category, SecretKind

ALNUM = string.ascii_letters + string.digits
DASHES = "-" * 5
BEGIN = f"{DASHES}BEGIN RSA PRIVATE {'KEY'}{DASHES}"
END = f"{DASHES}END RSA PRIVATE {'KEY'}{DASHES}"
PEM = f"{BEGIN}\nMII{'a' * 40}\n{'b' * 20}==\n{END}"
CARD = "4111" + "1111" * 3
FULL_WIDTH = str.maketrans(string.digits, "０１２３４５６７８９")
JWT = ".".join(("eyJ" + "hbGciOiJIUzI1NiJ9", "eyJ" + "zdWIiOiIxMjM0In0", "s" * 43))

FAKES = {
    "ghp_" + "A" * 36: SecretKind.GITHUB_TOKEN,
    "gho_" + "b1" * 18: SecretKind.GITHUB_TOKEN,
    "ghs_" + "C" * 60: SecretKind.GITHUB_TOKEN,
    "github_pat_" + "A1b2" * 12: SecretKind.GITHUB_TOKEN,
    "glpat-" + "a1B2" * 5: SecretKind.GITLAB_TOKEN,
    "gldt-" + "a1B2" * 5: SecretKind.GITLAB_TOKEN,
    "xoxb-" + "1" * 12 + "-" + "a1" * 12: SecretKind.SLACK_TOKEN,
    "sk_live_" + "a1" * 12: SecretKind.STRIPE_KEY,
    "rk_test_" + "a1" * 12: SecretKind.STRIPE_KEY,
    "sk-" + "a1B2" * 12: SecretKind.OPENAI_KEY,
    "sk-proj-" + "a1B2_" * 12: SecretKind.OPENAI_KEY,
    "sk-ant-" + "api03-" + "a1B2" * 12: SecretKind.ANTHROPIC_KEY,
    "AIza" + "a1B2_" * 7: SecretKind.GOOGLE_KEY,
    "hf_" + "aB" * 17: SecretKind.HUGGINGFACE_TOKEN,
    "npm_" + "a1" * 18: SecretKind.NPM_TOKEN,
    "pypi-" + "AgEIcHlwaS5vcmc" + "A1" * 40: SecretKind.PYPI_TOKEN,
    "123456789" + ":" + "A1" * 17 + "b": SecretKind.TELEGRAM_TOKEN,
    "AKIA" + "IOSFODNN7EXAMPLE": SecretKind.AWS_ACCESS_KEY_ID,
    "SG." + "a" * 22 + "." + "b" * 43: SecretKind.SENDGRID_KEY,
    "sq0csp-" + "a1" * 21 + "b": SecretKind.SQUARE_SECRET,
    "0a" * 16 + "-us12": SecretKind.MAILCHIMP_KEY,
    "hvs." + "a1B2" * 10: SecretKind.VENDOR_TOKEN,
    JWT: SecretKind.JWT,
    PEM: SecretKind.PRIVATE_KEY,
    CARD: SecretKind.PAYMENT_CARD,
    "5555 5555 5555 4444": SecretKind.PAYMENT_CARD,
    "3782-822463-10005": SecretKind.PAYMENT_CARD,
    "2200" + " 0000" * 2 + " 0004": SecretKind.PAYMENT_CARD,
    "DE89 3704 0044 0532 0130 00": SecretKind.IBAN,
    "GB82WEST12345698765432": SecretKind.IBAN,
    "NO93" + "86011117947": SecretKind.IBAN,
    "112-233-445 95": SecretKind.SNILS,
}

NEGATIVES = [
    "user prefers dark theme",
    "Order 1234567812345678 was sent on 2026-03-01 10:00, tracking 80087654321098.",
    "Call +7 916 123-45-67 or 8 (495) 123-45-67, or +1 415 555 2671.",
    "id 550e8400-e29b-41d4-a716-446655440000, mem0:31f438d4-80f7-4c84-bd02-2a9346e6e897",
    "sha256 " + "9f86d081884c7d65" * 4 + " and md5 " + "d41d8cd98f00b204" * 2,
    "4111 1111 1111 1112 fails Luhn",
    "1111 2222 3333 4444 passes nothing",
    "python 3.11.7, duckdb 2.0.1, build 20260301.123456",
    "2026-03-01T10:00:00+03:00 to 2026-12-31T23:59:59.123456Z",
    "The password is stored in the vault; password policy: rotate every 90 days.",
    "password: required",
    "Пароль: нет, вход по карте. Пароли меняем раз в квартал.",
    "token: the unit of text a model reads; max_tokens=4096",
    "primary key: user_id, secret santa: Irina, ключ: под ковриком",
    "see https://example.org/a/b?x=1 and ssh://host:22/path, mail alex@example.org",
    "Bearer of bad news; bearer authentication is used",
    "task-force-for-the-new-warehouse-in-elektrostal sk-learn-pipeline-for-stock",
    "ИНН 7707083894, СНИЛС 112-233-445 96, IBAN DE89 3704 0044 0532 0130 01",
    "приказ № 44 от 01.03.2026, счёт 40702810900000000001",
    "password: <your password> password=${DB_PASSWORD} password: ********",
    "docker run -u 1000:1000 x; mysql -u root -p shop; mysql -P3306 -h db; curl -u user:pass x",
    "<password>required</password> <ForgotPassword>Reset it</ForgotPassword>",
    "name: password_field\n value: optional; curl -u user:${PASS_1} x",
]


@pytest.mark.parametrize(("fake", "kind"), FAKES.items(), ids=lambda value: str(value)[:12])
def test_a_named_secret_is_found_where_it_stands_and_no_letter_of_it_is_left(fake, kind):
    text = f"Запомни: {fake} — for later."
    (finding,) = secrets.find(text)
    assert (finding.kind, text[finding.start : finding.end]) == (kind, fake)
    masked, findings = secrets.mask(text)
    assert masked == f"Запомни: ⟦secret: {kind}⟧ — for later."
    assert findings == (finding,)


@pytest.mark.parametrize("text", NEGATIVES)
def test_ordinary_text_is_left_alone(text):
    assert secrets.mask(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password=hunter2", "hunter2"),
        ("DB_PASSWORD = 'correct horse battery'", "correct horse battery"),
        ("the password for the staging db: s3cret!", "s3cret!"),
        ("password is Tr0ub4dor", "Tr0ub4dor"),
        ("пароль: qwerty123.", "qwerty123"),
        ("Пароль от почты: Zx9!k", "Zx9!k"),
        ("пароль — qwe123rty", "qwe123rty"),
        ("ПАРОЛЬ=Весна2026", "Весна2026"),
        ("кодовое слово: «синий кит»", "синий кит"),
        ('{"password":"hunter2"}', "hunter2"),
        ("Server=db;Password=abc12;", "abc12"),
        ("postgres://bob:p@ss@db.example/x", "p@ss"),
        ("https://bob:s3cret@example.org", "s3cret"),
        ("Authorization: Bearer abcd1234efgh", "abcd1234efgh"),
        ("api_key = 'abc123def456'", "abc123def456"),
        ("секрет: a1b2c3d4e5", "a1b2c3d4e5"),
        ("aws_secret_access_key = " + "aB3/" * 10, "aB3/" * 10),
        ("ИНН 7707083893", "7707083893"),
        ("ИНН: 500100732259", "500100732259"),
        ("СНИЛС 11223344595", "11223344595"),
        ("CVV: 123", "123"),
        ("<password>Qx7vB93kLm2</password>", "Qx7vB93kLm2"),
        ("<db:Password> Qx7vB93k </db:Password>", "Qx7vB93k"),
        ('["login", "--password", "Qx7vB93k"]', "Qx7vB93k"),
        ("- name: DB_PASSWORD\n  value: Qx7vB93k", "Qx7vB93k"),
        ("curl -s -u admin:Qx7vB93k https://shop.example", "Qx7vB93k"),
        ("mysqldump -u root -pQx7vB93k shop", "Qx7vB93k"),
        ("sshpass -p Qx7vB93k ssh depot", "Qx7vB93k"),
        ("hook https://hooks.slack.com/services/" + "T0A/B0B/" + "x1" * 12, None),
    ],
)
def test_the_value_is_masked_and_the_word_before_it_stays(text, value):
    (finding,) = secrets.find(text)
    if value is not None:
        assert text[finding.start : finding.end] == value
    assert secrets.mask(text)[0].startswith(text[: finding.start])


@pytest.mark.parametrize(
    "hidden",
    [
        CARD.translate(FULL_WIDTH),
        "\u200b".join(CARD),
        "4111\u00ad 1111\u2060 1111\u202f1111",
        "4111\u00a01111\u20131111\u20111111",
        "\ufe0f\u20e3".join(CARD),
        CARD.translate(str.maketrans(string.digits, "٠١٢٣٤٥٦٧٨٩")),
        "ghp_\u200b" + "A" * 18 + "\u200d" + "A" * 18,
        "ｇｈｐ＿" + "A" * 36,
    ],
)
def test_zero_width_and_full_width_characters_hide_nothing(hidden):
    text = f"see {hidden} end"
    (finding,) = secrets.find(text)
    assert text[finding.start : finding.end] == hidden


def test_a_card_number_is_found_next_to_its_date_and_another_card():
    text = "карта 4111 1111 1111 1111 12 27, вторая 5555-5555-5555-4444"
    masked, found = secrets.mask(text)
    assert [one.category for one in found] == [Category.PAYMENT_CARD_DATA] * 2
    assert masked == "карта ⟦secret: payment_card⟧ 12 27, вторая ⟦secret: payment_card⟧"


def test_a_private_key_without_its_end_is_masked_as_far_as_it_looks_like_one():
    masked, _ = secrets.mask(f"key:\n{BEGIN}\nMII{'a' * 61}\n{'b' * 64}\nThe rest, in words.")
    assert masked == "key:\n⟦secret: private_key⟧The rest, in words."


def test_a_forged_mark_does_not_shelter_a_secret():
    assert secrets.find("⟦secret: password⟧ password: hunter2")
    assert secrets.find("⟦secret: hunter2zz99⟧")


def test_messages_about_findings_never_hold_the_value():
    fake = "ghp_" + "A" * 36
    assert fake not in repr(secrets.find(fake))


# --- raw bytes -------------------------------------------------------------------------------


@pytest.mark.parametrize("ascii_only", [True, False])
def test_masked_json_still_parses_and_holds_no_secret(ascii_only):
    record = {
        "память": f"пароль: Весна2026\n{PEM}\nconnect to https://bob:s3cret@h/x",
        "note": 'say "password: hunter2\\" twice',
        "n": 1,
    }
    raw = json.dumps(record, ensure_ascii=ascii_only).replace("/", "\\/").encode()
    masked, findings = secrets.mask_bytes(raw)
    assert len(masked) == len(raw)
    told = json.loads(masked)
    assert set(told) == set(record)
    for secret in ("Весна2026", "MII", "s3cret", "hunter2"):
        assert secret not in str(told)
    assert "connect to" in told["память"]
    for finding in findings:
        assert masked[finding.start : finding.end].strip(b"*") == b""


def test_a_secret_in_bytes_that_are_not_utf8_is_still_masked():
    token = b"ghp_" + b"A" * 36
    raw = "ключ ".encode("cp1251") + token
    masked, (finding,) = secrets.mask_bytes(raw)
    assert masked == raw[:5] + b"*" * 40
    assert raw[finding.start : finding.end] == token


def test_a_secret_in_utf16_is_masked_too():
    raw = ("note ghp_" + "A" * 36 + " end").encode("utf-16")
    masked, findings = secrets.mask_bytes(raw)
    assert len(masked) == len(raw)
    assert findings
    assert b"A\0A" not in masked


def test_offsets_of_bytes_count_bytes():
    raw = ("Ж" * 10 + " ghp_" + "A" * 36).encode()
    _, (finding,) = secrets.mask_bytes(raw)
    assert raw[finding.start : finding.end] == b"ghp_" + b"A" * 36


# --- properties ------------------------------------------------------------------------------

PIECES = [*FAKES, *NEGATIVES, "password: ", "пароль=", "key ", "⟦secret: password⟧", "\\n", "\\/"]
texts = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.text(max_size=12),
        st.text(ALNUM + "-_./+= :", max_size=30),
        st.text(string.digits + " -", max_size=24),
        st.text("абвпарольключ№ .:=—０１２\u200b\xa0", max_size=12),
    ),
    max_size=5,
).map("".join)


@given(texts)
@settings(max_examples=200, deadline=None)
@example("карта 4111\xa01111–1111–1111")
def test_the_prefilter_never_changes_the_result(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets.signs, "suspects", lambda texts: set(range(len(texts))))
        everything = secrets.find(text)
    assert secrets.find(text) == everything


@given(st.lists(texts, max_size=6))
@settings(max_examples=200, deadline=None)
@example(
    ["ends in 4111 1111", "1111 1111", "pass", "word: hunter2", "a\0b", "\\u0070assword: x1y2z3"]
)
def test_many_texts_at_once_are_told_apart_as_one_by_one(many):
    raws = [text.encode("utf-8", "replace") for text in many]
    assert secrets.suspects(many) == {n for n, one in enumerate(many) if secrets.suspects([one])}
    masked = secrets.mask_suspects(raws)
    for n, raw in enumerate(raws):
        assert masked.get(n, (raw, ())) == secrets.mask_bytes(raw)


@given(texts)
@settings(max_examples=200, deadline=None)
@example(f"{CARD}:41324.03166769")
@example("112-233-445 95 11223344595")
@example("AKIA" + "IOSFODNN7EXAMPLE " + "aB3/" * 10)
@example(f"{CARD}ghp_" + "A" * 36)
def test_masking_what_is_masked_changes_nothing(text):
    masked, findings = secrets.mask(text)
    assert secrets.mask(masked) == (masked, ())
    assert bool(findings) == (masked != text)


@given(texts)
@settings(max_examples=200, deadline=None)
def test_findings_are_apart_and_inside_the_text(text):
    at = 0
    for finding in secrets.find(text):
        assert at <= finding.start < finding.end <= len(text)
        at = finding.end


@given(texts)
@settings(max_examples=200, deadline=None)
def test_masked_bytes_have_the_same_length_and_differ_only_inside_findings(text):
    raw = text.encode("utf-8", "surrogatepass")
    masked, findings = secrets.mask_bytes(raw)
    expected = bytearray(raw)
    for finding in findings:
        expected[finding.start : finding.end] = b"*" * (finding.end - finding.start)
    assert masked == bytes(expected)


@given(st.dictionaries(st.sampled_from("abc"), texts, max_size=3), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_masked_json_record_still_parses(record, ascii_only):
    raw = json.dumps(record, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    json.loads(secrets.mask_bytes(raw)[0].decode("utf-8", "surrogatepass"))


@given(st.integers(10**14, 10**15 - 1))
@settings(deadline=None)
def test_a_card_with_one_wrong_digit_is_no_card(stem):
    body = f"4{stem}"[:15]
    total = sum(sum(divmod(2 * int(d), 10)) for d in body[::-2])
    right = -(total + sum(map(int, body[-2::-2]))) % 10
    found = {bool(list(numbers(f"{body}{last}", ""))) for last in range(10) if last != right}
    assert found == {False}
    assert list(numbers(f"{body}{right}", ""))


def test_every_foldable_class_member_is_left_alone_by_folding():
    harmless = {"\xa0", "…", "№", "™"}
    for code in range(0x110000):
        char = chr(code)
        if secrets.is_plain(char) and char not in harmless:
            assert secrets._fold_one(char) == char, hex(code)
