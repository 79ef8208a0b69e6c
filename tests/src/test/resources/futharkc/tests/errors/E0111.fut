-- A record field has no value.
--
-- A field of a record expression is `name = value`, or just the name of a variable. A number alone names no variable.
--
-- Fix: give the field a value, or write a tuple.

def main: (i32, i32) = {0, 1}
