/**
 * Devices that run kernels: what is the same for every interface to them.
 *
 * <p>Generated code works with a {@link futharkc.core.runtime.device.Device}, which keeps account
 * of memory, kernels, failures and times. The calls that it makes are those of a {@link
 * futharkc.core.runtime.device.Driver}, of which each interface (CUDA, OpenCL) has one, made by its
 * {@link futharkc.core.runtime.device.DeviceApi}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime.device;
