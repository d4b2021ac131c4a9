"""Measures Q1 to Q13: what the product keeps and withholds, on data nobody here wrote."""
