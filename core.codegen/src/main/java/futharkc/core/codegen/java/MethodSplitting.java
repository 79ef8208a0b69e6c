package futharkc.core.codegen.java;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A splitter of code that is too large for one method (64 KB) into several. Variables that more
 * than one method uses are fields of a frame. Each method loads its variables into locals, and
 * stores those that it has changed or declared.
 */
final class MethodSplitting {
  private final JavaEmitter program;
  private final Machine.Methods limits;
  private final String frame;
  private final Map<Name, Code.Variable> fields = new LinkedHashMap<>();
  private final List<Writer> classes = new ArrayList<>();
  private int parts;

  MethodSplitting(JavaEmitter program, String frame) {
    this.program = program;
    this.limits = program.machine.methods();
    this.frame = frame;
  }

  static boolean isTooLarge(List<Code> code, Machine.Methods limits) {
    return CodeSize.of(code) > limits.limit();
  }

  /** Writes calls that run the code on a frame {@code s}, which already holds the inputs. */
  void write(List<Code> code, Collection<Code.Variable> inputs, Writer out) {
    for (Code.Variable v : inputs) {
      fields.put(v.name(), v);
    }
    calls(code, out);
  }

  /**
   * Returns the frame's class and the classes of the split methods, which are written after the
   * code.
   */
  List<Writer> classes() {
    Writer out = new Writer();
    out.open("final class " + frame + " {");
    for (Code.Variable v : fields.values()) {
      out.line(program.type(v) + " " + Identifiers.name(v.name()) + ";");
    }
    out.close("}");
    for (Writer w : classes) {
      w.close("}");
    }
    List<Writer> all = new ArrayList<>(classes);
    all.add(out);
    return all;
  }

  private void calls(List<Code> code, Writer out) {
    List<Code> group = new ArrayList<>();
    int size = 0;
    for (Code c : code) {
      int own = CodeSize.of(c);
      if (own > limits.part() && hasBodies(c)) {
        flush(group, out);
        size = 0;
        large(c, out);
        continue;
      }
      if (size + own > limits.part()) {
        flush(group, out);
        size = 0;
      }
      group.add(c);
      size += own;
    }
    flush(group, out);
  }

  private static boolean hasBodies(Code c) {
    return c instanceof Code.If
        || c instanceof Code.For
        || c instanceof Code.While
        || c instanceof Code.Scope
        || c instanceof Code.Outlined;
  }

  private void flush(List<Code> group, Writer out) {
    if (group.isEmpty()) {
      return;
    }
    List<Code> code = List.copyOf(group);
    group.clear();
    part(out, w -> straight(code, w));
  }

  /** Writes a method and its call. */
  private void part(Writer out, java.util.function.Consumer<Writer> body) {
    int number = parts++;
    String c = frame + "Part" + number / limits.partsPerClass();
    String call = c + ".part" + number + "(p, s);";
    Writer method = new Writer();
    method.open("static void part" + number + "(" + JavaEmitter.PROGRAM + " p, " + frame + " s) {");
    body.accept(method);
    method.close("}");
    while (classes.size() <= number / limits.partsPerClass()) {
      classes.add(new Writer().open("final class " + frame + "Part" + classes.size() + " {"));
    }
    classes.get(number / limits.partsPerClass()).add(method);
    out.line(call);
  }

  private void load(Collection<Code.Variable> used, Writer w) {
    for (Code.Variable v : used) {
      fields.putIfAbsent(v.name(), v);
      String n = Identifiers.name(v.name());
      w.line(program.type(v) + " " + n + " = s." + n + ";");
    }
  }

  private void straight(List<Code> code, Writer w) {
    Collection<Code.Variable> used = Variables.usedBy(code, Set.of());
    load(used, w);
    Set<Code.Variable> changed = new LinkedHashSet<>();
    Set<Name> assigned = Variables.assignedBy(code);
    for (Code.Variable v : used) {
      if (assigned.contains(v.name())) {
        changed.add(v);
      }
    }
    changed.addAll(Variables.declaredBy(code));
    CodeWriter writer = new CodeWriter(program, program.exprs(), w).initialising();
    writer.all(code);
    for (Code.Variable v : changed) {
      fields.putIfAbsent(v.name(), v);
      String n = Identifiers.name(v.name());
      w.line("s." + n + " = " + n + ";");
    }
  }

  /** Writes a statement whose bodies are methods of their own: only its head remains here. */
  private void large(Code c, Writer out) {
    part(
        out,
        w -> {
          CodeWriter writer = new CodeWriter(program, program.exprs(), w);
          switch (c) {
            case Code.Scope s -> calls(s.body(), w);
            case Code.Outlined o -> calls(o.body(), w);
            case Code.While l -> {
              fields.putIfAbsent(l.cond(), new Code.Variable(l.cond(), PrimType.BOOL, false));
              w.open("while (s." + Identifiers.name(l.cond()) + ") {");
              calls(l.body(), w);
              w.close("}");
            }
            case Code.If i -> {
              load(
                  Variables.usedBy(List.of(new Code.If(i.cond(), List.of(), List.of())), Set.of()),
                  w);
              w.open("if (" + writer.expr(i.cond()) + ") {");
              calls(i.then(), w);
              w.close("} else {").open("");
              calls(i.otherwise(), w);
              w.close("}");
            }
            case Code.For f -> {
              load(
                  Variables.usedBy(
                      List.of(new Code.For(f.index(), f.type(), f.from(), f.to(), List.of())),
                      Set.of()),
                  w);
              fields.putIfAbsent(f.index(), new Code.Variable(f.index(), f.type(), false));
              String i = Identifiers.name(f.index());
              String type = JavaTypes.type(f.type());
              w.line("final " + type + " end = " + writer.expr(f.to()) + ";");
              w.open("for (" + type + " i = " + writer.expr(f.from()) + "; i < end; i++) {");
              w.line("s." + i + " = i;");
              calls(f.body(), w);
              w.close("}");
            }
            case Code.Simple _, Code.Compound _ ->
                throw new IllegalStateException(
                    "a single statement of more than " + limits.part() + " bytes");
          }
        });
  }
}
