-- A parametric module is used like a plain module.
--
-- A parametric module must be applied to an argument before its contents can be used.
--
-- Fix: apply the module.

module counter (p: {val step: i32}) = {
  def next (x: i32): i32 = x + p.step
}
def main (x: i32): i32 = counter.next x
