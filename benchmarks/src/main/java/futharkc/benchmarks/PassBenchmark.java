package futharkc.benchmarks;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.Verification;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Printer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A benchmark of passes over a program in its first representation. Each plan starts from IR text;
 * subtract the time of {@code read} from the other times.
 */
public class PassBenchmark extends CallTime {
  /** The number of bindings of the program. */
  @Param({"1000", "10000"})
  public int statements;

  private final Compiler compiler = Compiler.create();
  private Source ir = Source.ofText("program.fir", "");

  /** Lowers the program. */
  @Setup
  public void makeProgram() {
    Source source = Source.ofText("program.fut", SyntheticProgram.ofStatements(statements));
    ir =
        Source.ofText(
            "program.fir",
            Printer.print(compiler.optimise(source, CompilerOptions.DEFAULT, null).program()));
  }

  private Object run(String plan) {
    CompilerOptions options = CompilerOptions.DEFAULT.withVerify(Verification.NONE).withPlan(plan);
    return compiler.optimise(ir, options, Rep.SOACS);
  }

  /** Reads the program. */
  @Benchmark
  public Object read() {
    return compiler.optimise(ir, CompilerOptions.DEFAULT.withVerify(Verification.NONE), null);
  }

  /** Reads and simplifies the program. */
  @Benchmark
  public Object simplify() {
    return run("simplify");
  }

  /** Reads the program and fuses producers with consumers. */
  @Benchmark
  public Object fusion() {
    return run("fusion");
  }

  /** Reads the program and fuses writes. */
  @Benchmark
  public Object writeFusion() {
    return run("write-fusion");
  }
}
