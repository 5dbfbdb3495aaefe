"""What people can say, and what each command does."""
