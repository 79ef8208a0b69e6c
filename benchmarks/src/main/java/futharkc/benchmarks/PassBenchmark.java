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
 * Passes over a program in its first representation. A plan starts from IR text: {@code read} is
 * the time of reading it alone, to be taken off the others.
 */
public class PassBenchmark extends CallTime {
  /** Bindings of the program. */
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

  /** Reading the program. */
  @Benchmark
  public Object read() {
    return compiler.optimise(ir, CompilerOptions.DEFAULT.withVerify(Verification.NONE), null);
  }

  /** The simplifier. */
  @Benchmark
  public Object simplify() {
    return run("simplify");
  }

  /** Fusion of producers with consumers. */
  @Benchmark
  public Object fusion() {
    return run("fusion");
  }

  /** Fusion of writes. */
  @Benchmark
  public Object writeFusion() {
    return run("write-fusion");
  }
}
