/**
 * The run time on devices, independent of the interface (CUDA, OpenCL).
 *
 * <p>Begin with {@link futharkc.core.runtime.device.Device}, which generated code calls: it counts
 * memory, launches kernels, and reports failures and times. Its own calls go to a {@link
 * futharkc.core.runtime.device.Driver}. Each interface implements {@code Driver} and {@link
 * futharkc.core.runtime.device.DeviceApi}, which opens drivers.
 *
 * <ul>
 *   <li>Selection of a device: {@code DeviceChoice}, {@code DeviceOptions}, {@code DeviceInfo},
 *       {@code Diagnosis}.
 *   <li>Memory: {@code Buffer} and {@code BufferPool}; {@code Transfers} for arrays and {@code
 *       ScalarReads} for scalars.
 *   <li>Kernels: {@code KernelSource} is the compiler's output, {@code KernelProgram} the loaded
 *       kernels. Between them, {@code KernelBinaries} searches for binaries, {@code BinaryCache}
 *       keeps them, {@code ModuleCompilation} compiles ahead, and {@code KernelChecksum} protects
 *       files. {@code KernelArguments} and {@code FailureWord} belong to launches.
 *   <li>Native code: {@code SharedLibrary} and {@code NativeBinding}.
 * </ul>
 *
 * <p>Generated code uses {@code Device}, {@code DeviceProgram}, {@code Buffer} and the {@code
 * Kernel} classes; a change of their public signatures needs a change of the code generators. A
 * change of {@code Driver} needs a change of both interfaces and of the simulated device of the
 * tests.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime.device;
