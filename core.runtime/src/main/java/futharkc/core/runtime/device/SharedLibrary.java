package futharkc.core.runtime.device;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A native library of this machine, such as a driver's, and the functions in it. */
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

  /** The candidate that was found. */
  public String name() {
    return name;
  }

  /** Whether it has a function of that name. */
  public boolean has(String function) {
    return symbols.find(function).isPresent();
  }

  /**
   * A function.
   *
   * @throws IllegalStateException if the library has none of that name
   */
  public MethodHandle function(String function, FunctionDescriptor type) {
    Optional<MemorySegment> address = symbols.find(function);
    return Linker.nativeLinker()
        .downcallHandle(
            address.orElseThrow(() -> new IllegalStateException(name + " has no " + function)),
            type);
  }
}
