"""Labelled texts of many kinds -> the model of names; needs the packages of the group `train`."""
