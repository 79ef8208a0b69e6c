-- A type of a module type cannot be refined.
--
-- `with t = ..` gives a definition to an abstract type `t` of the module type. The type already has a definition, or has other parameters.
--
-- Fix: refine an abstract type, with the same parameters.

module type number = {
  type t = i32
  val zero: t
}
module type double = number with t = f64
