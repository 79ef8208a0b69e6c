/** A plugin with one pass: see docs/internals/writing-a-pass.md. */
module org.example.doubling {
  requires futharkc.core.ir;

  provides futharkc.core.ir.spi.Pass with
      org.example.doubling.DoublingPass;
}
