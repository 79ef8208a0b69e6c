/**
 * The text side of testing programs: test blocks, expected results and how results are compared
 * with them, random data.
 */
@org.jspecify.annotations.NullMarked
package futharkc.harness.testing;
