"""What is known of the records: the data of the chapters, a CSV column, the queries."""
