module type monoid = {
  type t
  val zero: t
  val add: t -> t -> t
}
module sum: monoid = {
  type t = i32
  def zero = 0i32
  def add (x: i32) (y: i32): i32 = x + y
}
