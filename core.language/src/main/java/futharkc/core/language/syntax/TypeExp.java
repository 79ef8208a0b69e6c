package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type as written. */
public sealed interface TypeExp {
  Loc loc();

  /** A named type, possibly with arguments: {@code t}, {@code M.t [n] i32}. */
  record Named(QualName name, List<Arg> args, Loc loc) implements TypeExp {}

  /** {@code (a, b)}; the unit type when empty. */
  record Tuple(List<TypeExp> elems, Loc loc) implements TypeExp {}

  /** {@code {x: a, y: b}}. */
  record Record(List<Field> fields, Loc loc) implements TypeExp {}

  /** {@code [n]t}. */
  record Array(Size size, TypeExp elem, Loc loc) implements TypeExp {}

  /** {@code *t}. */
  record Unique(TypeExp type, Loc loc) implements TypeExp {}

  /** {@code (x: a) -> b}. */
  record Fun(@Nullable String param, TypeExp from, TypeExp to, Loc loc) implements TypeExp {}

  /** {@code #a t | #b}. */
  record Sum(List<Variant> variants, Loc loc) implements TypeExp {}

  /** {@code ?[n][m].t}. */
  record Exists(List<String> sizes, TypeExp type, Loc loc) implements TypeExp {}

  /** A field of a record type. */
  record Field(String name, TypeExp type, Loc loc) {}

  /** A constructor with its payload. */
  record Variant(String name, List<TypeExp> payload, Loc loc) {}

  /** An argument of a type constructor. */
  sealed interface Arg {
    /** {@code [n]}. */
    record OfSize(Size size) implements Arg {}

    /** A type. */
    record OfType(TypeExp type) implements Arg {}
  }

  /** What stands between the brackets of an array type. */
  sealed interface Size {
    /** {@code []}: a size that is inferred or unknown. */
    record Any(Loc loc) implements Size {}

    /** {@code [e]}. */
    record Of(Exp exp) implements Size {}
  }
}
