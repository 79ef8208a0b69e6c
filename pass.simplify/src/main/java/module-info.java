/** The simplify pass. */
module futharkc.pass.simplify {
  requires futharkc.core.ir;
  requires static org.jspecify;
}
