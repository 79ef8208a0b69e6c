package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.codegen.Backend;
import futharkc.core.ir.text.Parser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InterpreterBackendTest {
  @Test
  void noTargetMakesExecutables(@TempDir Path folder) {
    InterpreterBackend backend = new InterpreterBackend();
    for (Backend.Target target : backend.targets()) {
      Backend.Product product =
          backend.compile(Parser.parse("test", "#futhark-ir soacs v1\n"), "prog", target);
      Path file = folder.resolve("prog");
      IOException e =
          assertThrows(IOException.class, () -> product.writeExecutable(file, List.of()));
      assertTrue(e.getMessage().contains(target.name() + " makes no executables"), e.getMessage());
      assertFalse(Files.exists(file));
    }
  }
}
