package futharkc.core.driver.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.InvalidModuleDescriptorException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * Iteration over the providers of a service, one at a time, so that a broken provider does not hide
 * the others.
 */
final class Providers {
  private Providers() {}

  /**
   * Returns the providers in a layer itself, without those of its parents.
   *
   * @param loader the loader over the layer
   * @param broken the consumer of error messages about providers that cannot be instantiated
   */
  static <T> List<Provided<T>> inLayer(
      ServiceLoader<T> loader, ModuleLayer layer, String where, Consumer<String> broken) {
    List<Provided<T>> found = new ArrayList<>();
    each(
        loader,
        where,
        broken,
        provider -> {
          // A provider method may declare the service type as its result type. Then only the
          // object has the provider's class.
          Class<? extends T> type = provider.type();
          boolean own = type.getModule().getLayer() == layer;
          if (!own && !type.isInterface()) {
            return;
          }
          T value = provider.get();
          Module module = value.getClass().getModule();
          if (module.getLayer() == layer) {
            found.add(new Provided<>(value, module.getName() + " in " + where, false));
          }
        });
    return found;
  }

  /** Returns all providers that a loader finds. */
  static <T> List<Provided<T>> all(ServiceLoader<T> loader, Consumer<String> broken) {
    List<Provided<T>> found = new ArrayList<>();
    each(
        loader,
        "the module path",
        broken,
        provider -> {
          T value = provider.get();
          Module module = value.getClass().getModule();
          found.add(
              new Provided<>(value, module.isNamed() ? module.getName() : "the class path", true));
        });
    return found;
  }

  /**
   * Returns the providers on the class path: those that modular jars declare in their descriptors,
   * which {@link ServiceLoader} ignores on the class path, and those of files in {@code
   * META-INF/services}.
   */
  static <T> List<Provided<T>> onClassPath(Class<T> service, Consumer<String> broken) {
    List<Provided<T>> found = new ArrayList<>();
    ClassLoader classes = Providers.class.getClassLoader();
    try {
      for (URL descriptor : Collections.list(classes.getResources("module-info.class"))) {
        ModuleDescriptor module;
        try (InputStream in = descriptor.openStream()) {
          module = ModuleDescriptor.read(in);
        } catch (InvalidModuleDescriptorException e) {
          // A descriptor of another Java version cannot belong to a module of this compiler.
          continue;
        }
        for (ModuleDescriptor.Provides p : module.provides()) {
          if (!p.service().equals(service.getName())) {
            continue;
          }
          for (String name : p.providers()) {
            try {
              Object value = Class.forName(name, true, classes).getConstructor().newInstance();
              found.add(new Provided<>(service.cast(value), module.name(), true));
            } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
              Throwable cause = e.getCause() == null ? e : e.getCause();
              broken.accept("Plugin " + name + " of " + descriptor + " cannot be loaded: " + cause);
            }
          }
        }
      }
    } catch (IOException e) {
      broken.accept("The class path cannot be read: " + e.getMessage());
    }
    each(
        ServiceLoader.load(service, classes),
        "the class path",
        broken,
        provider -> {
          if (found.stream().noneMatch(f -> f.value().getClass() == provider.type())) {
            found.add(new Provided<>(provider.get(), "the class path", true));
          }
        });
    return found;
  }

  private static <T> void each(
      ServiceLoader<T> loader,
      String where,
      Consumer<String> broken,
      Consumer<ServiceLoader.Provider<T>> action) {
    Iterator<ServiceLoader.Provider<T>> providers = loader.stream().iterator();
    while (true) {
      String name = "a provider";
      try {
        if (!providers.hasNext()) {
          return;
        }
        ServiceLoader.Provider<T> provider = providers.next();
        name = provider.type().getName();
        action.accept(provider);
      } catch (NoSuchElementException e) {
        return;
      } catch (OutOfMemoryError e) {
        throw e;
      } catch (Throwable e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        broken.accept("Plugin " + name + " in " + where + " cannot be loaded: " + cause);
      }
    }
  }
}
