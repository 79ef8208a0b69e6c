/** The OpenCL run time of compiled programs. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.opencl.runtime;
