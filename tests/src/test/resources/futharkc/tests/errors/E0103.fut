-- A string literal does not end on its line.
--
-- A string literal starts and ends with `"` on the same line.
--
-- Fix: add the closing quote. Write `\n` for a line break inside of a string.

def main: i64 = length "sum
