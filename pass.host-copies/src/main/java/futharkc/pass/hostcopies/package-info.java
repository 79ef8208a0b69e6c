/** The pass {@link futharkc.pass.hostcopies.HostCopiesPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.hostcopies;
