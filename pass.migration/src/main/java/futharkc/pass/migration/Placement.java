package futharkc.pass.migration;

/** Where a scalar is computed, and who knows its value. */
enum Placement {
  /** The host computes the scalar. */
  HOST,
  /** The device computes the scalar, and the host never knows its value. */
  DEVICE,
  /** The device computes the scalar, or has the element, and the host reads it. */
  READ
}
