"""What is drawn of rules: candidates, the dialogue over a text, and what left."""
