-- A string or character literal has an unknown escape sequence.
--
-- A backslash starts an escape sequence, such as `\n`, `\t`, `\"` or `\\`.
--
-- Fix: write a backslash itself as `\\`.

def folder: []u8 = "C:\games"
