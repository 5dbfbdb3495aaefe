"""How a line or a form can be completed; never a hint at what is tenable where calls decide."""
