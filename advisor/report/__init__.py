"""Faces of results: screens for people, data for programs. Nothing here computes advice."""
