module m = {
  def double (x: i32): i32 = 2 * x
}
entry double (x: i32): i32 = m.double x
