/** The inlining pass. */
module futharkc.pass.inlining {
  requires futharkc.core.ir;
  requires static org.jspecify;
}
