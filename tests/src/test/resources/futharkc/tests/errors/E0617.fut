-- A top-level constant has a unique type.
--
-- A constant exists for all calls, so that no call may consume it.
--
-- Fix: remove the `*`.

def table: *[3]i32 = [1, 2, 3]
