"""LangGraph, read."""
