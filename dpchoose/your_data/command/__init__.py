"""The command line: its options, what it prints, and the files that it writes."""
