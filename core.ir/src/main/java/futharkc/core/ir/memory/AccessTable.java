package futharkc.core.ir.memory;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.ElementAccess.Iteration;
import futharkc.core.ir.memory.ElementAccess.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table of the accesses of parallel operations to elements of arrays, with their strides. */
public final class AccessTable {
  /** The elements that neighbouring threads of a device, or consecutive iterations, access. */
  public enum Pattern {
    /** All access one element. */
    SAME,
    /** The elements are neighbours. */
    NEIGHBOURS,
    /** The elements are apart. */
    APART,
    /** The distance varies, for example because the index is loaded. */
    IRREGULAR
  }

  /**
   * An access.
   *
   * @param operation the first result of the parallel operation
   * @param inLoop whether a thread repeats the access in a loop
   * @param strides the distance of elements in consecutive iterations, for each iteration around
   *     the access inside the operation, innermost first
   */
  public record Row(
      String function, Name operation, ElementAccess access, boolean inLoop, List<Stride> strides) {
    /**
     * Returns the pattern.
     *
     * @param device whether threads of a device run the iterations of the innermost dimension
     */
    public Pattern pattern(boolean device) {
      for (Stride s : strides) {
        if (!device || s.iteration().level() == Level.INNER) {
          return s.pattern();
        }
      }
      return Pattern.SAME;
    }
  }

  /**
   * The stride of an access in an iteration.
   *
   * @param elements the distance in elements; null if it varies
   */
  public record Stride(Iteration iteration, @Nullable Poly elements) {
    /** Returns the pattern of consecutive iterations. */
    public Pattern pattern() {
      if (elements == null) {
        return Pattern.IRREGULAR;
      }
      Long constant = elements.constant();
      if (constant == null) {
        return Pattern.APART;
      }
      if (constant == 0) {
        return Pattern.SAME;
      }
      return Math.abs(constant) == 1 ? Pattern.NEIGHBOURS : Pattern.APART;
    }
  }

  private AccessTable() {}

  /** Returns the accesses of a program in a memory representation, in the order of the program. */
  public static List<Row> of(Program program) {
    List<Row> rows = new ArrayList<>();
    for (FunDef f : program.functions().values()) {
      ElementAccesses all = ElementAccesses.of(f, new FunctionMemory(f, program));
      for (ElementAccess a : all.all()) {
        Stm operation = a.operation();
        if (operation != null) {
          rows.add(row(f, operation, a, all));
        }
      }
    }
    return rows;
  }

  private static Row row(FunDef f, Stm operation, ElementAccess a, ElementAccesses all) {
    List<Stride> strides = new ArrayList<>();
    boolean inLoop = false;
    for (Iteration i : a.nest().reversed()) {
      if (i.level() == Level.HOST) {
        continue;
      }
      inLoop |= i.level() == Level.LOOP;
      strides.add(new Stride(i, all.stride(a, a.place().lmad(), i.index())));
    }
    return new Row(f.name(), operation.pat().get(0).name(), a, inLoop, strides);
  }

  /** Returns the table as text, one line for each access after a line of headings. */
  public static String text(Program program) {
    boolean device = program.rep().hasDevice();
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of("function", "operation", "access", "array", "pattern", "strides", "location"));
    for (Row r : of(program)) {
      ElementAccess a = r.access();
      lines.add(
          List.of(
              r.function(),
              r.operation().toString(),
              word(a.kind()) + (r.inLoop() ? " in loop" : ""),
              a.array() + ":" + a.elem(),
              word(r.pattern(device)),
              strides(r),
              a.loc().equals(Loc.NONE) ? "" : a.loc().toString()));
    }
    return aligned(lines);
  }

  /** Returns the strides of an access as text, innermost first. */
  public static String strides(Row row) {
    List<String> strides = new ArrayList<>();
    for (Stride s : row.strides()) {
      Poly elements = s.elements();
      strides.add(s.iteration().index() + ":" + (elements == null ? "?" : elements));
    }
    return String.join(" ", strides);
  }

  private static String word(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }

  private static String aligned(List<List<String>> lines) {
    int columns = lines.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], line.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String cell = line.get(c);
        row.append(cell).repeat(' ', widths[c] - cell.length() + 2);
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
