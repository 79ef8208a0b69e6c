package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.SourceFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The resolution of import paths. */
public final class ImportNames {
  private ImportNames() {}

  /** An import in a file. */
  public record Reference(String path, Loc loc) {}

  /**
   * Returns the name of an imported file, without the extension. The path is relative to the
   * importing file's directory. The name has no {@code .} and no superfluous {@code ..}, so that
   * each file has one name. Absolute names denote built-in files.
   *
   * @param importer the name of the importing file
   * @param path the string in the import
   */
  public static String resolve(String importer, String path) {
    if (path.startsWith("/")) {
      return path;
    }
    int slash = importer.lastIndexOf('/');
    String joined = importer.substring(0, slash + 1) + path;
    Deque<String> parts = new ArrayDeque<>();
    for (String part : joined.split("/", -1)) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return (joined.startsWith("/") ? "/" : "") + String.join("/", parts);
  }

  /** Tests whether a name denotes a file that is part of the compiler. */
  public static boolean isBuiltin(String name) {
    return name.startsWith("/");
  }

  /** Returns every import in a file, in order. */
  public static List<Reference> of(SourceFile file) {
    List<Reference> result = new ArrayList<>();
    for (Dec dec : file.decs()) {
      collect(dec, result);
    }
    return List.copyOf(result);
  }

  private static void collect(Dec dec, List<Reference> result) {
    switch (dec) {
      case Dec.Import i -> result.add(new Reference(i.path(), i.loc()));
      case Dec.Local l -> collect(l.dec(), result);
      case Dec.Open o -> collect(o.mod(), result);
      case Dec.Mod m -> collect(m.body(), result);
      case Dec.Val v -> {}
      case Dec.Type t -> {}
      case Dec.Sig s -> {}
    }
  }

  private static void collect(ModExp mod, List<Reference> result) {
    switch (mod) {
      case ModExp.Import i -> result.add(new Reference(i.path(), i.loc()));
      case ModExp.Decs d -> d.decs().forEach(dec -> collect(dec, result));
      case ModExp.Apply a -> {
        Deque<ModExp> parts = new ArrayDeque<>();
        ModExp functor = a;
        for (; functor instanceof ModExp.Apply f; functor = f.functor()) {
          parts.push(f.arg());
        }
        parts.push(functor);
        parts.forEach(part -> collect(part, result));
      }
      case ModExp.Ascript a -> collect(a.mod(), result);
      case ModExp.Lambda l -> collect(l.body(), result);
      case ModExp.Var v -> {}
    }
  }
}
