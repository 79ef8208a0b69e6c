/**
 * The intermediate representation, its algebra and analyses, and the interface that passes and
 * backends implement.
 */
module futharkc.core.ir {
  requires static org.jspecify;
  requires com.github.benmanes.caffeine;

  exports futharkc.core.ir;
  exports futharkc.core.ir.analysis;
  exports futharkc.core.ir.build;
  exports futharkc.core.ir.imperative;
  exports futharkc.core.ir.liveness;
  exports futharkc.core.ir.memory;
  exports futharkc.core.ir.sequential;
  exports futharkc.core.ir.soac;
  exports futharkc.core.ir.spi;
  exports futharkc.core.ir.symbolic;
  exports futharkc.core.ir.text;
  exports futharkc.core.ir.verify;
}
