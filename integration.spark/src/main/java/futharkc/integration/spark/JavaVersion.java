package futharkc.integration.spark;

import org.apache.spark.SparkEnv;

/** The check of the Java version, before a class that needs Java 25 is loaded. */
final class JavaVersion {
  private static final int NEEDED = 25;

  private JavaVersion() {}

  /**
   * Checks the Java version of this JVM.
   *
   * @throws UnsupportedJavaException if it is older than Java 25
   */
  static void check() {
    SparkEnv env = SparkEnv.get();
    check(Runtime.version().feature(), env == null ? "unknown" : env.executorId());
  }

  /**
   * Checks a Java version.
   *
   * @param version the feature number of the version
   * @param executor the identifier of the executor
   */
  static void check(int version, String executor) {
    if (version < NEEDED) {
      throw new UnsupportedJavaException(
          "Executor "
              + executor
              + " runs Java "
              + version
              + ", but Futhark programs need Java "
              + NEEDED
              + " or newer. Set JAVA_HOME on all hosts, or spark.executorEnv.JAVA_HOME.");
    }
  }
}
