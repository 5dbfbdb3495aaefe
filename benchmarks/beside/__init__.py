"""One thing beside another, in one run: this checkout beside an older one, the compiled engine beside the pure one."""
