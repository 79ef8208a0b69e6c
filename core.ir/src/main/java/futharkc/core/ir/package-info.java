/** The intermediate representation: names, types, operators, expressions and programs. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir;
