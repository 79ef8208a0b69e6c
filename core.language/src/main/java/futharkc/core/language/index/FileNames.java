package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.SourceFile;
import java.util.ArrayList;
import java.util.List;

/** The names in one file. */
final class FileNames {
  /** The scope of a range of the file. */
  record ScopeRange(Loc loc, Scope scope) {}

  final SourceFile file;
  final SourceText text;

  /** The names that other files see. */
  final Members exports = new Members();

  final List<Occurrence> occurrences = new ArrayList<>();
  final List<ScopeRange> scopes = new ArrayList<>();

  /** The definitions of the file, in order. */
  final List<Outline> outline = new ArrayList<>();

  /** The scope after the last declaration. */
  final Scope scope;

  FileNames(SourceFile file, String text, Scope scope) {
    this.file = file;
    this.text = new SourceText(file.path(), text);
    this.scope = scope;
  }
}
