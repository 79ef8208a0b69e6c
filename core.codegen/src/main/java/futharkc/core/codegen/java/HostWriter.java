package futharkc.core.codegen.java;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.codegen.kernel.KernelPrinter;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A printer of host statements that concern a device. Blocks are device buffers; launches and
 * copies go into the device's queue.
 */
final class HostWriter {
  private final JavaEmitter program;
  private final DeviceCode device;
  private final JavaExprs exprs;
  private final Writer out;

  HostWriter(JavaEmitter program, DeviceCode device, JavaExprs exprs, Writer out) {
    this.program = program;
    this.device = device;
    this.exprs = exprs;
    this.out = out;
  }

  private static String name(Name n) {
    return Identifiers.name(n);
  }

  /**
   * Writes a statement if it concerns a device.
   *
   * @return true if the statement has been written
   */
  boolean write(Code code, int depth) {
    switch (code) {
      case Code.Declare d -> {
        device.alias(d);
        return false;
      }
      case Code.Alloc a ->
          out.line(
              "Buffer "
                  + name(a.block())
                  + " = p.device.allocate("
                  + String.join(
                      ", ",
                      exprs.expr(a.size()),
                      JavaTypes.string("array " + a.block().base()),
                      JavaTypes.string(a.loc().equals(Loc.NONE) ? "" : a.loc().toString()))
                  + ");");
      case Code.Pin p -> out.line(name(p.block()) + ".pin();");
      case Code.ConstantBlock c -> {
        device.constant(c.block(), program.constant(c.elem(), c.values()));
        // Code that does not treat constant blocks specially uses this variable.
        out.line("Buffer " + name(c.block()) + " = null;");
      }
      case Code.Store s when exprs.isHostCopy(s.block()) ->
          out.line(
              "HostCopies."
                  + s.elem()
                  + "("
                  + String.join(
                      ", ", name(s.block()), exprs.poly(s.index(), false), exprs.expr(s.value()))
                  + ");");
      case Code.CopyRun c when exprs.isHostCopy(c.to()) ->
          out.line(
              "HostCopies.move("
                  + String.join(
                      ", ",
                      name(c.to()),
                      exprs.poly(c.toAt(), false),
                      name(c.from()),
                      exprs.poly(c.fromAt(), false),
                      exprs.expr(c.count()),
                      Integer.toString(c.elem().bytes()))
                  + ");");
      case Code.CopyRun c -> copy(c);
      case Code.Launch l -> launch(l);
      case Code.AskElement a ->
          out.line(
              "int "
                  + name(a.request())
                  + " = p.device.ask("
                  + String.join(
                      ", ",
                      name(a.block()),
                      bytes(a.elem(), a.index()),
                      Integer.toString(a.elem().bytes()))
                  + ");");
      case Code.AwaitElements w -> await(w.elements(), depth);
      case Code.WriteElement w ->
          out.line(
              "p.device.fill("
                  + String.join(
                      ", ",
                      name(w.block()),
                      bytes(w.elem(), w.index()),
                      Integer.toString(w.elem().bytes()),
                      bits(w.elem(), exprs.expr(w.value())),
                      "1")
                  + ");");
      case Code.GetSize s -> {
        exprs.declared(s.target(), depth);
        device.tuned(s.target(), s.parameter());
        out.line("long " + name(s.target()) + " = p.sizes[" + program.tuning(s.parameter()) + "];");
      }
      case Code.GetSizeMax s -> {
        exprs.declared(s.target(), depth);
        out.line(
            "long "
                + name(s.target())
                + " = p.device.tuningMaximum("
                + JavaTypes.string(s.sizeClass().toString())
                + ");");
      }
      case Code.CompareSize s ->
          out.line(
              "boolean "
                  + name(s.target())
                  + " = p.ctx.isReached("
                  + program.tuning(s.parameter())
                  + ", "
                  + exprs.expr(s.value())
                  + ");");
      case Code.Kernel k -> throw new IllegalStateException("in host code: " + code);
      case Code.Assign _,
          Code.DeclareBlock _,
          Code.SetBlock _,
          Code.DeclareScratch _,
          Code.Reserve _,
          Code.Free _,
          Code.IfUnused _,
          Code.Store _,
          Code.FillRun _,
          Code.MapRun _,
          Code.If _,
          Code.For _,
          Code.While _,
          Code.Outlined _,
          Code.Scope _,
          Code.Assert _,
          Code.CheckCancelled _,
          Code.Trace _,
          Code.Call _,
          Code.Vector _,
          Code.OnCopies _,
          Code.Multicore _ -> {
        return false;
      }
    }
    return true;
  }

  /** Returns an element index as an offset in bytes. */
  private String bytes(PrimType elem, Poly index) {
    return elem.bytes() + "L * " + exprs.poly(index, false);
  }

  private void copy(Code.CopyRun c) {
    String constant = device.constant(c.from());
    if (constant != null) {
      out.line(
          "p.device.write("
              + String.join(
                  ", ",
                  name(c.to()),
                  "ElemType." + c.elem().toString().toUpperCase(Locale.ROOT),
                  exprs.poly(c.toAt(), false),
                  constant,
                  "(int) (" + exprs.poly(c.fromAt(), false) + ")",
                  "(int) (" + exprs.expr(c.count()) + ")")
              + ");");
      return;
    }
    out.line(
        "p.device.move("
            + String.join(
                ", ",
                name(c.to()),
                bytes(c.elem(), c.toAt()),
                name(c.from()),
                bytes(c.elem(), c.fromAt()),
                c.elem().bytes() + "L * (" + exprs.expr(c.count()) + ")")
            + ");");
  }

  private static String bits(PrimType elem, String value) {
    return switch (elem) {
      case BOOL -> "((" + value + ") ? 1L : 0L)";
      case F32 -> "Float.floatToRawIntBits(" + value + ")";
      case F64 -> "Double.doubleToRawLongBits(" + value + ")";
      case I8, I16, I32, I64, F16, UNIT -> value;
    };
  }

  private static String value(PrimType elem, String bits) {
    return switch (elem) {
      case BOOL -> bits + " != 0";
      case F32 -> "Float.intBitsToFloat((int) " + bits + ")";
      case F64 -> "Double.longBitsToDouble(" + bits + ")";
      case I64 -> bits;
      case I8, I16, I32, F16, UNIT -> "(" + JavaTypes.type(elem) + ") " + bits;
    };
  }

  private void await(List<Code.AwaitedElement> elements, int depth) {
    out.line(
        "p.device.await("
            + elements.stream().map(e -> name(e.request())).collect(Collectors.joining(", "))
            + ");");
    for (Code.AwaitedElement e : elements) {
      exprs.declared(e.target(), depth);
      out.line(
          JavaTypes.type(e.elem())
              + " "
              + name(e.target())
              + " = "
              + value(e.elem(), "p.device.answer(" + name(e.request()) + ")")
              + ";");
    }
  }

  private void launch(Code.Launch l) {
    KernelPrinter.Printed kernel = device.kernel(l);
    MemoryTraffic traffic = new MemoryTraffic(l.body());
    List<String> moved = new ArrayList<>();
    out.open("{");
    // A running kernel cannot be stopped. An interrupt is noticed before the next launch.
    out.line(CodeWriter.CHECK_CANCELLED);
    out.line("Kernel kernel = p.kernels[" + kernel.number() + "];");
    out.line("KernelArguments arguments = kernel.arguments();");
    int i = 0;
    if (kernel.takesFailures()) {
      out.line("arguments.set(" + i++ + ", p.failures.buffer());");
    }
    if (kernel.canFail()) {
      out.line("arguments.set(" + i++ + ", p.failures.base());");
    }
    for (Code.Variable v : kernel.arguments()) {
      String value = v.isBlock() ? name(v.name()) : exprs.expr(new Expr.Var(v.name(), v.type()));
      out.line("arguments.set(" + i++ + ", " + value + ");");
      int times = v.isBlock() ? traffic.times(v.name()) : 0;
      if (times > 0) {
        moved.add((times > 1 ? times + " * " : "") + value + ".asked()");
      }
    }
    String shared = "0";
    if (!l.shared().isEmpty()) {
      out.line("long shared = 0;");
      for (int k = 0; k < l.shared().size(); k++) {
        if (k > 0) {
          out.line("arguments.set(" + i++ + ", (int) shared);");
        }
        out.line("shared += (" + exprs.expr(l.shared().get(k).bytes()) + ") + 15 & -16L;");
      }
      shared = "(int) Math.min(shared, Integer.MAX_VALUE)";
    }
    out.line(
        "p.device.launch("
            + String.join(
                ", ",
                "kernel",
                shared,
                exprs.expr(l.blocks()),
                "(int) Math.min(" + exprs.expr(l.threads()) + ", Integer.MAX_VALUE)",
                moved.isEmpty() ? "0" : String.join(" + ", moved))
            + ");");
    if (kernel.canFail()) {
      out.line("p.failures.mayFail();");
    }
    out.close("}");
  }
}
