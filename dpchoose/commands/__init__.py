"""The command line, a module for each command and for each thing that it writes."""
