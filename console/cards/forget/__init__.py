"""Parts of the page Forget: scope, preview, run, report."""
