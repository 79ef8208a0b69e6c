/** The memory pass. */
module futharkc.pass.memory {
  requires futharkc.core.ir;
  requires static org.jspecify;
}
