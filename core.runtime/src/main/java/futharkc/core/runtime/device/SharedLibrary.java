package futharkc.core.runtime.device;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A native library of this machine, such as a driver's, and the functions in it. */
@SuppressWarnings("restricted") // Who starts the JVM allows it: see the launcher.
public final class SharedLibrary {
  private final String name;
  private final SymbolLookup symbols;

  private SharedLibrary(String name, SymbolLookup symbols) {
    this.name = name;
    this.symbols = symbols;
  }

  /**
   * The first library that there is.
   *
   * @param candidates file names, which the system's linker looks for, or paths
   * @return null if there is none of them
   */
  public static @Nullable SharedLibrary find(List<String> candidates) {
    for (String name : candidates) {
      try {
        return new SharedLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
      } catch (IllegalArgumentException e) {
        // It is not there, or it cannot be loaded.
      }
    }
    return null;
  }

  /**
   * Loads the first library that there is, for bindings that are linked against it. Nothing can be
   * called with that: the means for it take the Java machine some tenths of a second to make.
   *
   * @param candidates as in {@link #find}
   * @return whether there is one
   */
  public static boolean load(List<String> candidates) {
    List<Path> files = files(candidates);
    // Which one of several is right the system's linker knows.
    if (files.size() == 1) {
      try {
        System.load(files.getFirst().toString());
        return true;
      } catch (UnsatisfiedLinkError e) {
        // Another one may do.
      }
    }
    return find(candidates) != null;
  }

  /** The candidates that are there, as far as they can be found without the system's linker. */
  private static List<Path> files(List<String> candidates) {
    List<Path> found = new ArrayList<>();
    for (String name : candidates) {
      Path file = Path.of(name);
      if (file.isAbsolute()) {
        addFile(found, file);
        continue;
      }
      for (String folder :
          System.getProperty("java.library.path", "").split(File.pathSeparator, -1)) {
        if (!folder.isEmpty() && addFile(found, Path.of(folder, name).toAbsolutePath())) {
          // What the user's path has comes before everything else.
          return found;
        }
      }
    }
    return found;
  }

  private static boolean addFile(List<Path> found, Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try {
      Path real = file.toRealPath();
      if (!found.contains(real)) {
        found.add(real);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The candidate that was found. */
  public String name() {
    return name;
  }

  /** Whether it has a function of that name. */
  public boolean has(String function) {
    return symbols.find(function).isPresent();
  }

  /**
   * The address of a function of a driver, for {@link #call}.
   *
   * @param candidates as in {@link #find}
   * @throws IllegalStateException if there is none of the libraries, or no such function
   */
  public static MemorySegment address(List<String> candidates, String function) {
    SharedLibrary library = find(candidates);
    if (library == null) {
      throw new IllegalStateException("none of " + candidates + " is here");
    }
    return library.address(function);
  }

  /**
   * Calls of functions of a driver, which answer with a status of 32 bits: the first argument is
   * the function's address.
   */
  public static MethodHandle call(MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
  }

  /**
   * The address of a function that does nothing, whatever it is given, and answers with a number:
   * to have calls compiled that take long at first, before a driver is ready to be called.
   */
  public static MemorySegment nothing() {
    return Linker.nativeLinker().defaultLookup().find("abs").orElseThrow();
  }

  /**
   * Ends the process without what libraries do at its exit, where there is a way to.
   *
   * @param status of the process
   */
  public static void endProcess(int status) {
    Optional<MemorySegment> exit = Linker.nativeLinker().defaultLookup().find("_exit");
    if (exit.isPresent()) {
      try {
        int unused = (int) call(ValueLayout.JAVA_INT).invokeExact(exit.get(), status);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private MemorySegment address(String function) {
    return symbols
        .find(function)
        .orElseThrow(() -> new IllegalStateException(name + " has no " + function));
  }

  /**
   * A function.
   *
   * @throws IllegalStateException if the library has none of that name
   */
  public MethodHandle function(String function, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(address(function), type);
  }
}
