-- An entry point is declared in a module.
--
-- Entry points are declared at top level.
--
-- Fix: define a function in the module, and an entry point that calls it.

module m = {
  entry double (x: i32): i32 = 2 * x
}
