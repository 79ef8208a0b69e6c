/** The simplifier: local rules, common subexpressions, hoisting, dead code. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.simplify;
