module type summary = {
  val mean [n]: [n]f64 -> f64
}
