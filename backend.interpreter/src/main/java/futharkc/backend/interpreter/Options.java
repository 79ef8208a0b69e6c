package futharkc.backend.interpreter;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a program is evaluated where its meaning leaves a choice.
 *
 * @param nested whether the nested body of a parallel operation is taken, where there is one
 * @param backwards whether parallel operations, and loops whose iterations are independent, visit
 *     their indices from the last to the first
 * @param chunks into how many chunks parallel regions of imperative programs are cut; there are as
 *     many threads
 * @param chunk the size of chunks of sequential streams; 0 for everything at once
 * @param parameters values of tuning parameters by name, where they are not the defaults
 * @param threshold what thresholds of versions of code are where nobody sets them
 * @param standIns the seed of arbitrary values that stand in for those that fail to be computed, in
 *     programs without places in memory; null if what fails ends the program
 * @param explicitReads whether host code of a GPU may use elements of arrays only where it says
 *     that it reads them
 * @param watched whether accesses to arrays are watched: threads of a GPU must not write what
 *     others read or write at the same time, and nobody may read what was never written
 * @param tagged whether arrays that have places in memory notice that another one is put over them
 *     while they are still read
 * @param uses is to know when blocks of tagged arrays are used
 * @param trace takes tag and value of what the program traces
 */
public record Options(
    boolean nested,
    boolean backwards,
    int chunks,
    long chunk,
    Map<String, Long> parameters,
    long threshold,
    @Nullable Long standIns,
    boolean explicitReads,
    boolean watched,
    boolean tagged,
    @Nullable BlockUses uses,
    BiConsumer<String, String> trace) {
  /** Outer bodies, ascending indices, whole regions and streams, default parameters, no tracing. */
  public static final Options DEFAULT =
      new Options(
          false, false, 1, 0, Map.of(), 16, null, false, false, false, null, (tag, value) -> {});

  public Options {
    if (chunks < 1) throw new IllegalArgumentException("regions in " + chunks + " chunks");
    parameters = Map.copyOf(parameters);
  }

  public Options withNested(boolean nested) {
    return with(d -> d.nested = nested);
  }

  public Options withBackwards(boolean backwards) {
    return with(d -> d.backwards = backwards);
  }

  public Options withChunks(int chunks) {
    return with(d -> d.chunks = chunks);
  }

  public Options withChunk(long chunk) {
    return with(d -> d.chunk = chunk);
  }

  public Options withParameters(Map<String, Long> parameters) {
    return with(d -> d.parameters = parameters);
  }

  public Options withThreshold(long threshold) {
    return with(d -> d.threshold = threshold);
  }

  public Options withStandIns(long seed) {
    return with(d -> d.standIns = seed);
  }

  public Options withExplicitReads(boolean explicitReads) {
    return with(d -> d.explicitReads = explicitReads);
  }

  public Options withWatched(boolean watched) {
    return with(d -> d.watched = watched);
  }

  public Options withTagged(boolean tagged) {
    return with(d -> d.tagged = tagged);
  }

  /** With an account of when blocks are used; of arrays that are {@link #tagged}. */
  public Options withUses(BlockUses uses) {
    return with(d -> d.uses = uses);
  }

  public Options withTrace(BiConsumer<String, String> trace) {
    return with(d -> d.trace = trace);
  }

  private Options with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options being amended. */
  private static final class Draft {
    boolean nested;
    boolean backwards;
    int chunks;
    long chunk;
    Map<String, Long> parameters;
    long threshold;
    @Nullable Long standIns;
    boolean explicitReads;
    boolean watched;
    boolean tagged;
    @Nullable BlockUses uses;
    BiConsumer<String, String> trace;

    Draft(Options o) {
      nested = o.nested;
      backwards = o.backwards;
      chunks = o.chunks;
      chunk = o.chunk;
      parameters = o.parameters;
      threshold = o.threshold;
      standIns = o.standIns;
      explicitReads = o.explicitReads;
      watched = o.watched;
      tagged = o.tagged;
      uses = o.uses;
      trace = o.trace;
    }

    Options options() {
      return new Options(
          nested,
          backwards,
          chunks,
          chunk,
          parameters,
          threshold,
          standIns,
          explicitReads,
          watched,
          tagged,
          uses,
          trace);
    }
  }
}
