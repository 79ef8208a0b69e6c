module complex = {
  def (+) (x: f64) (y: f64): f64 = x f64.+ y
}
