"""Attacks on leakscreen -> how many were tried, and how many were held."""
