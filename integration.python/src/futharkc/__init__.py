"""Calls of Futhark programs, compiled by futharkc, on NumPy arrays."""

from futharkc.data import read, write
from futharkc.program import Error, Opaque, Program, load

__all__ = ["Error", "Opaque", "Program", "load", "read", "write"]
