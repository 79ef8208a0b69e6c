-- The type of a value in a module type has a parameter of unknown size.
--
-- A module type must name the sizes of parameters.
--
-- Fix: add a size parameter to the specification.

module type summary = {
  val mean: []f64 -> f64
}
