"""People among each other: roles, what hosts allow, blocking, reports, an arbiter's acts, and what is kept of one."""
