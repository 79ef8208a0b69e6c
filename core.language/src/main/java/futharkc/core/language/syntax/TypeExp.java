package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type as written. */
public sealed interface TypeExp {
  Loc loc();

  /** A named type, possibly with arguments: {@code t}, {@code M.t [n] i32}. */
  record Named(QualName name, List<Arg> args, Loc loc) implements TypeExp {}

  /** A tuple type {@code (a, b)}, or the unit type {@code ()}. */
  record Tuple(List<TypeExp> elems, Loc loc) implements TypeExp {}

  /** A record type: {@code {x: a, y: b}}. */
  record Record(List<Field> fields, Loc loc) implements TypeExp {}

  /** An array type: {@code [n]t}. */
  record Array(Size size, TypeExp elem, Loc loc) implements TypeExp {}

  /** A unique type: {@code *t}. */
  record Unique(TypeExp type, Loc loc) implements TypeExp {}

  /** A function type: {@code (x: a) -> b}. */
  record Fun(@Nullable String param, TypeExp from, TypeExp to, Loc loc) implements TypeExp {}

  /** A sum type: {@code #a t | #b}. */
  record Sum(List<Variant> variants, Loc loc) implements TypeExp {}

  /** A type with existential sizes: {@code ?[n][m].t}. */
  record Exists(List<String> sizes, TypeExp type, Loc loc) implements TypeExp {}

  /** A field of a record type. */
  record Field(String name, TypeExp type, Loc loc) {}

  /** A constructor with its payload. */
  record Variant(String name, List<TypeExp> payload, Loc loc) {}

  /** An argument of a type constructor. */
  sealed interface Arg {
    /** A size: {@code [n]}. */
    record OfSize(Size size) implements Arg {}

    /** A type. */
    record OfType(TypeExp type) implements Arg {}
  }

  /** The size between the brackets of an array type. */
  sealed interface Size {
    /** An anonymous size {@code []}, which is inferred or unknown. */
    record Any(Loc loc) implements Size {}

    /** A size expression: {@code [e]}. */
    record Of(Exp exp) implements Size {}
  }
}
