-- A type of an included module type shadows another type.
--
-- Two specifications define a type of the same name. The later one hides the earlier one.
--
-- Fix: rename one type, or refine the included module type with `with`.

module type base = {
  type t
  val zero: t
}
module type number = {
  type t
  include base
}
