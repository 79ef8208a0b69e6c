module type number = {
  type t
  val zero: t
}
module type double = number with t = f64
