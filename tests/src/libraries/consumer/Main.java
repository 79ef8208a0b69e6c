package consumer;

import com.acme.dot.Dot;
import com.acme.shapes.Counter;
import com.acme.shapes.Point;
import com.acme.shapes.Shape;
import com.acme.shapes.Shapes;
import com.acme.shapes.TupleI32I32;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.embed.ProgramSettings;
import futharkc.core.runtime.embed.ShapedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Calls every entry point of two libraries, and fails at the first wrong result. */
public final class Main {
  private static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE;

  private static void check(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }

  /** Runs the checks for the targets that the arguments name. */
  public static void main(String[] targets) throws Exception {
    dot();
    for (String target : targets) {
      try (Shapes shapes = new Shapes(ProgramSettings.DEFAULT.withTarget(target));
          Arena arena = Arena.ofConfined()) {
        check(target, shapes.target());
        arrays(shapes, arena);
        composites(shapes);
        failures(shapes);
      }
    }
    List<String> modules =
        ModuleLayer.boot().modules().stream()
            .map(Module::getName)
            .filter(m -> m.startsWith("futharkc"))
            .sorted()
            .toList();
    System.out.println("good with " + modules);
  }

  private static void dot() throws Exception {
    try (Dot dot = new Dot();
        Arena arena = Arena.ofConfined()) {
      check(11.0, dot.dot(new double[] {1, 2}, new double[] {3, 4}));
      check(11.0, dot.dot(arena.allocateFrom(F64, 1, 2), arena.allocateFrom(F64, 3, 4)));
      check(new com.acme.dot.Point(0), dot.origin());
      CountDownLatch done = new CountDownLatch(4);
      for (int i = 0; i < 4; i++) {
        Thread.ofPlatform()
            .start(
                () -> {
                  check(dot.slow(1_000_000), dot.slow(1_000_000));
                  done.countDown();
                });
      }
      done.await();
      Thread slow = Thread.ofPlatform().start(() -> interrupted(dot));
      while (slow.getState() == Thread.State.NEW) {
        Thread.onSpinWait();
      }
      slow.interrupt();
      slow.join();
    }
    Dot closed = new Dot();
    closed.close();
    closed.close();
    try {
      closed.origin();
      throw new AssertionError("a closed program runs");
    } catch (IllegalStateException e) {
      check("the program is closed", e.getMessage());
    }
  }

  private static void interrupted(Dot dot) {
    try {
      dot.slow(Long.MAX_VALUE);
      throw new AssertionError("the call went on");
    } catch (FutharkError e) {
      check("Interrupted.", e.getMessage());
    }
  }

  private static void arrays(Shapes shapes, Arena arena) {
    check("[2.0, 4.0]", Arrays.toString(shapes.scale(2, new double[] {1, 2})));
    MemorySegment scaled = shapes.scale(arena, 2, arena.allocateFrom(F64, 1, 2));
    check("[2.0, 4.0]", Arrays.toString(scaled.toArray(F64)));
    ArrayValue xs = shapes.adopt(ArrayValue.vector(ElemType.F64, new double[] {1, 2}));
    ArrayValue ys = shapes.scale(2, shapes.scale(2, xs));
    check("[4.0, 8.0]", Arrays.toString((double[]) ys.onHost().data()));
    shapes.release(ys);
    shapes.release(xs);
    check("[[1, 4], [2, 5]]", Arrays.deepToString(shapes.transposed(new int[][] {{1, 2}, {4, 5}})));
    MemorySegment six = arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2, 3, 4, 5, 6);
    ShapedSegment transposed = shapes.transposed(arena, new ShapedSegment(six, 2, 3));
    check("[3, 2]", Arrays.toString(transposed.shape()));
    check("[1, 4, 2, 5, 3, 6]", Arrays.toString(transposed.memory().toArray(ValueLayout.JAVA_INT)));
    int[] kept = {1, 2};
    check("[2, 2]", Arrays.toString(shapes.incremented(kept)));
    check("[1, 2]", Arrays.toString(kept));
    ArrayValue value = ArrayValue.vector(ElemType.I32, kept);
    check("[2, 2]", Arrays.toString((int[]) shapes.incremented(value).onHost().data()));
    check("[1, 2]", Arrays.toString(kept));
    int[] same = shapes.same(kept);
    same[0] = 7;
    check("[1, 2]", Arrays.toString(kept));
    MemorySegment flags = shapes.flags(arena, 3);
    check("[1, 0, 1]", Arrays.toString(flags.toArray(ValueLayout.JAVA_BYTE)));
    check((byte) 203, shapes.class_((byte) 3, flags));
    check((byte) 3, shapes.class_((byte) 3, new boolean[] {false}));
    check(3f, shapes.half(1, new short[] {Float.floatToFloat16(2)}).v0());
  }

  private static void composites(Shapes shapes) {
    check(new Point(3, 6), shapes.centre(new Point[] {new Point(1, 2.5), new Point(2, 3.5)}));
    check(4.0, shapes.area(new Shape.Circle(2)));
    check(6.0, shapes.area(new Shape.Square(2, 3)));
    check(0.0, shapes.area(new Shape.None()));
    OpaqueValue all = shapes.shapesValue(3);
    check("[]shape", all.type().name());
    shapes.release(all);
    check(
        List.of(new Shape.Circle(0), new Shape.Square(1, 2), new Shape.Circle(2)),
        List.of(shapes.shapes(3)));
    check(0, shapes.shapes(0).length);
    check(new TupleI32I32(3, 1), shapes.divmod(7, 2));
    Counter counter = shapes.newCounter(4);
    check(7, shapes.counterValue(counter));
    Point[][] grid = shapes.grid(3);
    check(new Point(1, 2), grid[2][1]);
  }

  private static void failures(Shapes shapes) {
    try {
      shapes.close_(new int[2]);
      throw new AssertionError("an index out of bounds");
    } catch (FutharkError e) {
      check("Index [10] out of bounds for array of shape [2].", e.getMessage());
      check(true, e.backtrace().contains("shapes.fut:"));
    }
    try {
      shapes.transposed(new int[][] {{1}, {2, 3}});
      throw new AssertionError("an irregular array");
    } catch (IllegalArgumentException e) {
      check(true, e.getMessage().contains("irregular"));
    }
  }
}
