"""Small made-up entries in the shape of the public files, in English and Russian."""

from __future__ import annotations

import json
from pathlib import Path


def write(folder: Path, **files: object) -> Path:
    """Each value as ``<name>.json`` in ``folder``."""
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return folder


def situated(question: str, new: tuple[str, int], old: tuple[str, int]) -> dict:
    def start(year: int) -> dict:
        return {"year": year, "month": None, "date": None}

    return {
        "question": question,
        "is_dependent": True,
        "cur_answers": [new[0]],
        "timelines": [
            {
                "cur_answers_full": new[0],
                "cur_start": start(new[1]),
                "cur_start_full": str(new[1]),
                "prev_answers_full": old[0],
                "prev_start": start(old[1]),
                "prev_start_full": str(old[1]),
            }
        ],
    }


def static(question: str, answer: str) -> dict:
    return {
        "question": question,
        "is_dependent": False,
        "cur_answers": [answer],
        "timelines": None,
    }


def edited() -> dict:
    """A chain of two facts whose first one is edited."""
    return {
        "questions": ["Какой город — столица родины Анны?", "Where is the capital of her land?"],
        "answer": "Осло",
        "new_answer": "Рим",
        "requested_rewrite": [
            {
                "prompt": "Гражданство {}:",
                "relation_id": "P27",
                "subject": "Анна",
                "target_new": {"str": "Италия", "id": "Q38"},
                "target_true": {"str": "Норвегия", "id": "Q20"},
            }
        ],
        "single_hops": [
            {"question": "Чья она?", "cloze": "Гражданство Анна:", "answer": "Норвегия"},
            {"question": "Capital?", "cloze": "The capital of Норвегия is", "answer": "Осло"},
        ],
        "new_single_hops": [
            {"question": "Чья она?", "cloze": "Гражданство Анна:", "answer": "Италия"},
            {"question": "Capital?", "cloze": "The capital of Италия is", "answer": "Рим"},
        ],
        "orig": {
            "triples": [["Q1", "P27", "Q20"], ["Q20", "P36", "Q585"]],
            "triples_labeled": [
                ["Анна", "citizenship", "Норвегия"],
                ["Норвегия", "capital", "Осло"],
            ],
            "new_triples": [["Q1", "P27", "Q38"], ["Q38", "P36", "Q220"]],
            "new_triples_labeled": [
                ["Анна", "citizenship", "Италия"],
                ["Италия", "capital", "Рим"],
            ],
            "edit_triples": [["Q1", "P27", "Q38"]],
        },
    }


def causal(first: int, second: int, question: str, answer: str, model: int = 1) -> dict:
    return {
        "given_info": (
            f"For people without tea, the probability of sleep is {first}%. "
            f"For people with tea, the probability of sleep is {second}%."
        ),
        "question": question,
        "answer": answer,
        "meta": {
            "story_id": "tea",
            "model_id": model,
            "query_type": "ate",
            "given_info": {"p(Y | X)": [first / 100, second / 100]},
        },
        "reasoning": {"step0": "Let X = tea; Y = sleep."},
    }


def update(*told: tuple[str, str], intent: str | None, question: str = "Where do I live?") -> dict:
    return {
        "question": question,
        "question_date": "2024/05/01 (Wed) 10:00",
        "intent": intent,
        "evidence_sessions": [
            {"date": date, "turns": [{"role": "user", "content": text}]} for date, text in told
        ],
    }


def talk() -> dict:
    return {
        "conversation": {
            "speaker_a": "Ann",
            "session_2_date_time": "9:05 am on 3 May, 2024",
            "session_2": [
                {"speaker": "Ann", "dia_id": "D2:1", "text": "My sister Vera lives in Omsk now."}
            ],
            "session_1_date_time": "12:10 am on 1 May, 2024",
            "session_1": [
                {
                    "speaker": "Вера",
                    "dia_id": "D1:1",
                    "text": "Смотри!",
                    "blip_caption": "a boat on a lake",
                }
            ],
        },
        "qa": [
            {"question": "Where does Vera live?", "evidence": ["D2:1"], "category": 4},
            {"question": "What did Vera show?", "evidence": ["D1:1; D2:1", "D1:1"], "category": 1},
            {"question": "Nothing?", "evidence": ["D"], "category": 4},
            {"question": "Which?", "evidence": ["D2:1"], "category": 5},
        ],
    }


def timeline() -> dict:
    def write_of(key: str, value: str, supersedes: str | None = None) -> dict:
        return {"id": "W", "key": key, "value": value, "supersedes": supersedes, "source": None}

    return {
        "track": "supersession",
        "initial_state": {
            "persistent_facts": [
                {"id": "F-1", "key": "hall", "value": "Hall A", "ts": "2025-01-01T09:00:00"}
            ],
            "working_set": [{"content": "Draft of the plan", "ts": "2025-01-01T09:01:00"}],
        },
        "events": [
            {
                "ts": "2025-01-02T09:00:00",
                "type": "supersession",
                "writes": [write_of("hall_v2", "Hall B", "hall")],
            },
            {
                "ts": "2025-01-03T09:00:00",
                "type": "query",
                "prompt": "Which hall do we use?",
                "ground_truth": {
                    "must_mention": ["hall b", "Hall Z"],
                    "must_not_mention": ["Hall A"],
                },
            },
        ],
    }
