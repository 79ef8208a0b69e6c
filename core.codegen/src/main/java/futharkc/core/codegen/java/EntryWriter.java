package futharkc.core.codegen.java;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.HostTuning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A printer of the program class: constants, entry points and the types that entry points expose.
 */
final class EntryWriter {
  private final ImperativeProgram imp;
  private final String name;
  private final String backend;
  private final JavaEmitter program;
  private final Map<String, String> opaques = new LinkedHashMap<>();

  EntryWriter(ImperativeProgram imp, String name, String backend, JavaEmitter program) {
    this.imp = imp;
    this.name = name;
    this.backend = backend;
    this.program = program;
  }

  void write(Writer out) {
    Writer initialise = new Writer();
    program.initialise(initialise);
    DeviceCode device = program.device();
    String kind = device == null ? "FutharkProgram" : "DeviceProgram";
    out.open("public final class " + JavaEmitter.PROGRAM + " extends " + kind + " {");
    out.line("Context ctx;");
    if (device != null) {
      device.members(program.tuningPositions(), out);
    }
    for (Code.Variable v : imp.constants()) {
      out.line(program.type(v) + " " + Identifiers.name(v.name()) + ";");
    }
    out.line("@Override public String name() { return " + JavaTypes.string(name) + "; }");
    out.line("@Override public String backend() { return " + JavaTypes.string(backend) + "; }");
    out.open("@Override public void initialise(Context ctx) {");
    out.line("this.ctx = ctx;");
    if (device != null) {
      DeviceCode.initialise(program.tuningPositions().size(), out);
    }
    out.line("Initialise.run(this);");
    out.close("}");
    out.open("@Override public EntryPoint[] entryPoints() {");
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < imp.entries().size(); i++) {
      entries.add("new Entry" + i + "(this)");
    }
    out.line("return new EntryPoint[] {" + String.join(", ", entries) + "};");
    out.close("}");
    // The order is that of the code, which refers to parameters by position.
    Map<String, FutharkProgram.TuningParameter> params = program.tuningParameters();
    if (device == null) {
      Machine.RunTime h = program.machine.runTime();
      HostTuning host =
          new HostTuning(h.chunkOperations(), h.cachedElements(), h.sharingOperations());
      for (FutharkProgram.TuningParameter t : host.parameters()) {
        params.put(t.name(), t);
      }
    }
    List<String> tuning = new ArrayList<>();
    for (FutharkProgram.TuningParameter t : params.values()) {
      tuning.add(
          "new TuningParameter("
              + String.join(
                  ", ",
                  JavaTypes.string(t.name()),
                  JavaTypes.string(t.paramClass()),
                  t.defaultValue() + "L")
              + ")");
    }
    out.open("@Override public TuningParameter[] tuningParameters() {");
    out.line("return new TuningParameter[] {" + String.join(", ", tuning) + "};");
    out.close("}");
    out.close("}");
    out.open("final class Initialise {");
    out.open("static void run(" + JavaEmitter.PROGRAM + " p) {");
    out.add(initialise);
    out.close("}");
    out.close("}");
    for (int i = 0; i < imp.entries().size(); i++) {
      entry(i, imp.entries().get(i), out);
    }
    out.open("final class Types {");
    Writer methods = new Writer();
    int done = 0;
    while (done < opaques.size()) {
      String opaque = new ArrayList<>(opaques.keySet()).get(done++);
      opaque(opaque, methods);
    }
    out.add(methods);
    out.close("}");
  }

  private void entry(int number, ImperativeProgram.Entry e, Writer out) {
    EntryPoint entry = e.entry();
    out.open("final class Entry" + number + " extends EntryPoint {");
    out.line("private final " + JavaEmitter.PROGRAM + " p;");
    List<String> params = new ArrayList<>();
    for (EntryPoint.Param p : entry.params()) {
      params.add(
          "new Parameter("
              + JavaTypes.string(p.name())
              + ", "
              + type(p.type())
              + ", "
              + p.unique()
              + ")");
    }
    out.open("Entry" + number + "(" + JavaEmitter.PROGRAM + " p) {");
    out.line(
        "super("
            + String.join(
                ", ",
                JavaTypes.string(entry.name()),
                "new Parameter[] {" + String.join(", ", params) + "}",
                type(entry.result()),
                Boolean.toString(entry.uniqueResult()),
                strings(new TuningParameters(imp).of(e.function())),
                strings(e.attrs()))
            + ");");
    out.line("this.p = p;");
    out.close("}");
    out.open("@Override public Value[] call(Context ctx, Value[] args) {");
    out.line("p.ctx = ctx;");
    List<String> call = new ArrayList<>();
    Map<Name, String> sizes = new HashMap<>();
    for (ImperativeProgram.Input in : e.params()) {
      call.add(
          switch (in) {
            case ImperativeProgram.Input.Scalar s -> {
              String value = scalar("((Scalar) args[" + s.arg() + "])", s.type());
              if (s.type() == PrimType.I64) {
                sizes.put(s.name(), value);
              }
              yield value;
            }
            case ImperativeProgram.Input.Block b ->
                program.device() == null
                    ? "("
                        + JavaTypes.block(b.elem())
                        + ") ((ArrayValue) args["
                        + b.arg()
                        + "]).data()"
                    : "((DeviceArray) ((ArrayValue) args[" + b.arg() + "]).store()).buffer()";
            case ImperativeProgram.Input.Size s -> {
              String n = Identifiers.name(s.name());
              sizes.put(s.name(), n);
              size(n, s, entry, out);
              yield n;
            }
          });
    }
    for (ImperativeProgram.SizeCheck c : e.checks()) {
      String expected =
          switch (c) {
            case ImperativeProgram.SizeCheck.Constant x -> x.size() + "L";
            case ImperativeProgram.SizeCheck.Argument x ->
                "((Scalar) args[" + x.arg() + "]).asLong()";
          };
      check(c.place(), expected, entry, out);
    }
    String f = program.call(e.function(), call, out);
    int n = e.outputs().size();
    if (n == 0) {
      out.line(f + ";");
    } else if (n == 1) {
      out.line("var r0 = " + f + ";");
    } else {
      out.line("var r = " + f + ";");
    }
    List<ExtType.Transparent> parts = entry.result().parts(imp.opaques());
    List<String> values = new ArrayList<>();
    for (int i = 0; i < e.results().size(); i++) {
      values.add(output(e.results().get(i), parts.get(i), n == 1 ? "r" : "r.r", sizes));
    }
    out.line("return new Value[] {" + String.join(", ", values) + "};");
    out.close("}");
    out.close("}");
  }

  private static String dimension(ImperativeProgram.Place p) {
    return "((ArrayValue) args[" + p.arg() + "]).shape()[" + p.dim() + "]";
  }

  private static String strings(Collection<String> texts) {
    return "new String[] {"
        + String.join(", ", texts.stream().map(JavaTypes::string).toList())
        + "}";
  }

  /** Writes a check that fails unless a dimension has the expected size. */
  private void check(ImperativeProgram.Place p, String size, EntryPoint entry, Writer out) {
    int arg = 0;
    int part = p.arg();
    while (part >= entry.params().get(arg).type().parts(imp.opaques()).size()) {
      part -= entry.params().get(arg).type().parts(imp.opaques()).size();
      arg++;
    }
    out.line("if (" + dimension(p) + " != " + size + ")");
    out.line(
        "  throw Blocks.badSize("
            + String.join(
                ", ",
                Integer.toString(arg + 1),
                JavaTypes.string(entry.params().get(arg).name()),
                "((ArrayValue) args[" + p.arg() + "]).shape()",
                Integer.toString(p.dim()),
                size)
            + ");");
  }

  private void size(String n, ImperativeProgram.Input.Size s, EntryPoint entry, Writer out) {
    if (s.places().isEmpty()) {
      throw new IllegalStateException("size " + s.name() + " of no array");
    }
    out.line("final long " + n + " = " + dimension(s.places().get(0)) + ";");
    for (ImperativeProgram.Place p : s.places().subList(1, s.places().size())) {
      check(p, n, entry, out);
    }
  }

  private static String scalar(String value, PrimType t) {
    return switch (t) {
      case I8 -> value + ".asByte()";
      case I16, F16 -> value + ".asShort()";
      case I32 -> value + ".asInt()";
      case I64 -> value + ".asLong()";
      case F32 -> value + ".asFloat()";
      case F64 -> value + ".asDouble()";
      case BOOL -> value + ".asBoolean()";
      case UNIT -> throw new IllegalArgumentException("unit is not passed");
    };
  }

  private String output(
      ImperativeProgram.Output o, ExtType.Transparent part, String r, Map<Name, String> sizes) {
    String elem = elemType(part);
    return switch (o) {
      case ImperativeProgram.Output.Unit u -> "Scalar.UNIT";
      case ImperativeProgram.Output.Scalar s -> {
        String x = r + s.result();
        yield switch (s.type()) {
          case BOOL -> "Scalar.bool(" + x + ")";
          case F32 -> "Scalar.f32(" + x + ")";
          case F64 -> "Scalar.f64(" + x + ")";
          default -> "new Scalar(" + elem + ", " + x + ")";
        };
      }
      case ImperativeProgram.Output.Array a -> {
        List<String> shape = new ArrayList<>();
        for (ImperativeProgram.Dim d : a.shape()) {
          shape.add(
              switch (d) {
                case ImperativeProgram.Dim.Constant c -> c.size() + "L";
                case ImperativeProgram.Dim.Result x -> r + x.result();
                case ImperativeProgram.Dim.Known k -> {
                  String known = sizes.get(k.size());
                  yield known != null ? known : "p." + Identifiers.name(k.size());
                }
              });
        }
        yield "new ArrayValue("
            + elem
            + ", new long[] {"
            + String.join(", ", shape)
            + "}, "
            + (program.device() == null ? r + a.block() : "new DeviceArray(" + r + a.block() + ")")
            + ")";
      }
    };
  }

  // Types

  private static String elemType(ExtType.Transparent t) {
    String s =
        t.prim() == PrimType.UNIT ? "UNIT" : t.prim().toString().toUpperCase(java.util.Locale.ROOT);
    return "ElemType." + (t.unsigned() ? "U" + t.prim().bits() : s);
  }

  private String type(ExtType t) {
    return switch (t) {
      case ExtType.Transparent x ->
          x.rank() == 0
              ? "new ValueType.Prim(" + elemType(x) + ")"
              : "new ValueType.Array(" + elemType(x) + ", " + x.rank() + ")";
      case ExtType.Opaque o ->
          "Types." + opaques.computeIfAbsent(o.name(), k -> "opaque" + opaques.size()) + "()";
    };
  }

  private ExtType.Def def(String opaque) {
    ExtType.Def d = imp.opaques().get(opaque);
    if (d == null) {
      throw new IllegalStateException("unknown opaque type " + opaque);
    }
    return d;
  }

  private void opaque(String opaque, Writer out) {
    ExtType.Def d = def(opaque);
    String structure =
        switch (d.structure()) {
          case ExtType.Structure.Record r -> "new ValueType.Record(" + fields(r.fields()) + ")";
          case ExtType.Structure.Sum s -> {
            List<String> args = new ArrayList<>();
            args.add(partArray(d));
            for (ExtType.Variant v : s.variants()) {
              args.add(variant(v));
            }
            yield "new ValueType.Sum(" + String.join(", ", args) + ")";
          }
          case ExtType.Structure.Array a ->
              "new ValueType.ArrayOf(" + a.rank() + ", " + type(a.elem()) + ")";
          case ExtType.Structure.RecordArray a ->
              "new ValueType.ArrayOf("
                  + a.rank()
                  + ", new ValueType.Opaque("
                  + JavaTypes.string(d.elementName())
                  + ", new ValueType.Record("
                  + fields(a.fields())
                  + ")))";
          case ExtType.Structure.Unknown u -> "new ValueType.Abstract(" + partList(d) + ")";
        };
    out.open("static ValueType.Opaque " + opaques.get(opaque) + "() {");
    out.line("return new ValueType.Opaque(" + JavaTypes.string(d.name()) + ", " + structure + ");");
    out.close("}");
  }

  private String fields(List<ExtType.Field> fields) {
    List<String> all = new ArrayList<>();
    for (ExtType.Field f : fields) {
      all.add("new ValueType.Field(" + JavaTypes.string(f.name()) + ", " + type(f.type()) + ")");
    }
    return String.join(", ", all);
  }

  private String variant(ExtType.Variant v) {
    List<String> payload = new ArrayList<>();
    for (ExtType t : v.payload()) {
      payload.add(type(t));
    }
    List<String> slots = new ArrayList<>();
    for (List<Integer> s : v.slots()) {
      slots.add("{" + String.join(", ", s.stream().map(Object::toString).toList()) + "}");
    }
    return "new ValueType.Variant("
        + String.join(
            ", ",
            JavaTypes.string(v.name()),
            "new ValueType[] {" + String.join(", ", payload) + "}",
            "new int[][] {" + String.join(", ", slots) + "}")
        + ")";
  }

  private static String partArray(ExtType.Def d) {
    return "new ValueType.Part[] {" + partList(d) + "}";
  }

  private static String partList(ExtType.Def d) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < d.parts().size(); i++) {
      StringBuilder p = new StringBuilder("new ValueType.Part(" + elemType(d.parts().get(i)));
      for (String size : d.dims().get(i)) {
        p.append(", ").append(JavaTypes.string(size));
      }
      all.add(p + ")");
    }
    return String.join(", ", all);
  }
}
