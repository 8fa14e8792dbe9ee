"""The Beam pipelines: scan.py examines files, evaluate.py measures rules on verified labels."""
