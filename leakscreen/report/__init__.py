"""The results of a scan -> one self-contained HTML page for people."""
