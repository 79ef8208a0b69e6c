module type base = {
  type t
  val zero: t
}
module type number = {
  include base
  val one: t
}
