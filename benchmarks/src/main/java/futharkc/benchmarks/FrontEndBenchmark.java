package futharkc.benchmarks;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.Parser;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From source to the first representation: parser, checker, lowering, each with those before it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FrontEndBenchmark {
  /** Bindings of the program. */
  @Param({"100", "1000", "10000"})
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
    return compiler.optimise(source, CompilerOptions.DEFAULT.withVerify(false), null);
  }
}
