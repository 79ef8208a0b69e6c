-- Only a module can be opened locally.
--
-- `m.(e)` evaluates `e` with the names of the module `m`. The part before the dot is another expression here.
--
-- Fix: name a module before the dot.

def main (x: f32): f32 = (x + 1).(sqrt x)
