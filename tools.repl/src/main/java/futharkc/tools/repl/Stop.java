package futharkc.tools.repl;

import java.util.List;

/**
 * A breakpoint that an evaluation has reached.
 *
 * @param isNan true if the breakpoint is an operator that makes a NaN of other numbers
 * @param frames the activations of functions, innermost first
 */
record Stop(boolean isNan, List<Frame> frames) {
  Stop {
    frames = List.copyOf(frames);
  }

  /**
   * An activation of a function.
   *
   * @param place the position of the breakpoint or call
   * @param session the session with the variables in scope as definitions
   */
  record Frame(String place, Session session) {}

  /** Returns the position of the breakpoint. */
  String place() {
    return frames.getFirst().place;
  }

  /** Returns the positions of all frames, with a mark at one frame. */
  String stack(int marked) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < frames.size(); i++) {
      text.append(i == marked ? "-> #" : "   #").append(i).append(i > 9 ? " " : "  ");
      text.append(frames.get(i).place).append('\n');
    }
    return text.toString();
  }
}
