"""What later scans leave out because somebody said so, with a reason and an end."""
