/**
 * The pass {@code galop}, which chooses the layout of arrays.
 *
 * <p>Begin with {@link futharkc.pass.galop.GalopPass}, whose header describes the three choices.
 *
 * <ul>
 *   <li>Choices: {@code KernelOrders} (dimensions of maps), {@code WebLayouts} (arrays that the
 *       function makes), {@code LayoutCopies} and {@code CopyInsertion} (copies before loops).
 *   <li>Costs: {@code Traffic}, by options of the pass. The accesses come from {@link
 *       futharkc.core.ir.memory.ElementAccesses}.
 * </ul>
 *
 * <p>Costs decide speed only, and may change freely. Index functions decide correctness: they come
 * from {@link futharkc.core.ir.memory.Web} and {@link futharkc.core.ir.Lmad#rebase}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.galop;
