-- A range is written in a form that does not exist.
--
-- Ranges are `a...b` (with `b`), `a..<b` and `a..>b` (without `b`), each optionally with a second element: `a..b...c`.
--
-- Fix: use one of these forms.

def main (n: i64): []i64 = 0..n
