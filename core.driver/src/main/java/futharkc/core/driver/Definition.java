package futharkc.core.driver;

import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.core.ir.Program;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.frontend.FrontEnd;
import futharkc.core.language.lower.Lowering;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A checked definition of a value or function in the main file of a program. */
public final class Definition {
  private final Source source;
  private final FrontEnd.CheckedDefinition checked;

  private Definition(Source source, FrontEnd.CheckedDefinition checked) {
    this.source = source;
    this.checked = checked;
  }

  /**
   * Checks a program and returns one of its definitions.
   *
   * @param name the name of the definition in the main file
   * @throws ProgramRejectedException if the program has an error
   * @throws IllegalArgumentException if the main file has no such definition
   */
  public static Definition of(Source source, String name) {
    return new Definition(source, DeepStack.call(() -> FrontEndCalls.definition(source, name)));
  }

  /**
   * Checks a program and returns the text of the type of a module in its main file: specifications
   * in braces, or the type of a parametric module.
   *
   * @throws ProgramRejectedException if the program has an error
   * @throws IllegalArgumentException if the main file defines no such module
   */
  public static String moduleType(Source source, String name) {
    return DeepStack.call(() -> FrontEndCalls.moduleType(source, name));
  }

  /** Returns the text of the type. */
  public String type() {
    return checked.type();
  }

  /** Returns the names of the size parameters and then of the type parameters. */
  public List<String> parameters() {
    return java.util.stream.Stream.concat(
            checked.def().sizeParams().stream().map(n -> "[" + n.base() + "]"),
            checked.def().typeParams().stream().map(n -> "'" + n.base()))
        .toList();
  }

  /** Returns the names of the type parameters, which a polymorphic definition has. */
  public List<String> typeParameters() {
    return checked.def().typeParams().stream().map(Name::base).toList();
  }

  /** Tests whether the type is a function type. */
  public boolean isFunction() {
    return checked.def().type() instanceof Type.Fun;
  }

  /** Returns the names of the fields if the type is a record or tuple; null for other types. */
  public @Nullable List<String> fields() {
    return checked.def().type() instanceof Type.Record r ? List.copyOf(r.fields().keySet()) : null;
  }

  /** Tests whether the type is a tuple. */
  public boolean isTuple() {
    return Type.tupleElems(checked.def().type()) != null;
  }

  /** Returns the warnings about the whole program. */
  public List<Diagnostic> warnings() {
    return checked.warnings();
  }

  /** Tests whether {@link #lowered} is possible: the definition has a first-order value. */
  public boolean isValue() {
    return checked.program() != null;
  }

  /**
   * Returns the program in the representation of the front end, with this definition as its only
   * entry point.
   *
   * @throws ProgramRejectedException if the lowering rejects the program
   * @throws IllegalStateException if the definition is not a first-order value
   */
  public Program lowered() {
    var program = program();
    return DeepStack.call(() -> FrontEndCalls.lower(source, program));
  }

  /**
   * Returns the program of {@link #lowered} with events for a debugger.
   *
   * @throws ProgramRejectedException if the lowering rejects the program
   * @throws IllegalStateException if the definition is not a first-order value
   */
  public Lowering.Debugged debugged(Lowering.Debugger debugger) {
    var program = program();
    return DeepStack.call(() -> FrontEndCalls.debugged(source, program, debugger));
  }

  private futharkc.core.language.typed.Program program() {
    var program = checked.program();
    if (program == null) {
      throw new IllegalStateException("a definition of type " + type() + " cannot be run");
    }
    return program;
  }
}
