/**
 * The behaviour of a compiled program as an executable: its options, and the server protocol.
 *
 * <p>Begin with {@link futharkc.core.runtime.executable.ExecutableMain}, or {@link
 * futharkc.core.runtime.executable.DeviceMain} for programs on devices.
 *
 * <ul>
 *   <li>The command line: {@code RunOptions} parses it, {@code Tuning} sets parameters, {@code
 *       Report} and {@code Timeline} write measurements.
 *   <li>The server: {@code Server}, with the types in {@link futharkc.core.runtime.TypeTable}.
 *   <li>Fast starts: {@code AotCache}, {@code AsyncDeviceOpen} and {@code JitWarmUp}. They change
 *       no result, and every failure in them is ignored.
 * </ul>
 *
 * <p>Options and the server protocol are those of Futhark, and must stay compatible with its tools.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime.executable;
