package futharkc.backend.interpreter;

import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.Value;
import java.util.List;

/** A program under evaluation whose constants have been evaluated. */
interface Evaluation {
  /** Calls an entry point: see {@link Interpreter#call}. */
  List<Value> call(String entry, List<Value> args);

  /** Returns the device operations since the evaluation of the constants began. */
  DeviceActivity activity();
}
