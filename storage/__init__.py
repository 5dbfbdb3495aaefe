"""Where matches, letters, alarms and heard messages are kept, in one transaction each."""
