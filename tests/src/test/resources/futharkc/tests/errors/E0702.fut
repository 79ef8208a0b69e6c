-- A module does not match its module type.
--
-- The module lacks a name of the module type, or defines it with another type.
--
-- Fix: add or correct the definition.

module type monoid = {
  type t
  val zero: t
  val add: t -> t -> t
}
module sum: monoid = {
  type t = i32
  def add (x: i32) (y: i32): i32 = x + y
}
