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
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * Goes through the providers of a service one by one, so that a broken one does not hide the
 * others.
 */
final class Providers {
  private Providers() {}

  /**
   * The providers that are in a layer itself, not in its parents.
   *
   * @param loader over the layer
   * @param broken is told what is wrong with a provider that cannot be made
   */
  static <T> List<Provided<T>> inLayer(
      ServiceLoader<T> loader, ModuleLayer layer, String where, Consumer<String> broken) {
    List<Provided<T>> found = new ArrayList<>();
    each(
        loader,
        where,
        broken,
        provider -> {
          // A provider method may declare the service's own type: only the object knows then.
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

  /** All providers that a loader finds. */
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
   * All providers that modular jars on the class path declare in their descriptors: there, {@link
   * ServiceLoader} does not look at them.
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
          // Of a module for another version of Java: none of ours.
          continue;
        }
        for (ModuleDescriptor.Provides p : module.provides()) {
          if (!p.service().equals(service.getName())) continue;
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
      } catch (ServiceConfigurationError | LinkageError e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        broken.accept("Plugin " + name + " in " + where + " cannot be loaded: " + cause);
      }
    }
  }
}
