package futharkc.tests.reference;

import java.util.List;

/** The page {@code docs/reference/environment.md}. */
final class EnvironmentPage {
  /** The kind of program that reads a variable. */
  enum Reader {
    COMPILER("Compiler", "The launcher and the compiler read these variables."),
    EXECUTABLE(
        "Executables",
        "Compiled programs, and the compiler when it runs a program, read these variables."),
    DEVELOPMENT(
        "Development",
        "The build, the tests and the benchmarks of the compiler read these variables.");

    final String title;
    final String text;

    Reader(String title, String text) {
      this.title = title;
      this.text = text;
    }
  }

  /** An environment variable and the effect of its value. */
  record Variable(String name, Reader reader, String meaning) {}

  static final List<Variable> VARIABLES =
      List.of(
          of(
              "FUTHARKC_JAVA",
              Reader.COMPILER,
              "The JDK of the compiler: its folder, or its `java`. It must have version 25 or"
                  + " newer. Executables use it, too. Other JDKs are not tried if it is set."),
          of(
              "JAVA_HOME",
              Reader.COMPILER,
              "The first folder in which the launcher looks for a JDK. Executables use it, too."),
          of(
              "FUTHARKC_JVM_OPTS",
              Reader.COMPILER,
              "Further options for the compiler's JVM, such as `-Xmx8g`."),
          of(
              "FUTHARKC_NO_BUILD",
              Reader.COMPILER,
              "If set, the launcher does not build the compiler, even if sources are newer than the"
                  + " jars."),
          of("NO_COLOR", Reader.COMPILER, "If set, messages have no colours."),
          of(
              "FUTHARKC_COLOURS",
              Reader.COMPILER,
              "`1`: messages have colours and progress is shown, even if the output is no terminal;"
                  + " other values: the opposite."),
          of(
              "FUTHARKC_PROGRAM_OPTS",
              Reader.EXECUTABLE,
              "Further options for the JVM of an executable, such as `-Xmx8g`."),
          of(
              "FUTHARKC_CACHE",
              Reader.EXECUTABLE,
              "The folder for compiled kernels and ahead-of-time caches. Default: `futharkc` in the"
                  + " user's cache folder."),
          of(
              "XDG_CACHE_HOME",
              Reader.EXECUTABLE,
              "The user's cache folder, if it is an absolute path. Default: `~/.cache`, on macOS"
                  + " `~/Library/Caches`."),
          of(
              "XDG_STATE_HOME",
              Reader.COMPILER,
              "The folder of the user's state. `futharkc repl` keeps its history in the folder"
                  + " `futharkc` there. Default: `~/.local/state`."),
          of(
              "LOCALAPPDATA",
              Reader.EXECUTABLE,
              "On Windows: the folder that holds the cache folder."),
          of(
              "FUTHARKC_AOT_CACHE",
              Reader.EXECUTABLE,
              "The file to which an executable writes its ahead-of-time cache before it ends."
                  + " Executables set it for a process of their own."),
          of(
              "FUTHARKC_CUDA_DRIVER",
              Reader.EXECUTABLE,
              "The file of the CUDA driver library. Default: the one that the linker finds."),
          of(
              "CUDA_VISIBLE_DEVICES",
              Reader.EXECUTABLE,
              "The devices that CUDA shows to the program."),
          of(
              "CUDA_HOME",
              Reader.EXECUTABLE,
              "A folder of CUDA in which the program looks for NVRTC."),
          of("CUDA_PATH", Reader.EXECUTABLE, "The same, after `CUDA_HOME`."),
          of("CUDA_ROOT", Reader.EXECUTABLE, "The same, after `CUDA_PATH`."),
          of(
              "OCL_ICD_VENDORS",
              Reader.EXECUTABLE,
              "The folder that lists the OpenCL drivers. Default: `/etc/OpenCL/vendors`."),
          of(
              "POCL_CACHE_DIR",
              Reader.EXECUTABLE,
              "The folder where PoCL keeps compiled kernels; PoCL has no device without one."),
          of(
              "POCL_KERNEL_CACHE",
              Reader.EXECUTABLE,
              "`0`: PoCL keeps no compiled kernels. The program then keeps them."),
          of(
              "VIRTUAL_ENV",
              Reader.EXECUTABLE,
              "A Python environment, in whose packages the program looks for NVRTC."),
          of("CONDA_PREFIX", Reader.EXECUTABLE, "The same, after `VIRTUAL_ENV`."),
          of(
              "PYTHONPATH",
              Reader.EXECUTABLE,
              "Folders of Python packages, in which the program looks for NVRTC."),
          of(
              "PATH",
              Reader.EXECUTABLE,
              "The launcher looks for `java` and `mvn` there, a program for Python environments"
                  + " with NVRTC."),
          of("HOME", Reader.EXECUTABLE, "The user's folder, for the defaults above."),
          of(
              "LC_ALL",
              Reader.EXECUTABLE,
              "The locale, before `LC_CTYPE` and `LANG`. If it is `C` or `POSIX`, the launcher and"
                  + " executables use `C.UTF-8`, so that names of files may have any letters."),
          of("LC_CTYPE", Reader.EXECUTABLE, "See `LC_ALL`."),
          of("LANG", Reader.EXECUTABLE, "See `LC_ALL`."),
          of(
              "FUTHARKC_BLESS",
              Reader.DEVELOPMENT,
              "`1`: tests write golden files and the pages of this reference instead of comparing"
                  + " them."),
          of("CI", Reader.DEVELOPMENT, "If set, tests do not write golden files."),
          of(
              "FUTHARK_CHECKOUT",
              Reader.DEVELOPMENT,
              "The folder of a checkout of the Futhark compiler, whose public tests are run."));

  private EnvironmentPage() {}

  private static Variable of(String name, Reader reader, String meaning) {
    return new Variable(name, reader, meaning);
  }

  static String markdown() {
    StringBuilder text = new StringBuilder("# Environment variables\n\n");
    text.append(GeneratedPages.NOTICE);
    for (Reader reader : Reader.values()) {
      text.append("\n## ").append(reader.title).append("\n\n").append(reader.text);
      text.append("\n\n| variable | meaning |\n|---|---|\n");
      for (Variable v : VARIABLES) {
        if (v.reader != reader) {
          continue;
        }
        text.append("| `").append(v.name).append("` | ").append(v.meaning).append(" |\n");
      }
    }
    return text.toString();
  }
}
