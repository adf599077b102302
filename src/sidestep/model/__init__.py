"""The model: where agents can be, who they are, what is asked and what was found. Read-only arrays."""
