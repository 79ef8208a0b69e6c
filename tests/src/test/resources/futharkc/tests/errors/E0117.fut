-- A top-level definition binds a pattern.
--
-- A definition at top level binds one name.
--
-- Fix: bind a name, and take components of its value.

def (low, high) = (0i32, 9i32)
def main (x: i32): i32 = i32.max low (i32.min high x)
