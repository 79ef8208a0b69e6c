/**
 * The fusion pass.
 *
 * <p>Begin with {@link FusionPass}, then read {@link FusedBody}, which applies the steps to one
 * body in order:
 *
 * <ul>
 *   <li>{@link InputForwarding}, {@link Transforms} with {@link Nests}, and {@link EditedBody} move
 *       copies, slices, transpositions and reshapes out of the way.
 *   <li>{@link BodyFusion} contracts pairs of nodes in the dependence graph. Its obstacle methods
 *       decide which pairs.
 *   <li>{@link LoopSinking}, {@link BranchSinking} and {@link TailDuplication} move operations into
 *       loops and branches.
 *   <li>{@link FusionRemarks} reports decisions and counts fusions against the limit.
 * </ul>
 *
 * <p>A new condition on fusion belongs into an obstacle method of {@link BodyFusion}, with a
 * remark. The composition of lambdas is in the IR module, not here. Each step must return the same
 * body if it changes nothing, since callers test identity.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.fusion;
