package futharkc.core.ir.analysis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers of analyses, kept as long as the very function that they are about: by its identity,
 * since functions are immutable and passes return the one they were given if they changed nothing.
 * One cache serves one compilation; it may be used by several threads, and every answer is computed
 * once.
 */
public final class AnalysisCache {
  private final Cache<Object, Map<Analysis<?, ?>, Entry>> functions =
      Caffeine.newBuilder().weakKeys().build();
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();

  /** An empty cache. */
  public AnalysisCache() {}

  /** An answer that somebody has or is about to have. */
  private static final class Entry extends CompletableFuture<Object> {
    private final Thread owner = Thread.currentThread();

    Object await(Analysis<?, ?> analysis) {
      if (!isDone() && owner == Thread.currentThread()) {
        throw new IllegalStateException("analysis " + analysis.name() + " needs itself");
      }
      try {
        return join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) throw cause;
        throw e;
      }
    }
  }

  private static final class Counter {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
  }

  /** The answer of an analysis about a function: computed now, or found. */
  @SuppressWarnings("unchecked")
  public <F, R> R get(F f, Analysis<F, R> analysis) {
    // The computation runs outside of Caffeine's, so that analyses may ask for others.
    Map<Analysis<?, ?>, Entry> known = functions.get(f, k -> new ConcurrentHashMap<>());
    Entry mine = new Entry();
    Entry found = known.putIfAbsent(analysis, mine);
    Counter counter = counters.computeIfAbsent(analysis.name(), k -> new Counter());
    if (found != null) {
      counter.hits.increment();
      return (R) found.await(analysis);
    }
    counter.misses.increment();
    try {
      R answer = analysis.compute(f, this);
      mine.complete(answer);
      return answer;
    } catch (RuntimeException | Error e) {
      known.remove(analysis, mine);
      mine.completeExceptionally(e);
      throw e;
    }
  }

  /** How often answers of an analysis were found, and how often computed. */
  public record Statistics(String analysis, long hits, long misses) {}

  /** The statistics of all analyses asked for so far, by name. */
  public List<Statistics> statistics() {
    return new TreeMap<>(counters)
        .entrySet().stream()
            .map(
                e -> new Statistics(e.getKey(), e.getValue().hits.sum(), e.getValue().misses.sum()))
            .toList();
  }
}
