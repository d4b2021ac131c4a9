"""Answers as they were given, asked again, and explained."""
