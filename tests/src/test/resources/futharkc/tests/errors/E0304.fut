-- A name that begins with an underscore is used.
--
-- An underscore at the beginning says that a value is not used.
--
-- Fix: remove the underscore where the name is bound and where it is used.

def main (_x: i32): i32 = _x + 1
