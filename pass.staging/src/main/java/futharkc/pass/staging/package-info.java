/**
 * Passes that move data which kernels read often to shared memory.
 *
 * <p>Begin reading at a {@code Pass} class, whose Javadoc shows a program before and after. Each
 * pass is independent:
 *
 * <ul>
 *   <li>{@link futharkc.pass.staging.BlockStagingPass}: {@code KernelStaging}, {@code WindowReads},
 *       {@code Window}, {@code Read}.
 *   <li>{@link futharkc.pass.staging.BankPaddingPass}: {@code BankPadding}, {@code Banks}.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.staging;
