"""What is told and shown of tournaments."""
