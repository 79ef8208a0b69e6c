-- The result of a function aliases a top-level constant.
--
-- The constant is shared by all calls, so that its memory cannot be given to a caller.
--
-- Fix: return a copy.

def table: [3]i32 = [1, 2, 3]

def values (_: i32): [3]i32 = table
