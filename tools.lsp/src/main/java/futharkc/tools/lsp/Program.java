package futharkc.tools.lsp;

import futharkc.core.language.index.Analyser;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The program of a main file. Only the analysing thread uses it, except where stated. */
final class Program {
  /**
   * An analysis with the analysed texts, by path.
   *
   * @param missing the files that the program imports and that do not exist
   */
  record Snapshot(
      Analyser.Analysis analysis, Map<String, TextSnapshot> texts, Set<String> missing) {
    Snapshot {
      texts = Map.copyOf(texts);
      missing = Set.copyOf(missing);
    }

    /** Tests whether the program imports a file. */
    boolean includes(String file) {
      return texts.containsKey(file) || missing.contains(file);
    }
  }

  private final String path;
  private final Analyser analyser = new Analyser();

  /** The number of changes so far. All threads may use it. */
  private final AtomicInteger changes = new AtomicInteger();

  /** The number of the change that the last complete analysis has seen. */
  private volatile int analysed = -1;

  private volatile @Nullable Snapshot latest;
  private @Nullable Snapshot typed;

  Program(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /** Ends the running analysis, and returns the number of the change. All threads may call this. */
  int change() {
    return changes.incrementAndGet();
  }

  /**
   * Analyses the program.
   *
   * @param change the number of the change that requires the analysis
   * @param reader a function from a path to a text
   * @return the analysis, or null if a later change makes the analysis needless
   */
  @Nullable Snapshot analyse(int change, Function<String, @Nullable String> reader) {
    Map<String, TextSnapshot> texts = new HashMap<>();
    Set<String> missing = new HashSet<>();
    try {
      Analyser.Analysis analysis =
          analyser.analyse(
              path,
              p -> {
                String text = reader.apply(p);
                if (text == null) {
                  missing.add(p);
                } else {
                  texts.put(p, new TextSnapshot(text));
                }
                return text;
              },
              () -> changes.get() != change);
      Snapshot snapshot = new Snapshot(analysis, texts, missing);
      latest = snapshot;
      analysed = change;
      if (analysis.index().hasTypes(path)) {
        typed = snapshot;
      }
      return snapshot;
    } catch (CancellationException e) {
      return null;
    }
  }

  /** Returns the last analysis, or null before the first. */
  @Nullable Snapshot latest() {
    return latest;
  }

  /** Returns the last analysis with types if there is one, and else the last analysis. */
  @Nullable Snapshot best() {
    return typed == null ? latest : typed;
  }

  /**
   * Tests whether the program may contain a file. An analysis that is not complete may have read any
   * file. All threads may call this.
   */
  boolean mayInclude(String file) {
    Snapshot last = latest;
    return analysed != changes.get() || last == null || last.includes(file);
  }
}
