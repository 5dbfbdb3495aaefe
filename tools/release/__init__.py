"""What is looked at before a release: known weaknesses, licences, the wheel, and what runs when only that is there."""
