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

/** A native library of this machine, such as a driver's, with its functions. */
@SuppressWarnings("restricted") // The launcher permits native access.
public final class SharedLibrary {
  private final String name;
  private final SymbolLookup symbols;

  private SharedLibrary(String name, SymbolLookup symbols) {
    this.name = name;
    this.symbols = symbols;
  }

  /**
   * Returns the first library that exists.
   *
   * @param candidates file names, which the system's linker searches, or paths
   * @return null if there is none
   */
  public static @Nullable SharedLibrary find(List<String> candidates) {
    for (String name : candidates) {
      try {
        return new SharedLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
      } catch (IllegalArgumentException e) {
        // The library does not exist, or cannot be loaded.
      }
    }
    return null;
  }

  /**
   * Loads the first library that exists, for bindings that are linked against it. Its functions
   * cannot be called from Java, which saves the JVM some tenths of a second.
   *
   * @param candidates the candidates, as in {@link #find}
   * @return true if there is one
   */
  public static boolean load(List<String> candidates) {
    List<Path> files = files(candidates);
    // If there are several files, the system's linker chooses the right one.
    if (files.size() == 1) {
      try {
        System.load(files.getFirst().toString());
        return true;
      } catch (UnsatisfiedLinkError e) {
        // The system's linker may find another file.
      }
    }
    return find(candidates) != null;
  }

  /** Returns the existing candidates that can be found without the system's linker. */
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
          // The user's path takes precedence over all other folders.
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

  /** Returns the candidate that was found. */
  public String name() {
    return name;
  }

  /** Tests whether the library has a function of that name. */
  public boolean has(String function) {
    return symbols.find(function).isPresent();
  }

  /**
   * Returns the address of a driver function, for {@link #call}.
   *
   * @param candidates the candidates, as in {@link #find}
   * @param function the name of the function
   * @throws IllegalStateException if there is no library, or no such function
   */
  public static MemorySegment address(List<String> candidates, String function) {
    SharedLibrary library = find(candidates);
    if (library == null) {
      throw new IllegalStateException("none of the libraries " + candidates + " exists");
    }
    return library.address(function);
  }

  /**
   * Returns a method handle for driver functions with a 32-bit status as result. The first argument
   * is the function's address.
   *
   * @param parameters the parameter types after the address
   */
  public static MethodHandle call(MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
  }

  /**
   * Returns the address of a function that ignores its arguments and returns a number. Calls of
   * this function have the JVM compile call sites before a driver is ready.
   */
  public static MemorySegment nothing() {
    return Linker.nativeLinker().defaultLookup().find("abs").orElseThrow();
  }

  /**
   * Ends the process without the exit handlers of native libraries, if the system permits this.
   *
   * @param status the exit status
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
   * Returns a method handle for a function.
   *
   * @param function the name of the function
   * @param type the function's type
   * @throws IllegalStateException if the library has no function of that name
   */
  public MethodHandle function(String function, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(address(function), type);
  }
}
