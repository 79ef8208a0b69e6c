package futharkc.core.driver.pipeline;

import futharkc.core.ir.spi.Remark;

/**
 * A remark and the pass that made it.
 *
 * @param pass the pass's name
 */
public record PassRemark(String pass, Remark remark) {
  /**
   * Returns the remark as a line of text, such as {@code sum.fut:3:5-9: fusion: fused map into
   * reduce [main]}.
   */
  @Override
  public String toString() {
    String kind =
        switch (remark.kind()) {
          case APPLIED -> "";
          case MISSED -> "missed: ";
          case NOTE -> "note: ";
        };
    return remark.loc()
        + ": "
        + pass
        + ": "
        + kind
        + remark.message()
        + " ["
        + remark.function()
        + "]";
  }
}
