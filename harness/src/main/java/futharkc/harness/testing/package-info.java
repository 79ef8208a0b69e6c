/**
 * The text side of program tests: test blocks, FutharkScript, random data, and the comparison of
 * results. Begin reading at {@link futharkc.harness.testing.TestSpecParser}.
 *
 * <ul>
 *   <li>Test blocks: {@code TestSpecParser} and {@code BlockCursor} build a {@code TestSpec};
 *       {@code TextPattern} is a regular expression in a block.
 *   <li>FutharkScript: {@code ScriptParser} builds a {@code ScriptExp}; {@code ScriptEvaluator}
 *       computes a {@code ScriptValue}.
 *   <li>Data: {@code DataFiles} reads and writes values, {@code RandomValue} describes and {@code
 *       RandomValues} generates values, {@code ValueText} names data sets, {@code DatasetCommand}
 *       is the command {@code dataset}.
 *   <li>Results: {@code ResultComparison}.
 * </ul>
 *
 * <p>The syntax of test blocks and FutharkScript and the tolerance of comparisons are those of the
 * public Futhark tools. A change of these, or of the values for a seed, breaks existing tests of
 * programs.
 */
@org.jspecify.annotations.NullMarked
package futharkc.harness.testing;
