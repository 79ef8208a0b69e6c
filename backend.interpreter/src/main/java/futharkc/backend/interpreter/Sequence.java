package futharkc.backend.interpreter;

import futharkc.core.ir.Stm;
import futharkc.core.runtime.FutharkError;
import java.util.List;

/** A sequence of statements. An error names the statement that caused it. */
final class Sequence implements Instruction {
  private final Instruction[] codes;
  private final List<Stm> stms;

  /** Creates a sequence from statements and their compiled code. */
  Sequence(Instruction[] codes, List<Stm> stms) {
    this.codes = codes;
    this.stms = stms;
  }

  int length() {
    return codes.length;
  }

  Instruction code(int i) {
    return codes[i];
  }

  Stm stm(int i) {
    return stms.get(i);
  }

  @Override
  public void run(CallFrame f) {
    int i = 0;
    try {
      for (; i < codes.length; i++) {
        codes[i].run(f);
      }
    } catch (FutharkError e) {
      throw e;
    } catch (Fault e) {
      throw e.in(stms.get(i));
    } catch (ArrayIndexOutOfBoundsException
        | ClassCastException
        | NullPointerException
        | ArithmeticException e) {
      throw new Fault(String.valueOf(e), e).in(stms.get(i));
    }
  }
}
