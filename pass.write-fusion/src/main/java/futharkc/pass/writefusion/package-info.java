/**
 * The write fusion pass, and the pass that checks writes for conflicts.
 *
 * <p>Begin with {@link WriteFusionPass}, then read {@link Write} and {@link BodyWriteFusion}.
 *
 * <ul>
 *   <li>Fusion with producers: {@link BodyWriteFusion}, {@link Composition} (conditions and
 *       composition of two operations), {@link Split} (a map of which a write can use one half),
 *       {@link WriteUnflattening} (writes over flattened arrays).
 *   <li>Fusion of writes: {@link BodyWriteFusion}, {@link SameTarget}.
 *   <li>Transformations before: {@link ConcatenationWrites}, {@link LastElements}.
 *   <li>Proofs about indices: {@link IndexProofs}, which {@link CheckElimination} uses after
 *       fusion.
 *   <li>Checks of conflicting writes: {@link CheckWritesPass}, {@link CheckedWrite}.
 *   <li>{@link WriteFusionRemarks} reports decisions and counts fusions against the limit.
 * </ul>
 *
 * <p>A new condition on fusion belongs into {@link BodyWriteFusion} or {@link Composition}, with a
 * remark. Proofs belong into {@link IndexProofs} and must be conservative: a wrong proof makes
 * programs write out of bounds.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.writefusion;
