/** The parallelise pass. */
module futharkc.pass.parallelise {
  requires futharkc.core.ir;
  requires static org.jspecify;
}
