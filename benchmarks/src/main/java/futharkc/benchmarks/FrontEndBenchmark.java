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
 * A benchmark of the front end: parser, checker and lowering, each including the earlier phases.
 */
public class FrontEndBenchmark extends CallTime {
  /** The number of bindings of the program. */
  @Param({"1000", "10000"})
  public int statements;

  private String text = "";
  private Source source = Source.ofText("program.fut", text);
  private final Compiler compiler = Compiler.create();

  /** Generates the program. */
  @Setup
  public void makeProgram() {
    text = SyntheticProgram.ofStatements(statements);
    source = Source.ofText("program.fut", text);
  }

  /** Runs the parser. */
  @Benchmark
  public Object parse() {
    return Parser.parse("program", "program.fut", text, new Diagnostics());
  }

  /** Runs parser and checker; the prelude is loaded from its snapshot. */
  @Benchmark
  public Object check() {
    return Compiler.check(source);
  }

  /** Runs parser, checker and lowering, without the verifier. */
  @Benchmark
  public Object lower() {
    return compiler.optimise(source, CompilerOptions.DEFAULT.withVerify(Verification.NONE), null);
  }
}
