package futharkc.benchmarks;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.Verification;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.Parser;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * From source to the first representation: parser, checker, lowering, each with those before it.
 */
public class FrontEndBenchmark extends CallTime {
  /** Bindings of the program. */
  @Param({"1000", "10000"})
  public int statements;

  private String text = "";
  private Source source = Source.ofText("program.fut", text);
  private final Compiler compiler = Compiler.create();

  /** Makes the program. */
  @Setup
  public void makeProgram() {
    text = SyntheticProgram.ofStatements(statements);
    source = Source.ofText("program.fut", text);
  }

  /** The parser alone. */
  @Benchmark
  public Object parse() {
    return Parser.parse("program", "program.fut", text, new Diagnostics());
  }

  /** Parser and checker; the prelude comes from its snapshot. */
  @Benchmark
  public Object check() {
    return Compiler.check(source);
  }

  /** Parser, checker and lowering, with the verifier off. */
  @Benchmark
  public Object lower() {
    return compiler.optimise(source, CompilerOptions.DEFAULT.withVerify(Verification.NONE), null);
  }
}
