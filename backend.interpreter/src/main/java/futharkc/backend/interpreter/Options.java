package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The choices that the meaning of a program leaves open to its evaluation.
 *
 * @param nested true to evaluate the nested body of parallel operations that have one
 * @param backwards true to visit the indices of parallel operations and independent loops from the
 *     last to the first
 * @param chunks the number of chunks of parallel regions of imperative programs, and of threads
 * @param chunk the chunk size of sequential streams; 0 for a single chunk
 * @param parameters the values of tuning parameters that differ from the defaults, by name
 * @param threshold the default of thresholds between versions of code
 * @param standIns the seed of arbitrary values that replace failed computations, in programs
 *     without memory annotations; null if a failure ends the program
 * @param explicitReads true if GPU host code may use elements of arrays only through explicit reads
 * @param watched true to detect races between GPU threads, and reads of elements that were never
 *     written
 * @param tagged true to detect that an array with a memory annotation is overwritten while it is
 *     live
 * @param uses the record of uses of blocks of tagged arrays; null if none is needed
 * @param failures the consumer of failures that values replace
 * @param trace the consumer of texts that the program traces; a line ends with a line break
 * @param events the consumer of the operands of events and of the events' numbers
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
    @Nullable BlockUsage uses,
    Consumer<FutharkError> failures,
    Consumer<String> trace,
    ObjIntConsumer<Value> events) {
  /**
   * The default options: outer bodies, ascending indices, one chunk, default parameters, no
   * tracing.
   */
  public static final Options DEFAULT =
      new Options(
          false,
          false,
          1,
          0,
          Map.of(),
          16,
          null,
          false,
          false,
          false,
          null,
          e -> {},
          text -> {},
          (value, event) -> {});

  public Options {
    if (chunks < 1) {
      throw new IllegalArgumentException("regions in " + chunks + " chunks");
    }
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

  /** Returns these options with a record of block uses; arrays must be {@link #tagged}. */
  public Options withUses(BlockUsage uses) {
    return with(d -> d.uses = uses);
  }

  public Options withFailures(Consumer<FutharkError> failures) {
    return with(d -> d.failures = failures);
  }

  public Options withTrace(Consumer<String> trace) {
    return with(d -> d.trace = trace);
  }

  public Options withEvents(ObjIntConsumer<Value> events) {
    return with(d -> d.events = events);
  }

  private Options with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of options. */
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
    @Nullable BlockUsage uses;
    Consumer<FutharkError> failures;
    Consumer<String> trace;
    ObjIntConsumer<Value> events;

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
      failures = o.failures;
      trace = o.trace;
      events = o.events;
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
          failures,
          trace,
          events);
    }
  }
}
