package futharkc.pass.migration;

/** The side that computes a scalar, and the sides that have its value. */
enum Placement {
  /** The host computes the scalar. */
  HOST,
  /** The device computes the scalar, and the host never knows its value. */
  DEVICE,
  /** The device computes the scalar, or has the element, and the host reads it. */
  READ
}
