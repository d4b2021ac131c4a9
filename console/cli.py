"""The command line: ``memory-console``. It names the commands; each lives in ``commands``.

What is not here is the point: no command makes a record durable, and none turns one into a rule.
A test lists the whole surface.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from console.commands import (
    agents,
    asking,
    audit_reporting,
    auditing,
    backing_up,
    bundle_checking,
    databases,
    examining,
    experiencing,
    forget_after,
    forgetting,
    gating,
    importing,
    jobs,
    listing,
    memory_out,
    model_asking,
    model_proposing,
    modelling,
    publishing,
    reviewers,
    rule_exporting,
    ruling,
    serving,
    showing,
    verifying,
)
from console.commands.surface import Command, Group
from console.hardening import harden

EXAMPLES: Final = """
memory-console demo                                try it, nothing is left over
memory-console import crm.jsonl --tenant acme      stage a file for review
memory-console jobs                                how far imports are, and what became of them
memory-console list --lane needs-eyes              what waits for a person
memory-console run                                 the console, where people decide
memory-console ask "where do we ship next week?"   what memory an answer would get, and why
memory-console audit ans-412                       why a fact reached an answer, and whence
memory-console verify                              re-derive everything from raw bytes
"""
_REVIEWER_EXAMPLES: Final = """
memory-console reviewer new --name "Irina K."
memory-console reviewer list
"""
_GATE_EXAMPLES: Final = """
memory-console gate fit verdicts.jsonl
memory-console gate show
"""

_INSIGHT_EXAMPLES: Final = """
memory-console insights build
"""

app = typer.Typer(
    name="memory-console",
    cls=Group,
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    suggest_commands=False,
)
_reviewer = typer.Typer(
    cls=Group,
    epilog=_REVIEWER_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)
_jobs = typer.Typer(
    cls=jobs.JobsGroup,
    epilog=jobs.EXAMPLES,
    invoke_without_command=True,
    callback=jobs.list_,
    rich_markup_mode=None,
    suggest_commands=False,
)
_audit = typer.Typer(
    cls=auditing.AuditGroup,
    epilog=auditing.EXAMPLES,
    invoke_without_command=True,
    callback=auditing.list_,
    rich_markup_mode=None,
    suggest_commands=False,
)
_gate = typer.Typer(
    cls=Group,
    epilog=_GATE_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

_insights = typer.Typer(
    cls=Group,
    epilog=_INSIGHT_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

_agent = typer.Typer(
    cls=Group,
    epilog=agents.EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

_backup = typer.Typer(
    cls=Group,
    epilog=backing_up.EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

_database = typer.Typer(
    cls=Group,
    epilog=databases.MOVE_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

_memory = typer.Typer(
    cls=Group,
    epilog=memory_out.EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)
_rules = typer.Typer(
    cls=Group,
    epilog=ruling.EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

_model = typer.Typer(
    cls=Group,
    epilog=modelling.EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

app.command("demo", cls=Command, epilog=serving.DEMO_EXAMPLES)(serving.demo)
app.command("run", cls=Command, epilog=serving.RUN_EXAMPLES)(serving.run)
app.command("import", cls=Command, epilog=importing.EXAMPLES)(importing.run)
app.add_typer(_jobs, name="jobs")
_jobs.command("show", cls=Command, epilog=jobs.SHOW_EXAMPLES)(jobs.show)
_jobs.command("stop", cls=Command, epilog=jobs.STOP_EXAMPLES)(jobs.stop)
_jobs.command("go-on", cls=Command, epilog=jobs.GO_ON_EXAMPLES)(jobs.go_on)
_jobs.command("drop", cls=Command, epilog=jobs.DROP_EXAMPLES)(jobs.drop)
app.command("list", cls=Command, epilog=listing.EXAMPLES)(listing.run)
app.command("runs", cls=Command, epilog=experiencing.RUNS_EXAMPLES)(experiencing.runs)
app.command("ask", cls=Command, epilog=asking.EXAMPLES)(asking.run)
app.add_typer(_audit, name="audit")
_audit.command("show", cls=Command, epilog=auditing.SHOW_EXAMPLES)(auditing.show)
_audit.command("report", cls=Command, epilog=audit_reporting.EXAMPLES)(audit_reporting.run)
_audit.command("labels", cls=Command, epilog=auditing.LABELS_EXAMPLES)(auditing.labels)
_audit.command("shares", cls=Command, epilog=auditing.SHARES_EXAMPLES)(auditing.shares)
app.command("forget", cls=Command, epilog=forgetting.EXAMPLES)(forgetting.run)
app.command("forget-report", cls=Command, epilog=forget_after.REPORT_EXAMPLES)(forget_after.report)
app.command("forget-verify", cls=Command, epilog=forget_after.VERIFY_EXAMPLES)(forget_after.verify)
app.command("forget-confirm", cls=Command, epilog=forget_after.CONFIRM_EXAMPLES)(
    forget_after.confirm
)
app.command("verify", cls=Command, epilog=verifying.EXAMPLES)(verifying.run)
app.command("show", cls=Command, epilog=showing.EXAMPLES)(showing.run)
app.command("doctor", cls=Command, epilog=examining.EXAMPLES)(examining.run)
app.add_typer(_gate, name="gate", help="A gate learned from labelled verdicts.")
_gate.command("fit", cls=Command, epilog=gating.FIT_EXAMPLES)(gating.fit)
_gate.command("show", cls=Command, epilog=gating.SHOW_EXAMPLES)(gating.show)
app.add_typer(_insights, name="insights", help="What could be learned from runs.")
_insights.command("build", cls=Command, epilog=experiencing.BUILD_EXAMPLES)(experiencing.build)
app.add_typer(_rules, name="rules", help="What could leave memory as a pull request.")
_rules.command("list", cls=Command, epilog=ruling.LIST_EXAMPLES)(ruling.list_)
_rules.command("show", cls=Command, epilog=ruling.SHOW_EXAMPLES)(ruling.show)
_rules.command("why-not", cls=Command, epilog=ruling.WHY_NOT_EXAMPLES)(ruling.why_not)
_rules.command("export", cls=Command, epilog=rule_exporting.EXPORT_EXAMPLES)(rule_exporting.export)
_rules.command("withdraw", cls=Command, epilog=rule_exporting.WITHDRAW_EXAMPLES)(
    rule_exporting.withdraw
)
_rules.command("write", cls=Command, epilog=rule_exporting.WRITE_EXAMPLES)(rule_exporting.write)
app.add_typer(_memory, name="memory", help="What is durable, as a MEMORY.md.")
_memory.command("export", cls=Command, epilog=memory_out.EXPORT_EXAMPLES)(memory_out.export)
_memory.command("protocol", cls=Command, epilog=memory_out.PROTOCOL_EXAMPLES)(memory_out.protocol)
app.command("bundle-check", cls=Command, epilog=bundle_checking.EXAMPLES)(bundle_checking.run)
app.command("publish", cls=Command, epilog=publishing.PUBLISH_EXAMPLES)(publishing.publish)
app.command("ingest", cls=Command, epilog=publishing.INGEST_EXAMPLES)(publishing.ingest)
app.add_typer(_agent, name="agent", help="Doors through which agents stage and recall.")
_agent.command("new", cls=Command, epilog=agents.NEW_EXAMPLES)(agents.new)
_agent.command("list", cls=Command, epilog=agents.LIST_EXAMPLES)(agents.list_)
_agent.command("run", cls=Command, epilog=agents.RUN_EXAMPLES)(agents.run)
app.add_typer(_database, name="database", help="Where a tenant's store is kept.")
_database.command("move", cls=Command, epilog=databases.MOVE_EXAMPLES)(databases.move)
app.add_typer(_backup, name="backup", help="Copies of a store for at most 30 days.")
_backup.command("new", cls=Command, epilog=backing_up.NEW_EXAMPLES)(backing_up.new)
_backup.command("list", cls=Command, epilog=backing_up.LIST_EXAMPLES)(backing_up.list_)
_backup.command("delete", cls=Command, epilog=backing_up.DELETE_EXAMPLES)(backing_up.delete)
app.command("restore", cls=Command, epilog=backing_up.RESTORE_EXAMPLES)(backing_up.restore)
app.add_typer(_model, name="model", help="Proposals of a model. Off unless you switch it on.")
_model.command("status", cls=Command, epilog=modelling.STATUS_EXAMPLES)(modelling.status)
_model.command("set", cls=Command, epilog=modelling.SET_EXAMPLES)(modelling.set_)
_model.command("dry-run", cls=Command, epilog=modelling.DRY_RUN_EXAMPLES)(modelling.dry_run)
_model.command("propose", cls=Command, epilog=model_proposing.EXAMPLES)(model_proposing.propose)
_model.command("ask", cls=Command, epilog=model_asking.EXAMPLES)(model_asking.ask)
_model.command("agreement", cls=Command, epilog=modelling.AGREEMENT_EXAMPLES)(modelling.agreement)
app.add_typer(_reviewer, name="reviewer", help="Who may sign.")
_reviewer.command("new", cls=Command, epilog=reviewers.NEW_EXAMPLES)(reviewers.new)
_reviewer.command("list", cls=Command)(reviewers.list_)
_reviewer.command("add", cls=Command, epilog=reviewers.ADD_EXAMPLES)(reviewers.add)
_reviewer.command("revoke", cls=Command)(reviewers.revoke)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("memory-console"))
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print it and end."),
    ] = False,
) -> None:
    """Decide what an AI agent may remember, see why, and take memories out again.

    Results go to standard output, talk to standard error. Exit codes: 0 ok, 1 error, 2 usage,
    3 not found, 4 done with something left, 5 verify failed, 6 store busy, 7 not pinned,
    8 withdrawn.
    """


def main() -> None:
    """Run the command line."""
    harden()
    app()
