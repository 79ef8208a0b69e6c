package futharkc.backend.interpreter;

/** A compiled statement of an imperative program. */
@FunctionalInterface
interface Step {
  void run(Activation a);
}
