"""The kit that the chapters are made with."""
