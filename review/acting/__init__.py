"""Actions on the files of a case: people ask here, and the command that has rights on the files carries out."""
