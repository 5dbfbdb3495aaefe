"""Says which rules a turn breaks; each rule is written once, here."""
