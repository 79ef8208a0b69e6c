package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.Driver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DevicesTest {
  /** An interface without devices. */
  private record Empty(@Nullable String failure) implements DeviceApi {
    @Override
    public String name() {
      return "Empty";
    }

    @Override
    public List<DeviceInfo> devices() {
      if (failure != null) {
        throw new FutharkError(failure);
      }
      return List.of();
    }

    @Override
    public NoDevices noDevices() {
      return new NoDevices("nothing was found", "buy one");
    }

    @Override
    public void prepare(int times) {}

    @Override
    public int preferred(List<DeviceInfo> devices) {
      return 0;
    }

    @Override
    public Driver open(DeviceInfo device, DeviceOptions options) {
      throw new AssertionError();
    }
  }

  @Test
  void anInstalledDriverWithoutDeviceFailsTests() {
    assertFalse(Devices.hasDevice(new Empty(null), false));
    assertFalse(Devices.hasDevice(new Empty("broken"), false));
    AssertionError none =
        assertThrows(AssertionError.class, () -> Devices.hasDevice(new Empty(null), true));
    assertTrue(none.getMessage().contains("nothing was found"), none.getMessage());
    AssertionError broken =
        assertThrows(AssertionError.class, () -> Devices.hasDevice(new Empty("broken"), true));
    assertTrue(broken.getMessage().contains("broken"), broken.getMessage());
  }
}
