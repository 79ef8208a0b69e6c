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
 * A cache of analysis results, keyed by the identity of functions. Functions are immutable, and
 * passes return unchanged functions themselves. An entry lives as long as its function. A cache
 * belongs to one compilation and is thread-safe; each result is computed once.
 */
public final class AnalysisCache {
  private final Cache<Object, Map<Analysis<?, ?>, Entry>> functions =
      Caffeine.newBuilder().weakKeys().build();
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();

  /** Makes an empty cache. */
  public AnalysisCache() {}

  /** A result that a thread has computed or is computing. */
  private static final class Entry extends CompletableFuture<Object> {
    private final Thread owner = Thread.currentThread();

    Object await(Analysis<?, ?> analysis) {
      if (!isDone() && owner == Thread.currentThread()) {
        throw new IllegalStateException("analysis " + analysis.name() + " needs itself");
      }
      try {
        return join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw e;
      }
    }
  }

  private static final class Counter {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
  }

  /** Returns the result of an analysis of a function, computing it if necessary. */
  @SuppressWarnings("unchecked")
  public <F, R> R get(F f, Analysis<F, R> analysis) {
    // The computation is outside Caffeine's, so that analyses may request others.
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

  /** The numbers of cached and computed results of an analysis. */
  public record Statistics(String analysis, long hits, long misses) {}

  /** Returns the statistics of all analyses requested so far, ordered by name. */
  public List<Statistics> statistics() {
    return new TreeMap<>(counters)
        .entrySet().stream()
            .map(
                e -> new Statistics(e.getKey(), e.getValue().hits.sum(), e.getValue().misses.sum()))
            .toList();
  }
}
