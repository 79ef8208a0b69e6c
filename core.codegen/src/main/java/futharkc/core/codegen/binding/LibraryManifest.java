package futharkc.core.codegen.binding;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.TypeTable;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.executable.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The description of a library: its entry points with their types, its targets, and the hash of its
 * sources. The description is JSON in a file of the library; the main attributes of the jar name
 * the classes.
 *
 * @param program an instance of the program
 * @param packageName the package of the typed class
 * @param writer the printer of the typed class
 * @param codes the name of the program class for each target, the preferred target first
 * @param documentation the documentation comments
 * @param hash the hash of the program's sources
 * @param version the version of the compiler
 */
public record LibraryManifest(
    FutharkProgram program,
    String packageName,
    BindingWriter writer,
    Map<String, String> codes,
    BindingWriter.Documentation documentation,
    String hash,
    String version) {
  /** The longest line of a jar's manifest in bytes, without the line end. */
  private static final int LINE = 70;

  /** Returns the main attributes of the jar. */
  public Map<String, String> attributes() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("Futhark-Program", program.name());
    all.put("Futhark-Class", packageName + "." + writer.className());
    List<String> targets = new ArrayList<>();
    codes.forEach((target, code) -> targets.add(target + "=" + code));
    all.put("Futhark-Targets", String.join(" ", targets));
    all.put("Futhark-Hash", hash);
    all.put("Futhark-Compiler", version);
    return all;
  }

  /** Returns a line of a jar's manifest, continued over several lines if it is long. */
  public static String attribute(String name, String value) {
    byte[] line = (name + ": " + value).getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length; ) {
      int n = Math.min(line.length - i, i == 0 ? LINE : LINE - 1);
      while (i + n < line.length && (line[i + n] & 0xc0) == 0x80) {
        n--;
      }
      text.append(i == 0 ? "" : " ")
          .append(new String(line, i, n, StandardCharsets.UTF_8))
          .append("\r\n");
      i += n;
    }
    return text.toString();
  }

  /** Returns the description in JSON. */
  public String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("program", program.name());
    all.put("class", packageName + "." + writer.className());
    all.put("hash", hash);
    all.put("compiler", version);
    all.put("targets", codes);
    all.put("documentation", documentation.ofProgram());
    Map<String, Object> entries = new LinkedHashMap<>();
    for (EntryPoint entry : program.entryPoints()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("method", Objects.requireNonNull(writer.methods().get(entry.name())));
      List<Object> parameters = new ArrayList<>();
      for (EntryPoint.Parameter p : entry.parameters()) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", p.name());
        parameter.put("type", p.type().name());
        parameter.put("unique", p.unique());
        parameters.add(parameter);
      }
      one.put("parameters", parameters);
      one.put("result", entry.result().name());
      one.put("unique", entry.uniqueResult());
      one.put("attributes", List.of(entry.attributes()));
      one.put("documentation", documentation.ofEntries().getOrDefault(entry.name(), ""));
      entries.put(entry.name(), one);
    }
    all.put("entries", entries);
    Map<String, Object> types = new LinkedHashMap<>();
    TypeTable table = new TypeTable(program);
    for (String name : table.names()) {
      if (table.find(name) instanceof ValueType.Opaque o) {
        types.put(name, structure(o.structure()));
      }
    }
    all.put("types", types);
    StringBuilder text = new StringBuilder();
    json(all, "\n", text);
    return text.append('\n').toString();
  }

  private static Map<String, Object> structure(ValueType.Structure structure) {
    return switch (structure) {
      case ValueType.Record r -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (ValueType.Field f : r.fields()) {
          fields.put(f.name(), f.type().name());
        }
        yield Map.of("record", fields);
      }
      case ValueType.Sum s -> {
        Map<String, Object> variants = new LinkedHashMap<>();
        for (ValueType.Variant v : s.variants()) {
          variants.put(v.name(), List.of(v.payload()).stream().map(ValueType::name).toList());
        }
        yield Map.of("sum", variants);
      }
      case ValueType.ArrayOf a -> {
        Map<String, Object> array = new LinkedHashMap<>();
        array.put("rank", a.rank());
        array.put("element", a.elem().name());
        yield Map.of("array", array);
      }
      case ValueType.Abstract _ -> Map.of("abstract", true);
    };
  }

  private static void json(Object value, String line, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map -> {
        String separator = "{";
        for (Map.Entry<?, ?> e : map.entrySet()) {
          out.append(separator).append(line).append("  ");
          json(e.getKey(), line, out);
          out.append(": ");
          json(e.getValue(), line + "  ", out);
          separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : line + "}");
      }
      case List<?> list -> {
        String separator = "[";
        for (Object element : list) {
          out.append(separator);
          json(element, line + "  ", out);
          separator = ", ";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case String s -> Json.string(out, s);
      default -> out.append(value);
    }
  }
}
