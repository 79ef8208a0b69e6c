/**
 * The run time of compiled programs: values, data formats, entry points, server protocol, reports,
 * devices.
 */
module futharkc.core.runtime {
  requires static org.jspecify;

  exports futharkc.core.runtime;
  exports futharkc.core.runtime.data;
  exports futharkc.core.runtime.device;
  exports futharkc.core.runtime.embed;
  exports futharkc.core.runtime.executable;

  uses futharkc.core.runtime.device.DeviceApi;
}
