/**
 * Passes that move data which kernels read often: to shared memory, or to a copy with another
 * layout.
 *
 * <p>Begin reading at a {@code Pass} class, whose Javadoc shows a program before and after. Each
 * pass is independent:
 *
 * <ul>
 *   <li>{@link futharkc.pass.staging.BlockStagingPass}: {@code KernelStaging}, {@code WindowReads},
 *       {@code Window}, {@code Read}.
 *   <li>{@link futharkc.pass.staging.BankPaddingPass}: {@code BankPadding}, {@code Banks}.
 *   <li>{@link futharkc.pass.staging.InputTranspositionPass}: {@code InputTransposition}.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.staging;
