package futharkc.core.codegen.java;

import futharkc.core.codegen.Backtraces;
import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A printer of the statements of one Java method. */
final class CodeWriter {
  /** A statement that ends the call if it has been cancelled. */
  static final String CHECK_CANCELLED =
      "if (Context.CANCELLING.watch.on()) p.ctx.checkCancelled();";

  private final JavaEmitter program;
  private final JavaExprs exprs;
  private final Writer out;

  /** The printer of device statements; null if the program has no device. */
  private final @Nullable HostWriter host;

  private int depth;
  private boolean initialising;

  /** The printer of lane statements; null outside vector loops. */
  private @Nullable LaneWriter lanes;

  CodeWriter(JavaEmitter program, JavaExprs exprs, Writer out) {
    this.program = program;
    this.exprs = exprs;
    this.out = out;
    this.host = program.host(exprs, out);
  }

  /**
   * Makes this printer initialise variables that are declared without a value, so that the end of
   * the code can read them.
   */
  CodeWriter initialising() {
    initialising = true;
    return this;
  }

  String expr(Expr e) {
    return exprs.expr(e);
  }

  void all(List<Code> code) {
    for (Code c : code) {
      one(c);
    }
  }

  /** Writes the body of a loop. */
  private void body(List<Code> body) {
    depth++;
    all(body);
    depth--;
  }

  private void outlined(Code.Outlined o) {
    boolean isTooLarge = MethodSplitting.isTooLarge(o.body(), program.machine.methods());
    method(o.body(), o.results(), isTooLarge, inner -> inner.all(o.body()));
  }

  /** Writes a statement on copies of blocks, in a method that the JVM compiles by itself. */
  private void onCopies(Code.OnCopies c) {
    Set<Name> changed = Variables.assignedBy(c.body());
    method(List.of(c), changed, false, inner -> inner.copies(c));
  }

  private void copies(Code.OnCopies c) {
    out.open("try (HostCopies copies = p.device.copies()) {");
    for (Code.HostCopy h : c.copies()) {
      exprs.hostCopy(h.copy());
      String of = name(h.copy()) + " = copies.of(" + name(h.block()) + ");";
      out.line("java.lang.foreign.MemorySegment " + of);
    }
    all(c.body());
    for (Code.HostCopy h : c.copies()) {
      if (h.isChanged()) {
        out.line("copies.writeBack(" + name(h.block()) + ");");
      }
    }
    out.close("}");
  }

  /**
   * Writes a method that holds the statements, and the call of the method.
   *
   * @param assigned the variables that the method may assign; it returns those that it uses
   * @param isTooLarge true to split the method
   * @param write writes the statements, unless the method is split
   */
  private void method(
      List<Code> body, Collection<Name> assigned, boolean isTooLarge, Consumer<CodeWriter> write) {
    Collection<Code.Variable> used = Variables.usedBy(body, Set.of());
    List<Code.Variable> results = used.stream().filter(v -> assigned.contains(v.name())).toList();
    String method = program.newMethod();
    String result =
        switch (results.size()) {
          case 0 -> "void";
          case 1 -> program.type(results.get(0));
          default -> "Results_" + method;
        };
    Writer w = new Writer();
    if (results.size() > 1) {
      w.open("static final class " + result + " {");
      for (Code.Variable v : results) {
        w.line(program.type(v) + " " + name(v.name()) + ";");
      }
      w.close("}");
    }
    List<String> params = new ArrayList<>(List.of(JavaEmitter.PROGRAM + " p"));
    List<String> args = new ArrayList<>(List.of("p"));
    for (Code.Variable v : used) {
      String type = exprs.isInt(v.name()) ? "int" : program.type(v);
      params.add(type + " " + name(v.name()));
      args.add(name(v.name()));
    }
    w.open("static " + result + " " + method + "(" + String.join(", ", params) + ") {");
    CodeWriter inner = new CodeWriter(program, exprs, w);
    inner.depth = depth;
    if (isTooLarge) {
      program.split("Frame_" + method, body, used, w);
      for (Code.Variable v : results) {
        w.line(name(v.name()) + " = s." + name(v.name()) + ";");
      }
    } else {
      write.accept(inner);
    }
    if (results.size() == 1) {
      w.line("return " + name(results.get(0).name()) + ";");
    }
    if (results.size() > 1) {
      w.line(result + " r = new " + result + "();");
      for (Code.Variable v : results) {
        w.line("r." + name(v.name()) + " = " + name(v.name()) + ";");
      }
      w.line("return r;");
    }
    w.close("}");
    String owner = program.addMethod(w);
    String call = owner + "." + method + "(" + String.join(", ", args) + ")";
    switch (results.size()) {
      case 0 -> out.line(call + ";");
      case 1 -> out.line(name(results.get(0).name()) + " = " + call + ";");
      default -> {
        String r = "r_" + method;
        out.line(owner + "." + result + " " + r + " = " + call + ";");
        for (Code.Variable v : results) {
          out.line(name(v.name()) + " = " + r + "." + name(v.name()) + ";");
        }
      }
    }
  }

  /**
   * Writes a vector loop: a class with the vector code, a class for its training, and code that
   * runs scalar code until the vector code is trained.
   */
  private void vectorLoop(Code.VectorLoop l) {
    String type = program.newVectors();
    Collection<Code.Variable> used = Variables.usedBy(l.body(), Set.of(l.index()));
    List<String> params = new ArrayList<>(List.of(JavaEmitter.PROGRAM + " p"));
    List<String> args = new ArrayList<>(List.of("p"));
    for (Code.Variable v : used) {
      params.add((exprs.isInt(v.name()) ? "int" : program.type(v)) + " " + name(v.name()));
      args.add(name(v.name()));
    }
    String index = name(l.index());
    String from = index + "_from";
    String to = index + "_to";
    String done = name(l.done());
    Writer w = new Writer();
    w.open("final class " + type + " {");
    LaneWriter writer = new LaneWriter(exprs, w, l);
    writer.species();
    w.open("static long run(" + String.join(", ", params) + ", long " + index + ", long end) {");
    w.open("while (end - " + index + " >= " + l.lanes() + ") {");
    exprs.declared(l.index(), depth + 1);
    CodeWriter inner = new CodeWriter(program, exprs, w);
    inner.lanes = writer;
    inner.depth = depth + 1;
    inner.all(l.body());
    w.line(index + " += " + l.lanes() + ";");
    w.close("}");
    w.line("return " + index + ";");
    w.close("}");
    w.close("}");
    program.addVectors(w);
    program.addVectors(training(type, used, l.body()));

    String choice = index + "_choice";
    String start = index + "_start";
    String arguments = String.join(", ", args);
    exprs.declared(l.done(), depth);
    out.line("final VectorChoice " + choice + " = Choices." + type + ";");
    out.line("final long " + from + " = " + exprs.expr(l.from()) + ";");
    out.line("final long " + to + " = " + exprs.expr(l.to()) + ";");
    out.line("long " + done + " = " + from + ";");
    out.line("long " + start + " = 0;");
    out.open("if (" + choice + ".isVector()) {");
    out.line(done + " = " + type + ".run(" + arguments + ", " + from + ", " + to + ");");
    out.close("} else if (" + choice + ".isMeasured()) {").open("");
    out.open("if (" + choice + ".trains(" + to + " - " + from + ", " + bytes(used) + ")) {");
    String training = type + "Training(" + arguments + ", " + from + ", " + to + ")";
    out.line(choice + ".train(new " + training + ");");
    out.close("}");
    out.line(start + " = System.nanoTime();");
    out.close("}");
    out.open("{");
    all(l.rest());
    out.close("}");
    out.open("if (" + start + " != 0) {");
    String time = "System.nanoTime() - " + start;
    out.line(choice + ".scalar(" + time + ", " + to + " - " + done + ");");
    out.close("}");
  }

  /** Returns the size of blocks in bytes, as a Java expression. */
  private static String bytes(Collection<Code.Variable> used) {
    StringBuilder sum = new StringBuilder("0L");
    for (Code.Variable v : used) {
      if (v.isBlock()) {
        sum.append(" + " + v.type().bytes() + "L * " + name(v.name()) + ".length");
      }
    }
    return sum.toString();
  }

  /** Returns the class of the training of a vector loop, whose blocks are copies. */
  private Writer training(String type, Collection<Code.Variable> used, List<Code> body) {
    Set<Name> written = new HashSet<>();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.StoreLanes s) {
          written.add(s.block());
        }
        return super.statement(c);
      }
    }.statements(body);
    List<String> params = new ArrayList<>(List.of(JavaEmitter.PROGRAM + " p"));
    List<String> args = new ArrayList<>(List.of("p"));
    Writer w = new Writer();
    w.open("final class " + type + "Training extends VectorTraining {");
    w.line("final " + JavaEmitter.PROGRAM + " p;");
    Writer assignments = new Writer();
    for (Code.Variable v : used) {
      String n = name(v.name());
      String java = exprs.isInt(v.name()) ? "int" : program.type(v);
      w.line("final " + java + " " + n + ";");
      params.add(java + " " + n);
      assignments.line("this." + n + " = " + n + (v.isBlock() ? ".clone();" : ";"));
      args.add(written.contains(v.name()) ? n + ".clone()" : n);
    }
    String list = String.join(", ", params);
    w.open(type + "Training(" + list + ", long fromHere, long toHere) {");
    w.line("super(fromHere, toHere);");
    w.line("this.p = p;");
    w.add(assignments);
    w.close("}");
    w.open("protected long run(long fromHere, long toHere) {");
    w.line("return " + type + ".run(" + String.join(", ", args) + ", fromHere, toHere);");
    w.close("}");
    w.close("}");
    return w;
  }

  private static String name(Name n) {
    return Identifiers.name(n);
  }

  private void one(Code code) {
    if (host != null && host.write(code, depth)) {
      return;
    }
    switch (code) {
      case Code.Declare d -> {
        exprs.declared(d.name(), depth);
        String value =
            d.value() != null
                ? " = " + exprs.expr(d.value())
                : blank(d.type() == PrimType.BOOL ? "false" : "0");
        out.line(JavaTypes.type(d.type()) + " " + name(d.name()) + value + ";");
      }
      case Code.Assign a -> out.line(name(a.name()) + " = " + exprs.expr(a.value()) + ";");
      case Code.DeclareBlock d -> {
        String value = d.value() != null ? " = " + name(d.value()) : blank("null");
        out.line(program.block(d.elem()) + " " + name(d.block()) + value + ";");
      }
      case Code.SetBlock s -> out.line(name(s.block()) + " = " + name(s.value()) + ";");
      case Code.Alloc a ->
          out.line(
              JavaTypes.block(a.elem())
                  + " "
                  + name(a.block())
                  + " = "
                  + acquire(a.elem(), a.size(), a.loc())
                  + ";");
      case Code.DeclareScratch d ->
          out.line(
              JavaTypes.block(d.elem())
                  + " "
                  + name(d.block())
                  + " = Blocks."
                  + JavaTypes.memoryMethod(d.elem()).toUpperCase(java.util.Locale.ROOT)
                  + ";");
      case Code.Reserve r -> {
        String size = exprs.expr(r.size());
        out.open("if (" + name(r.block()) + ".length < " + size + ") {");
        release(r.block());
        out.line(name(r.block()) + " = " + acquire(r.elem(), r.size(), r.loc()) + ";");
        out.close("}");
      }
      case Code.Free f -> {
        if (f.unless().isEmpty()) {
          release(f.block());
          return;
        }
        List<String> tests = new ArrayList<>();
        for (Name n : f.unless()) {
          tests.add(name(f.block()) + " != " + name(n));
        }
        out.open("if (" + String.join(" && ", tests) + ") {");
        release(f.block());
        out.close("}");
      }
      case Code.IfUnused i -> {
        List<String> tests = new ArrayList<>();
        for (Name n : i.inUse()) {
          tests.add(name(i.block()) + " != " + name(n));
        }
        out.open("if (" + (tests.isEmpty() ? "true" : String.join(" && ", tests)) + ") {");
        all(i.then());
        out.close("} else {").open("");
        all(i.otherwise());
        out.close("}");
      }
      case Code.ConstantBlock c ->
          out.line(
              "final "
                  + JavaTypes.block(c.elem())
                  + " "
                  + name(c.block())
                  + " = "
                  + program.constant(c.elem(), c.values())
                  + ";");
      case Code.Pin p -> out.line("p.ctx.memory().pin(" + name(p.block()) + ");");
      case Code.Store s ->
          out.line(
              name(s.block())
                  + "["
                  + exprs.offset(s.index())
                  + "] = "
                  + exprs.expr(s.value())
                  + ";");
      case Code.CopyRun c ->
          out.line(
              "System.arraycopy("
                  + String.join(
                      ", ",
                      name(c.from()),
                      exprs.offset(c.fromAt()),
                      name(c.to()),
                      exprs.offset(c.toAt()),
                      asInt(c.count()))
                  + ");");
      case Code.FillRun f -> {
        String at = exprs.offset(f.at());
        out.line(
            "java.util.Arrays.fill("
                + String.join(
                    ", ", name(f.block()), at, at + " + " + asInt(f.count()), exprs.expr(f.value()))
                + ");");
      }
      case Code.MapRun m ->
          out.line(
              "F32."
                  + m.fun().kind().name().toLowerCase(java.util.Locale.ROOT)
                  + "("
                  + String.join(", ", name(m.to()), name(m.from()), asInt(m.count()))
                  + ");");
      case Code.If i -> {
        out.open("if (" + exprs.expr(i.cond()) + ") {");
        all(i.then());
        if (!i.otherwise().isEmpty()) {
          out.close("} else {").open("");
          all(i.otherwise());
        }
        out.close("}");
      }
      case Code.For f -> loop(f);
      case Code.While w -> loop(w);
      case Code.VectorLoop l -> vectorLoop(l);
      case Code.Vector v -> {
        LaneWriter writer = lanes;
        if (writer == null) {
          throw new IllegalStateException("outside a vector loop: " + v);
        }
        writer.write(v);
      }
      case Code.Outlined o -> outlined(o);
      case Code.Scope s -> {
        out.open("{");
        all(s.body());
        out.close("}");
      }
      case Code.Assert a -> check(a);
      case Code.CheckCancelled c -> out.line(CHECK_CANCELLED);
      case Code.Trace t -> trace(t);
      case Code.Call c -> call(c);
      case Code.ChunkCount c -> {
        exprs.declared(c.chunks(), depth);
        String cost = exprs.poly(c.cost(), false);
        out.line(
            "long "
                + name(c.chunks())
                + " = Parallel.chunks(p.ctx, "
                + String.join(", ", exprs.expr(c.total()), cost, Integer.toString(c.perThread()))
                + ");");
      }
      case Code.RegionTime r -> {
        exprs.declared(r.time(), depth);
        String cost = exprs.poly(r.cost(), false);
        String passes = r.chained() ? "2" : "1";
        out.line(
            "long "
                + name(r.time())
                + " = Parallel.time(p.ctx, "
                + String.join(", ", exprs.expr(r.total()), cost, passes)
                + ");");
      }
      case Code.ThreadCount t -> {
        exprs.declared(t.threads(), depth);
        out.line("long " + name(t.threads()) + " = p.ctx.threads();");
      }
      case Code.Parallel p -> {
        String region =
            program.region(p.label(), p.chunk(), p.from(), p.to(), List.of(p.body()), false);
        Collection<Code.Variable> captured = captured(p.body(), p.chunk(), p.from(), p.to());
        launch(region, p.total(), p.chunks(), captured, p.label(), p.loc());
      }
      case Code.ChainedScan s -> {
        String region =
            program.region(
                s.label(),
                s.chunk(),
                s.from(),
                s.to(),
                List.of(s.reduce(), s.combine(), s.scan()),
                true);
        Collection<Code.Variable> captured =
            new java.util.LinkedHashSet<>(captured(s.reduce(), s.chunk(), s.from(), s.to()));
        captured.addAll(captured(s.combine(), s.chunk(), s.from(), s.to()));
        captured.addAll(captured(s.scan(), s.chunk(), s.from(), s.to()));
        launch(region, s.total(), s.chunks(), captured, s.label(), s.loc());
      }
      case Code.Locked l -> {
        out.open("synchronized (Parallel.lock(" + exprs.expr(l.key()) + ")) {");
        all(l.body());
        out.close("}");
      }
      case Code.OnCopies c -> onCopies(c);
      case Code.Host _, Code.Kernel _ ->
          throw new IllegalStateException("in code for CPUs: " + code);
    }
  }

  private String blank(String value) {
    return initialising ? " = " + value : "";
  }

  private String operand(Expr e) {
    return "(" + exprs.expr(e) + ")";
  }

  static Collection<Code.Variable> captured(List<Code> body, Name chunk, Name from, Name to) {
    return Variables.usedBy(body, Set.of(chunk, from, to));
  }

  /** Writes a run of a parallel region: a parallel stream over an object of the region's class. */
  private void launch(
      String region,
      Expr total,
      Expr chunks,
      Collection<Code.Variable> captured,
      String label,
      Loc loc) {
    out.open("{");
    out.line(
        region
            + " r = new "
            + region
            + "(p, "
            + exprs.expr(total)
            + ", (int) "
            + operand(chunks)
            + ");");
    for (Code.Variable v : captured) {
      out.line(
          "r."
              + name(v.name())
              + " = "
              + (v.isBlock() ? name(v.name()) : exprs.expr(new Expr.Var(v.name(), v.type())))
              + ";");
    }
    out.line("IntStream.range(0, r.begin()).parallel().forEach(r);");
    String where = loc.equals(Loc.NONE) ? "unknown" : loc.toString();
    out.line("r.end(" + JavaTypes.string(label) + ", " + JavaTypes.string(where) + ");");
    out.close("}");
  }

  private String acquire(PrimType elem, Expr size, Loc loc) {
    String place = JavaTypes.string(loc.equals(Loc.NONE) ? "" : loc.toString());
    return "p.ctx.memory()."
        + JavaTypes.memoryMethod(elem)
        + "("
        + exprs.expr(size)
        + ", "
        + place
        + ")";
  }

  private void release(Name block) {
    out.line(
        host == null
            ? "p.ctx.memory().release(" + name(block) + ");"
            : name(block) + ".release();");
  }

  private String asInt(Expr e) {
    return switch (e) {
      case Expr.Index i -> exprs.offset(i.poly());
      case Expr.Const c -> Integer.toString((int) c.value().asLong());
      case Expr.Var _,
          Expr.Binary _,
          Expr.Unary _,
          Expr.Compare _,
          Expr.Convert _,
          Expr.Apply _,
          Expr.Load _,
          Expr.Capacity _,
          Expr.Tuning _ ->
          "(int) " + operand(e);
    };
  }

  private void loop(Code.For f) {
    exprs.declared(f.index(), depth + 1);
    String i = name(f.index());
    boolean asInt = f.range() == Code.Range.NARROW;
    String type = asInt ? "int" : JavaTypes.type(f.type());
    String from = asInt ? bound(f.from()) : exprs.expr(f.from());
    String to = asInt ? bound(f.to()) : exprs.expr(f.to());
    out.open("{");
    out.line("final " + type + " " + i + "_end = " + to + ";");
    out.open(
        "for (" + type + " " + i + " = " + from + "; " + i + " < " + i + "_end; " + i + "++) {");
    if (asInt) {
      exprs.intLoop(f.index());
    }
    body(f.body());
    if (asInt) {
      exprs.longLoop(f.index());
    }
    out.close("}");
    out.close("}");
  }

  private void loop(Code.While w) {
    out.open("while (" + name(w.cond()) + ") {");
    body(w.body());
    out.close("}");
  }

  private String bound(Expr e) {
    if (e instanceof Expr.Const c && c.value().asLong() == (int) c.value().asLong()) {
      return Integer.toString((int) c.value().asLong());
    }
    return "Blocks.saturated(" + exprs.expr(e) + ")";
  }

  private void check(Code.Assert a) {
    out.open("if (!" + operand(a.cond()) + ") {");
    out.line(
        "throw new FutharkError("
            + message(a.message())
            + ", "
            + JavaTypes.string(Backtraces.text(a.trace()))
            + ");");
    out.close("}");
  }

  private String message(List<Code.MessagePart> parts) {
    StringBuilder message = new StringBuilder("\"\"");
    for (Code.MessagePart m : parts) {
      message.append(" + ");
      message.append(
          switch (m) {
            case Code.MessagePart.Text t -> JavaTypes.string(t.text());
            case Code.MessagePart.Value v -> show(v.value(), v.unsigned());
          });
    }
    return message.toString();
  }

  private String show(Expr e, boolean unsigned) {
    String s = exprs.expr(e);
    return switch (e.type()) {
      case I8 -> unsigned ? "((" + s + ") & 0xff)" : "(" + s + ")";
      case I16 -> unsigned ? "((" + s + ") & 0xffff)" : "(" + s + ")";
      case I32 -> unsigned ? "Integer.toUnsignedString(" + s + ")" : "(" + s + ")";
      case I64 -> unsigned ? "Long.toUnsignedString(" + s + ")" : "(" + s + ")";
      case F16 -> "F64.fixed(Convert.f16ToF32(" + s + "))";
      case F32, F64 -> "F64.fixed(" + s + ")";
      case BOOL -> "(" + s + ")";
      case UNIT -> "\"()\"";
    };
  }

  private void trace(Code.Trace t) {
    out.line("p.ctx.trace(" + message(t.message()) + ");");
  }

  private void call(Code.Call c) {
    List<String> args = new ArrayList<>();
    for (Code.Operand o : c.args()) {
      args.add(
          switch (o) {
            case Code.Operand.Scalar s -> exprs.expr(s.value());
            case Code.Operand.Block b -> name(b.name());
          });
    }
    String call = program.call(c.function(), args, out);
    for (Code.Variable v : c.targets()) {
      exprs.declared(v.name(), depth);
    }
    if (c.targets().isEmpty()) {
      out.line(call + ";");
    } else if (c.targets().size() == 1) {
      Code.Variable v = c.targets().get(0);
      out.line(program.type(v) + " " + name(v.name()) + " = " + call + ";");
    } else {
      String results = program.results(c.function());
      String r = "r_" + name(c.targets().get(0).name());
      out.line(results + " " + r + " = " + call + ";");
      for (int i = 0; i < c.targets().size(); i++) {
        Code.Variable v = c.targets().get(i);
        out.line(program.type(v) + " " + name(v.name()) + " = " + r + ".r" + i + ";");
      }
    }
  }
}
