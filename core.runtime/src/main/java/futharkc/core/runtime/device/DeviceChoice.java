package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The selection of a device by the user's options, and the list of devices. */
public final class DeviceChoice {
  private DeviceChoice() {}

  /**
   * Returns the device that the options select.
   *
   * @throws FutharkError if there is no such device; the message lists the existing ones
   */
  public static DeviceInfo choose(DeviceApi api, DeviceOptions options) {
    List<DeviceInfo> all = api.devices();
    if (all.isEmpty()) {
      throw none(api);
    }
    List<DeviceInfo> candidates = new ArrayList<>();
    String platform = options.platform();
    for (DeviceInfo device : all) {
      if (platform == null || device.platform().contains(platform)) {
        candidates.add(device);
      }
    }
    if (candidates.isEmpty()) {
      throw new FutharkError(
          "No " + api.name() + " platform's name contains '" + platform + "'." + listed(all));
    }
    String wanted = options.device();
    if (wanted == null || wanted.isBlank()) {
      return candidates.get(api.preferred(candidates));
    }
    Request request = Request.parse(wanted);
    List<DeviceInfo> matches = new ArrayList<>();
    for (DeviceInfo device : candidates) {
      if (device.name().contains(request.name)) {
        matches.add(device);
      }
    }
    if (request.number == null && !matches.isEmpty()) {
      return matches.get(api.preferred(matches));
    }
    if (request.number != null && request.number < matches.size()) {
      return matches.get(request.number);
    }
    throw new FutharkError(
        "No "
            + api.name()
            + " device"
            + (platform == null ? "" : " of platform '" + platform + "'")
            + " fits '"
            + wanted
            + "'"
            + (matches.isEmpty() ? "." : ", only " + matches.size() + " of that name.")
            + listed(candidates));
  }

  private static FutharkError none(DeviceApi api) {
    DeviceApi.NoDevices why = api.noDevices();
    return new FutharkError(
        "There is no "
            + api.name()
            + " device here: "
            + why.lookedAt()
            + ". To have one, "
            + why.wayOut()
            + ". Run 'futharkc doctor' for all requirements.");
  }

  /** The argument of {@code -d}: {@code NAME}, {@code #k} or {@code #k NAME}. */
  private record Request(@Nullable Integer number, String name) {
    static Request parse(String text) {
      String rest = text.strip();
      if (!rest.startsWith("#")) {
        return new Request(null, rest);
      }
      int end = 1;
      while (end < rest.length() && Character.isDigit(rest.charAt(end))) {
        end++;
      }
      if (end == 1 || end > 7) {
        throw new FutharkError(
            "'" + text + "' is not a device: expected a number after '#', as in '#0'.");
      }
      return new Request(Integer.valueOf(rest.substring(1, end)), rest.substring(end).strip());
    }
  }

  private static String listed(List<DeviceInfo> devices) {
    StringBuilder text = new StringBuilder(" Available devices:");
    for (DeviceInfo device : devices) {
      text.append("\n  ").append(device.platform()).append(": ").append(device.name());
    }
    return text.toString();
  }

  /**
   * Returns the list of devices by platform, for {@code --list-devices}.
   *
   * @throws FutharkError if there are no devices
   */
  public static String list(DeviceApi api) {
    List<DeviceInfo> devices = api.devices();
    if (devices.isEmpty()) {
      throw none(api);
    }
    StringBuilder text = new StringBuilder();
    int platform = -1;
    int number = 0;
    for (DeviceInfo device : devices) {
      if (device.platformIndex() != platform) {
        platform = device.platformIndex();
        text.append("Platform: ").append(device.platform()).append('\n');
      }
      text.append('[').append(number++).append("]: ").append(device.name()).append('\n');
    }
    return text.toString();
  }
}
