/** The fusion pass. */
module futharkc.pass.fusion {
  requires futharkc.core.ir;
  requires static org.jspecify;
}
