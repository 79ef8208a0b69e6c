package futharkc.core.codegen.binding;

import static java.util.stream.Collectors.joining;

import futharkc.core.codegen.Writer;
import futharkc.core.codegen.java.JavaTypes;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.TypeTable;
import futharkc.core.runtime.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A printer of the typed class of a program, a {@link futharkc.core.runtime.embed.TypedProgram}
 * with a method for each entry point, and of the classes of its types: Java records for records and
 * tuples, sealed interfaces for sums, and handles for other types.
 */
public final class BindingWriter {
  /** Names that members of the typed class must not have. */
  private static final Set<String> MEMBERS =
      Set.of(
          "adopt",
          "call",
          "callInPlace",
          "clone",
          "close",
          "code",
          "equals",
          "finalize",
          "getClass",
          "hashCode",
          "instance",
          "notify",
          "notifyAll",
          "release",
          "target",
          "toString",
          "type",
          "wait");

  /** Names of components that the language forbids, and of the methods of every object. */
  private static final Set<String> COMPONENTS =
      Set.of(
          "clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait");

  /** The simple names of classes that the generated classes mention. */
  private static final Set<String> TYPES =
      Set.of(
          "ArrayValue",
          "BindingValues",
          "Class",
          "ElemType",
          "MemorySegment",
          "Object",
          "OpaqueValue",
          "Opaques",
          "Override",
          "ProgramSettings",
          "Record",
          "ReflectiveConstructor",
          "Scalar",
          "SegmentAllocator",
          "ShapedSegment",
          "String",
          "TargetCode",
          "TypeTable",
          "TypedProgram",
          "Value",
          "ValueType");

  private final FutharkProgram program;
  private final String packageName;
  private final Map<String, String> codes;
  private final Documentation documentation;
  private final String className;

  /** The opaque types with a class of their own, by name. */
  private final Map<String, ValueType.Opaque> classes = new LinkedHashMap<>();

  /** The Java names of the classes, by the names of the types. */
  private final Map<String, String> names = new LinkedHashMap<>();

  /** The names of the fields with the types, by the names of the types. */
  private final Map<String, String> typeFields = new LinkedHashMap<>();

  private final Map<String, String> methods = new LinkedHashMap<>();

  /**
   * The documentation comments of a program.
   *
   * @param ofProgram the comment of the file, without comment signs; empty if there is none
   * @param ofEntries the comments of entry points, by name
   * @param ofTypes the comments of types, by name
   */
  public record Documentation(
      String ofProgram, Map<String, String> ofEntries, Map<String, String> ofTypes) {
    /** The documentation of a program without comments. */
    public static final Documentation NONE = new Documentation("", Map.of(), Map.of());

    public Documentation {
      ofEntries = Map.copyOf(ofEntries);
      ofTypes = Map.copyOf(ofTypes);
    }
  }

  /**
   * Creates a printer.
   *
   * @param program an instance of the program, of any target
   * @param packageName the package of the classes
   * @param codes the name of the program class for each target, the preferred target first
   */
  public BindingWriter(
      FutharkProgram program,
      String packageName,
      Map<String, String> codes,
      Documentation documentation) {
    this.program = program;
    this.packageName = packageName;
    this.codes = new LinkedHashMap<>(codes);
    this.documentation = documentation;
    JavaNames types = new JavaNames(TYPES);
    className = types.type(program.name());
    TypeTable table = new TypeTable(program);
    for (String name : table.names()) {
      if (table.find(name) instanceof ValueType.Opaque o) {
        typeFields.put(name, "type" + typeFields.size());
        if (!isJavaArray(o)) {
          classes.put(name, o);
          names.put(name, types.type(name, kind(o)));
        }
      }
    }
    JavaNames members = new JavaNames(MEMBERS);
    for (EntryPoint entry : program.entryPoints()) {
      methods.put(entry.name(), members.member(entry.name()));
    }
  }

  private static String kind(ValueType.Opaque type) {
    return switch (type.structure()) {
      case ValueType.Record r -> r.isTuple() ? "Tuple" : "Record";
      case ValueType.Sum _ -> "Sum";
      case ValueType.ArrayOf _, ValueType.Abstract _ -> "Handle";
    };
  }

  /** Tests whether the Java form of a type is an array of records or sums. */
  private static boolean isJavaArray(ValueType.Opaque type) {
    return type.structure() instanceof ValueType.ArrayOf a
        && !(a.elem().structure() instanceof ValueType.Abstract);
  }

  /** Returns the simple name of the typed class. */
  public String className() {
    return className;
  }

  /** Returns the names of the methods, by the names of the entry points. */
  public Map<String, String> methods() {
    return Map.copyOf(methods);
  }

  /** Returns the compilation units by their paths, such as {@code com/acme/Statistics.java}. */
  public Map<String, String> sources() {
    Map<String, String> all = new TreeMap<>();
    String folder = packageName.replace('.', '/') + "/";
    all.put(folder + className + ".java", unit(programClass()));
    classes.forEach(
        (name, type) -> all.put(folder + name(name) + ".java", unit(typeClass(name, type))));
    return all;
  }

  private String name(String type) {
    return Objects.requireNonNull(names.get(type));
  }

  private String unit(Writer body) {
    Writer unit = new Writer();
    unit.line("package " + packageName + ";");
    unit.line("");
    unit.line("import futharkc.core.runtime.*;");
    unit.line("import futharkc.core.runtime.embed.*;");
    unit.line("import java.lang.foreign.MemorySegment;");
    unit.line("import java.lang.foreign.SegmentAllocator;");
    unit.line("");
    unit.add(body);
    return unit.toString().replaceAll("(?m) +$", "");
  }

  /** Writes a documentation comment in Markdown. */
  private static void comment(String text, Writer out) {
    for (String line : text.strip().split("\n", -1)) {
      String shown = line.stripTrailing();
      out.line(("/// " + (shown.strip().startsWith("@") ? "\\" + shown.strip() : shown)).strip());
    }
  }

  // The classes of types.

  private Writer typeClass(String name, ValueType.Opaque type) {
    Writer out = new Writer();
    String doc = documentation.ofTypes().getOrDefault(name, "");
    comment(doc.isBlank() ? "The type `" + name + "`." : doc, out);
    String java = name(name);
    switch (type.structure()) {
      case ValueType.Record r -> out.line("public record " + java + components(r) + " {}");
      case ValueType.Sum s -> {
        out.open("public sealed interface " + java + " {");
        List<String> variants = variants(name, s);
        for (int i = 0; i < variants.size(); i++) {
          comment("The constructor `#" + s.variants()[i].name() + "`.", out);
          out.line(
              "record "
                  + variants.get(i)
                  + components(List.of(s.variants()[i].payload()))
                  + " implements "
                  + java
                  + " {}");
        }
        out.close("}");
      }
      case ValueType.ArrayOf _, ValueType.Abstract _ -> {
        comment("", out);
        comment("Only entry points of the program construct and use its values.", out);
        out.line("public record " + java + "(OpaqueValue value) {}");
      }
    }
    return out;
  }

  private List<String> variants(String type, ValueType.Sum sum) {
    JavaNames scope = new JavaNames(Set.of(name(type)));
    List<String> all = new ArrayList<>();
    for (ValueType.Variant v : sum.variants()) {
      all.add(scope.type(v.name()));
    }
    return all;
  }

  private static List<String> fieldNames(ValueType.Record record) {
    JavaNames scope = new JavaNames(COMPONENTS);
    List<String> all = new ArrayList<>();
    for (ValueType.Field f : record.fields()) {
      all.add(scope.member(record.isTuple() ? "v" + f.name() : f.name()));
    }
    return all;
  }

  private String components(ValueType.Record record) {
    List<String> all = new ArrayList<>();
    List<String> fields = fieldNames(record);
    for (int i = 0; i < fields.size(); i++) {
      if (!isUnit(record.fields()[i].type())) {
        all.add(javaType(record.fields()[i].type()) + " " + fields.get(i));
      }
    }
    return "(" + String.join(", ", all) + ")";
  }

  private String components(List<ValueType> payload) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < payload.size(); i++) {
      if (!isUnit(payload.get(i))) {
        all.add(javaType(payload.get(i)) + " v" + i);
      }
    }
    return "(" + String.join(", ", all) + ")";
  }

  private static boolean isUnit(ValueType type) {
    return type instanceof ValueType.Prim p && p.elem() == ElemType.UNIT;
  }

  private static String carrier(ElemType type) {
    return switch (type) {
      case I8, U8 -> "byte";
      case I16, U16 -> "short";
      case I32, U32 -> "int";
      case I64, U64 -> "long";
      case F16, F32 -> "float";
      case F64 -> "double";
      case BOOL -> "boolean";
      case UNIT -> "void";
    };
  }

  private String javaType(ValueType type) {
    return switch (type) {
      case ValueType.Prim p -> carrier(p.elem());
      case ValueType.Array a ->
          (a.elem() == ElemType.F16 ? "short" : carrier(a.elem())) + "[]".repeat(a.rank());
      case ValueType.Opaque o ->
          o.structure() instanceof ValueType.ArrayOf a && isJavaArray(o)
              ? name(a.elem().name()) + "[]".repeat(a.rank())
              : name(o.name());
    };
  }

  // Conversions.

  /** Returns an expression for the Futhark value of a Java expression. */
  private String toValue(ValueType type, String x) {
    return switch (type) {
      case ValueType.Prim p ->
          switch (p.elem()) {
            case UNIT -> "Scalar.UNIT";
            case F16 -> "Scalar.f16(Float.floatToFloat16(" + x + "))";
            default -> "Scalar." + p.elem().text() + "(" + x + ")";
          };
      case ValueType.Array a ->
          "BindingValues.array(ElemType." + a.elem().name() + ", " + a.rank() + ", " + x + ")";
      case ValueType.Opaque o ->
          o.structure() instanceof ValueType.ArrayOf a && isJavaArray(o)
              ? "BindingValues.opaqueArray("
                  + typeFields.get(o.name())
                  + ", "
                  + x
                  + ", e -> "
                  + toValue(a.elem(), "(" + name(a.elem().name()) + ") e")
                  + ")"
              : "from" + name(o.name()) + "(" + x + ")";
    };
  }

  /** Returns an expression for the Java form of the Futhark value of an expression. */
  private String toJava(ValueType type, String v) {
    return switch (type) {
      case ValueType.Prim p ->
          switch (p.elem()) {
            case UNIT -> "null";
            case F16 -> "Float.float16ToFloat(((Scalar) " + v + ").asShort())";
            case I8, U8 -> "((Scalar) " + v + ").asByte()";
            case I16, U16 -> "((Scalar) " + v + ").asShort()";
            case I32, U32 -> "((Scalar) " + v + ").asInt()";
            case I64, U64 -> "((Scalar) " + v + ").asLong()";
            case F32 -> "((Scalar) " + v + ").asFloat()";
            case F64 -> "((Scalar) " + v + ").asDouble()";
            case BOOL -> "((Scalar) " + v + ").asBoolean()";
          };
      case ValueType.Array a -> "(" + javaType(a) + ") BindingValues.javaArray(" + v + ")";
      case ValueType.Opaque o ->
          o.structure() instanceof ValueType.ArrayOf a && isJavaArray(o)
              ? "BindingValues.javaArray("
                  + javaType(o)
                  + ".class, "
                  + typeFields.get(o.name())
                  + ", "
                  + v
                  + ", e -> "
                  + toJava(a.elem(), "e")
                  + ")"
              : "to" + name(o.name()) + "(" + v + ")";
    };
  }

  private void conversions(String name, ValueType.Opaque type, Writer out) {
    String java = name(name);
    String field = typeFields.get(name);
    out.line("");
    switch (type.structure()) {
      case ValueType.Record r -> {
        List<String> fields = fieldNames(r);
        List<String> to = new ArrayList<>();
        List<String> from = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
          ValueType t = r.fields()[i].type();
          to.add(toValue(t, "x." + fields.get(i) + "()"));
          if (!isUnit(t)) {
            from.add(toJava(t, "fields[" + i + "]"));
          }
        }
        out.open("private OpaqueValue from" + java + "(" + java + " x) {");
        out.line(
            "return Opaques.pack("
                + field
                + to.stream().map(t -> ", " + t).collect(joining())
                + ");");
        out.close("}");
        out.line("");
        out.open("private " + java + " to" + java + "(Value v) {");
        out.line("Value[] fields = Opaques.unpack((OpaqueValue) v);");
        out.line("return new " + java + "(" + String.join(", ", from) + ");");
        out.close("}");
      }
      case ValueType.Sum s -> {
        List<String> variants = variants(name, s);
        out.open("private OpaqueValue from" + java + "(" + java + " x) {");
        out.open("return switch (x) {");
        for (int i = 0; i < variants.size(); i++) {
          StringBuilder payload = new StringBuilder();
          ValueType[] types = s.variants()[i].payload();
          for (int j = 0; j < types.length; j++) {
            payload.append(", ").append(toValue(types[j], "y.v" + j + "()"));
          }
          out.line(
              "case "
                  + java
                  + "."
                  + variants.get(i)
                  + " y -> Opaques.construct("
                  + field
                  + ", "
                  + JavaTypes.string(s.variants()[i].name())
                  + payload
                  + ");");
        }
        out.close("};");
        out.close("}");
        out.line("");
        out.open("private " + java + " to" + java + "(Value v) {");
        out.line("Value[] payload = Opaques.destruct((OpaqueValue) v);");
        out.open("return switch (Opaques.variant((OpaqueValue) v).name()) {");
        for (int i = 0; i < variants.size(); i++) {
          List<String> payload = new ArrayList<>();
          ValueType[] types = s.variants()[i].payload();
          for (int j = 0; j < types.length; j++) {
            if (!isUnit(types[j])) {
              payload.add(toJava(types[j], "payload[" + j + "]"));
            }
          }
          out.line(
              "case "
                  + JavaTypes.string(s.variants()[i].name())
                  + " -> new "
                  + java
                  + "."
                  + variants.get(i)
                  + "("
                  + String.join(", ", payload)
                  + ");");
        }
        out.line("default -> throw new IllegalStateException(v.toString());");
        out.close("};");
        out.close("}");
      }
      case ValueType.ArrayOf _, ValueType.Abstract _ -> {
        out.open("private OpaqueValue from" + java + "(" + java + " x) {");
        out.line("return BindingValues.handle(" + field + ", x.value());");
        out.close("}");
        out.line("");
        out.open("private " + java + " to" + java + "(Value v) {");
        out.line("return new " + java + "((OpaqueValue) v);");
        out.close("}");
      }
    }
  }

  // The typed class.

  private Writer programClass() {
    Writer out = new Writer();
    String doc = documentation.ofProgram();
    if (!doc.isBlank()) {
      comment(doc, out);
      comment("", out);
    }
    comment(
        "The program `"
            + program.name()
            + "`, compiled for "
            + String.join(", ", codes.keySet())
            + ".",
        out);
    comment("", out);
    comment(
        "Any thread may call the methods. A call ends early if its thread is interrupted.", out);
    out.open("public final class " + className + " extends TypedProgram {");
    out.line("private static final int[] NONE = {};");
    typeFields.forEach(
        (name, field) ->
            out.line(
                "private final ValueType.Opaque "
                    + field
                    + " = type("
                    + JavaTypes.string(name)
                    + ");"));
    out.line("");
    comment("Loads the program with the default settings.", out);
    comment("", out);
    tag("throws FutharkError if this machine can run none of the targets", out);
    out.open("public " + className + "() {");
    out.line("this(ProgramSettings.DEFAULT);");
    out.close("}");
    out.line("");
    comment("Loads the program.", out);
    comment("", out);
    tag("throws FutharkError if this machine cannot run the target", out);
    out.open("public " + className + "(ProgramSettings settings) {");
    List<String> arguments = new ArrayList<>(List.of("settings"));
    codes.forEach(
        (target, code) ->
            arguments.add(
                "code(" + JavaTypes.string(target) + ", " + JavaTypes.string(code) + ")"));
    out.line("super(" + String.join(", ", arguments) + ");");
    out.close("}");
    out.line("");
    out.open("private static TargetCode code(String target, String program) {");
    out.line("return new TargetCode(");
    out.line("    target,");
    out.line("    () ->");
    out.line("        instance(");
    out.line("            () -> Class.forName(program).getDeclaredConstructor().newInstance()));");
    out.close("}");
    EntryPoint[] entries = program.entryPoints();
    for (int i = 0; i < entries.length; i++) {
      entry(i, entries[i], out);
    }
    classes.forEach((name, type) -> conversions(name, type, out));
    out.close("}");
    return out;
  }

  /** Writes a block tag of a documentation comment. */
  private static void tag(String text, Writer out) {
    out.line("/// @" + text);
  }

  /** A form of the parameters and the result of methods. */
  private enum Form {
    /** Java arrays, records and sealed interfaces. */
    JAVA,
    /** Memory segments for arrays of primitive types; otherwise as {@link #JAVA}. */
    SEGMENT,
    /** Values in the memory of the program. */
    VALUE
  }

  private void entry(int position, EntryPoint entry, Writer out) {
    boolean arrays =
        entry.result() instanceof ValueType.Array
            || List.of(entry.parameters()).stream()
                .anyMatch(p -> p.type() instanceof ValueType.Array);
    boolean values =
        isValue(entry.result())
            || List.of(entry.parameters()).stream().anyMatch(p -> isValue(p.type()));
    method(position, entry, Form.JAVA, out);
    if (arrays) {
      method(position, entry, Form.SEGMENT, out);
    }
    if (values) {
      method(position, entry, Form.VALUE, out);
    }
  }

  /** Tests whether values of a type can stay in the memory of the program, and are no handles. */
  private static boolean isValue(ValueType type) {
    return switch (type) {
      case ValueType.Prim _ -> false;
      case ValueType.Array _ -> true;
      case ValueType.Opaque o ->
          isJavaArray(o)
              || o.structure() instanceof ValueType.Record
              || o.structure() instanceof ValueType.Sum;
    };
  }

  private String type(ValueType type, Form form) {
    return switch (form) {
      case JAVA -> javaType(type);
      case SEGMENT ->
          !(type instanceof ValueType.Array a)
              ? javaType(type)
              : a.rank() == 1 ? "MemorySegment" : "ShapedSegment";
      case VALUE ->
          !isValue(type)
              ? javaType(type)
              : type instanceof ValueType.Array ? "ArrayValue" : "OpaqueValue";
    };
  }

  private void method(int position, EntryPoint entry, Form form, Writer out) {
    JavaNames scope = new JavaNames(Set.of("results"));
    List<String> parameters = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    List<String> docs = new ArrayList<>();
    List<String> copied = new ArrayList<>();
    ValueType result = entry.result();
    boolean allocates = form == Form.SEGMENT && result instanceof ValueType.Array;
    if (allocates) {
      parameters.add("SegmentAllocator results");
      docs.add("param results the allocator of the result");
    }
    boolean overloads = false;
    for (int i = 0; i < entry.parameters().length; i++) {
      EntryPoint.Parameter p = entry.parameters()[i];
      String name = scope.member(p.name().isEmpty() ? "argument" + (i + 1) : p.name());
      if (isUnit(p.type())) {
        arguments.add("Scalar.UNIT");
        continue;
      }
      String type = type(p.type(), form);
      overloads |= !type.equals(javaType(p.type()));
      parameters.add(type + " " + name);
      docs.add(
          "param "
              + name
              + " the argument of type `"
              + p.type().name()
              + "`"
              + shape(p.type(), form));
      boolean shared =
          switch (form) {
            case JAVA -> !(p.type() instanceof ValueType.Array a) || a.rank() == 1;
            case SEGMENT -> !(p.type() instanceof ValueType.Array);
            case VALUE -> true;
          };
      if (p.unique() && shared && !(p.type() instanceof ValueType.Prim)) {
        copied.add(Integer.toString(i));
      }
      arguments.add(
          switch (form) {
            case JAVA -> toValue(p.type(), name);
            case SEGMENT ->
                p.type() instanceof ValueType.Array a
                    ? "BindingValues.array(ElemType." + a.elem().name() + ", " + name + ")"
                    : toValue(p.type(), name);
            case VALUE -> isValue(p.type()) ? name : toValue(p.type(), name);
          });
    }
    String returned = type(result, form);
    if (!isUnit(result)) {
      docs.add("return the result of type `" + result.name() + "`" + shape(result, form));
    }
    docs.add("throws FutharkError if the program fails");
    String doc = documentation.ofEntries().getOrDefault(entry.name(), "");
    out.line("");
    comment(doc.isBlank() ? "Calls the entry point `" + entry.name() + "`." : doc, out);
    comment("", out);
    docs.forEach(d -> tag(d, out));
    String name = Objects.requireNonNull(methods.get(entry.name()));
    if (form == Form.VALUE && !overloads) {
      name += "Value";
    }
    out.open("public " + returned + " " + name + "(" + String.join(", ", parameters) + ") {");
    String head =
        position
            + ", "
            + (copied.isEmpty() ? "NONE" : "new int[] {" + String.join(", ", copied) + "}");
    String rest = arguments.stream().map(a -> ", " + a).collect(joining());
    if (form == Form.VALUE && !(result instanceof ValueType.Prim)) {
      String call = "callInPlace(" + head + rest + ")";
      out.line(
          "return "
              + (isValue(result) ? "(" + returned + ") " + call : toJava(result, call))
              + ";");
    } else {
      boolean handle = result instanceof ValueType.Opaque && !isValue(result);
      String conversion =
          allocates
              ? "BindingValues.segment(v, results)"
                  + (((ValueType.Array) result).rank() == 1 ? ".memory()" : "")
              : toJava(result, "v");
      String call =
          handle
              ? toJava(result, "callInPlace(" + head + rest + ")")
              : "call(" + head + ", v -> " + conversion + rest + ")";
      out.line((isUnit(result) ? "" : "return ") + call + ";");
    }
    out.close("}");
  }

  private static String shape(ValueType type, Form form) {
    return form == Form.SEGMENT && type instanceof ValueType.Array a
        ? ", its elements in native byte order"
            + (a.elem() == ElemType.BOOL ? ", one byte each" : "")
        : form == Form.VALUE && isValue(type) ? ", in the memory of the program" : "";
  }
}
