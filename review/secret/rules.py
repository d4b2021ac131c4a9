"""What a secret looks like: named shapes and checksums, never entropy.

Every rule names the substrings (``anchors``) without which it cannot match, so that a text holding
none of them costs a few microseconds. Patterns run on the folded text of ``review.secrets``, where
digits are ASCII and zero-width characters are gone.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from review.secret import shapes


class SecretKind(StrEnum):
    """Which sort of secret was found. Ordered: where two overlap, the earlier one names it."""

    PRIVATE_KEY = "private_key"
    ANTHROPIC_KEY = "anthropic_key"
    OPENAI_KEY = "openai_key"
    GITHUB_TOKEN = "github_token"
    GITLAB_TOKEN = "gitlab_token"
    SLACK_TOKEN = "slack_token"
    STRIPE_KEY = "stripe_key"
    GOOGLE_KEY = "google_key"
    HUGGINGFACE_TOKEN = "huggingface_token"
    NPM_TOKEN = "npm_token"
    PYPI_TOKEN = "pypi_token"
    TELEGRAM_TOKEN = "telegram_token"
    AWS_ACCESS_KEY_ID = "aws_access_key_id"
    AWS_SECRET_KEY = "aws_secret_key"
    AZURE_STORAGE_KEY = "azure_storage_key"
    SENDGRID_KEY = "sendgrid_key"
    MAILCHIMP_KEY = "mailchimp_key"
    SQUARE_SECRET = "square_secret"
    VENDOR_TOKEN = "vendor_token"
    JWT = "jwt"
    URL_PASSWORD = "url_password"
    BEARER_TOKEN = "bearer_token"
    PASSWORD = "password"
    ASSIGNED_SECRET = "assigned_secret"
    PAYMENT_CARD = "payment_card"
    CARD_SECURITY_CODE = "card_security_code"
    IBAN = "iban"
    SNILS = "snils"
    INN = "inn"


class Category(StrEnum):
    """What the policy's ``reject_if_contains`` can name."""

    SECRETS = "secrets"
    ACCESS_TOKENS = "access_tokens"
    PAYMENT_CARD_DATA = "payment_card_data"


_CATEGORIES: Final = {
    SecretKind.PRIVATE_KEY: Category.SECRETS,
    SecretKind.URL_PASSWORD: Category.SECRETS,
    SecretKind.PASSWORD: Category.SECRETS,
    SecretKind.SNILS: Category.SECRETS,
    SecretKind.INN: Category.SECRETS,
    SecretKind.PAYMENT_CARD: Category.PAYMENT_CARD_DATA,
    SecretKind.CARD_SECURITY_CODE: Category.PAYMENT_CARD_DATA,
    SecretKind.IBAN: Category.PAYMENT_CARD_DATA,
}


def category_of(kind: SecretKind) -> Category:
    """The policy's word for ``kind``; whatever opens a door by itself is an access token."""
    return _CATEGORIES.get(kind, Category.ACCESS_TOKENS)


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape: the text of ``pattern``'s last group that took part, or all of the match."""

    kind: SecretKind
    anchors: tuple[str, ...]
    """Lower-case substrings, one of which every match contains."""

    pattern: re.Pattern[str]
    accept: Callable[[re.Match[str], str], bool] | None = None
    """A second look at the match and the masked-out value."""

    lowered: bool = False
    """Whether the pattern runs on the lower-cased text."""

    def spans(self, text: str, low: str) -> Iterator[tuple[int, int]]:
        """Half-open ranges of ``text`` that hold the secret itself, not the word before it."""
        for match in self.pattern.finditer(low if self.lowered else text):
            start, end = match.span(match.lastindex or 0)
            if match.end() == end:  # nothing closes the value, so its last dot ends the sentence
                end = start + len(text[start:end].rstrip(".,;:)]}"))
            if end > start and (self.accept is None or self.accept(match, text[start:end])):
                yield start, end


_EDGE: Final = r"(?<![A-Za-z0-9])"
_MARKED: Final = re.compile("⟦secret: (?:" + "|".join(SecretKind) + ")⟧")


def _is_value(match: re.Match[str], value: str) -> bool:
    """Whether what follows ``password:`` is a value and not prose, a blank or our own mark."""
    mark = match.string.rfind("⟦", 0, match.start() + 1)
    if mark >= 0 and (own := _MARKED.match(match.string, mark)) and own.end() > match.start():
        return False
    low = value.lower()
    if low[:1] in "<$⟦" or low.startswith(("{{", "%(")) or not low.strip("*•x.-_…,:;{}[]() "):
        return False
    return shapes.PLACEHOLDERS.fullmatch(low.strip("()[]!?,.")) is None


def _is_strong(match: re.Match[str], value: str) -> bool:
    """A value that can only be a credential: letters and digits mixed, or very long."""
    if not _is_value(match, value) or value.lower().startswith(("http:", "https:")):
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    return (len(value) >= 8 and digits > 0 and letters > 0) or len(value) >= 24


def _is_odd(match: re.Match[str], value: str) -> bool:
    """For "password is X": X has a digit or a symbol inside, as prose has not."""
    return _is_value(match, value) and len(value) >= 5 and not value.replace("-", "").isalpha()


_VALUE: Final = (
    r"""(?:"([^"\n]{1,200})"|'([^'"\n]{1,200})'|`([^`"\n]{1,200})`|«([^»"\n]{1,200})»"""
    r"""|['`«]?([^\s"'`«»][^\s"`«»⟦⟧]{1,400}))"""
)
_FOR: Final = r"(?:\s+(?:for|to|of|on|from|от|для|к|на|в|у)\s[^\n:=;\"]{1,40}?)?"
_SEPARATOR: Final = r"[\"'`»)\]]?\s{0,3}(?::=|=>|[:=])[ \t]{0,5}"


def _rule(kind: SecretKind, anchors: str, pattern: str) -> Rule:
    return Rule(kind, tuple(anchors.split()), re.compile(pattern))


RULES: Final[tuple[Rule, ...]] = (
    _rule(  # the whole block; where its end is missing, as much as still looks like one
        SecretKind.PRIVATE_KEY,
        "-begin",
        r"-{2,9}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,9}"
        r"(?:(?:(?!--BEGIN)[\s\S]){0,40000}?-{2,9}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,9}"
        r"|(?:\s|\\[nrt]|[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,200}"
        r"|[A-Za-z0-9+/=]{1,19}(?=[\r\n\\\"]|\Z))*)",
    ),
    _rule(SecretKind.ANTHROPIC_KEY, "sk-ant-", _EDGE + r"sk-ant-[A-Za-z0-9_-]{20,}"),
    _rule(
        SecretKind.OPENAI_KEY,
        "sk-",
        _EDGE + r"sk-(?:(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,}"
        r"|[A-Za-z0-9]{20,}[A-Za-z0-9_-]*)",
    ),
    _rule(
        SecretKind.GITHUB_TOKEN,
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9_]{30,}|github_pat_[A-Za-z0-9_]{22,}",
    ),
    _rule(SecretKind.GITLAB_TOKEN, "glpat-", r"glpat-[A-Za-z0-9_.-]{20,}"),
    _rule(
        SecretKind.SLACK_TOKEN,
        "xox xapp- hooks.slack.com",
        r"(?i:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9-]{15,}"
        r"|hooks\.slack\.com/services/([A-Za-z0-9_/]{20,})",
    ),
    _rule(
        SecretKind.STRIPE_KEY,
        "k_live_ k_test_ whsec_",
        _EDGE + r"(?:[rsp]k_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
    ),
    _rule(
        SecretKind.GOOGLE_KEY,
        "aiza ya29. gocspx-",
        r"AIza[0-9A-Za-z_-]{35,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,}",
    ),
    _rule(SecretKind.HUGGINGFACE_TOKEN, "hf_", _EDGE + r"hf_[A-Za-z0-9]{30,}"),
    _rule(SecretKind.NPM_TOKEN, "npm_", _EDGE + r"npm_[A-Za-z0-9]{36,}"),
    _rule(SecretKind.PYPI_TOKEN, "pypi-", _EDGE + r"pypi-[A-Za-z0-9_-]{60,}"),
    _rule(SecretKind.TELEGRAM_TOKEN, ":", r"(?<![0-9])[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![\w-])"),
    _rule(
        SecretKind.AWS_ACCESS_KEY_ID,
        "akia asia abia acca a3t",
        _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    Rule(
        SecretKind.AWS_SECRET_KEY,
        ("aws", "access"),
        re.compile(
            r"(?i:aws[^\n]{0,30}?(?:secret|key)|secret[ _-]?access[ _-]?key)"
            r"[^\n]{0,20}?[:=\s\"']([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
        _is_value,
    ),
    _rule(
        SecretKind.VENDOR_TOKEN,
        "dop_v1_ shpat_ dapi hvs. dckr_pat_ lin_api_ ntn_ gsk_ xai- r8_ age-secret-key-1 y0_ aqvn"
        " glsa_ sk",
        _EDGE + r"(?:dop_v1_|shpat_|dapi|hvs\.|dckr_pat_|lin_api_|ntn_|gsk_|xai-|r8_"
        r"|AGE-SECRET-KEY-1|y0_|AQVN|glsa_)[A-Za-z0-9_-]{24,}"
        r"|(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])",
    ),
    _rule(
        SecretKind.JWT, "eyj", _EDGE + r"eyJ[A-Za-z0-9_-]{13,}\.[A-Za-z0-9_-]{4,}(?:\.[\w=-]*)*"
    ),
    Rule(
        SecretKind.URL_PASSWORD,
        ("://",),
        re.compile(r"://[^\s:/@\"'<>]{0,100}:([^\s/\"<>]{1,200})@"),
        _is_value,
    ),
    Rule(
        SecretKind.BEARER_TOKEN,
        ("bearer", "authorization"),
        re.compile(
            r"(?:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)|bearer)\s{1,3}"
            r"([a-z0-9._~+/=-]{8,})"
        ),
        _is_strong,
        lowered=True,
    ),
    Rule(
        SecretKind.PASSWORD,
        ("passw", "pwd", "pass", "парол", "кодов"),
        re.compile(shapes.PASS + _FOR + _SEPARATOR + _VALUE),
        _is_value,
        lowered=True,
    ),
    Rule(
        SecretKind.PASSWORD,
        ("passw", "pwd", "pass", "парол", "кодов"),
        re.compile(shapes.PASS + r"(?:\s{1,3}(?:is|was|это)|\s{0,3}[—–-])?\s{1,3}" + _VALUE),
        _is_odd,
        lowered=True,
    ),
    Rule(  # <password>…</password>, ["--password", "…"], and name: DB_PASSWORD above value: …
        SecretKind.PASSWORD,
        ("passw", "pwd", "passphrase"),
        shapes.NAMED_ASIDE,
        _is_odd,
        lowered=True,
    ),
    Rule(  # what programs take on their command line
        SecretKind.PASSWORD,
        ("curl", "sshpass", "mysql"),
        shapes.ON_A_COMMAND_LINE,
        _is_odd,
        lowered=True,
    ),
    Rule(
        SecretKind.ASSIGNED_SECRET,
        ("key", "token", "secret", "секрет", "токен", "ключ"),
        re.compile(shapes.NAMED + _FOR + _SEPARATOR + _VALUE),
        _is_strong,
        lowered=True,
    ),
    Rule(
        SecretKind.CARD_SECURITY_CODE,
        ("cvv", "cvc"),
        re.compile(r"(?<![a-z0-9])cv[vc]2?(?:\s?code)?[\s:=#-]{1,4}([0-9]{3,4})(?![0-9])"),
        lowered=True,
    ),
)

_PLUGINS: Final = (
    (SecretKind.GITLAB_TOKEN, "gitlab_token", "GitLabTokenDetector", "gl gr1348941"),
    (SecretKind.AZURE_STORAGE_KEY, "azure_storage_key", "AzureStorageKeyDetector", "accountkey="),
    (SecretKind.SENDGRID_KEY, "sendgrid", "SendGridDetector", "sg."),
    (SecretKind.MAILCHIMP_KEY, "mailchimp", "MailchimpDetector", "-us"),
    (SecretKind.SQUARE_SECRET, "square_oauth", "SquareOAuthDetector", "sq0csp-"),
)
_PLUGIN_GATE: Final = re.compile(
    r"gl[a-z]{2,7}-[A-Za-z0-9_-]{20}|GR1348941|AccountKey=|SG\.[\w-]{22}|[0-9a-z]{32}-us|sq0csp-"
)


def plugin_rules(text: str) -> tuple[Rule, ...]:
    """Rules made from detect-secrets, imported only for a text that may need them (0.2 s once)."""
    return _from_plugins() if _PLUGIN_GATE.search(text) else ()


@cache
def _from_plugins() -> tuple[Rule, ...]:
    rules = []
    for kind, module, name, anchors in _PLUGINS:
        detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
        for pattern in detector.denylist:
            # The detector may stop at a fixed length; what is glued to it is part of the secret.
            whole = re.compile(f"((?:{pattern.pattern})[A-Za-z0-9_=-]*+)", pattern.flags)
            rules.append(Rule(kind, tuple(anchors.split()), whole))
    return tuple(rules)
