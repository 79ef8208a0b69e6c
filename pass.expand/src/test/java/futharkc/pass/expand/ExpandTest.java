package futharkc.pass.expand;

import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.DeviceMapper;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class ExpandTest {
  private static final String FOLDER = "futharkc/pass/expand";

  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in(FOLDER, new ExpandPass());
  }

  @Test
  void noThreadAllocates() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of("src/test/resources", FOLDER))) {
      files = all.toList();
    }
    for (Path file : files) {
      String text = Files.readString(file);
      String after = text.substring(text.indexOf("=====\n") + "=====\n".length());
      Program p = Parser.parse(file.toString(), after);
      for (FunDef f : p.functions().values()) new OnHost(file).body(f.body());
    }
  }

  /** Finds allocations of threads, but for private memory and what a block allocates first. */
  private static final class OnHost extends DeviceMapper {
    private final Path file;
    private final Set<Stm> first = new HashSet<>();

    OnHost(Path file) {
      super(false);
      this.file = file;
    }

    @Override
    public SegOp segOp(SegOp op) {
      if (!inThread()) {
        for (Stm s : op.body().stms()) {
          if (!(s.exp() instanceof MemOp.Alloc a) || !(a.space() instanceof Space.Shared)) break;
          first.add(s);
        }
      }
      return super.segOp(op);
    }

    @Override
    public Stm stm(Stm s) {
      Exp e = s.exp();
      boolean allocates = e instanceof MemOp.Alloc a && !(a.space() instanceof Space.Scalar);
      assertTrue(!allocates || !inThread() || first.contains(s), () -> file + ": " + s);
      return super.stm(s);
    }
  }
}
