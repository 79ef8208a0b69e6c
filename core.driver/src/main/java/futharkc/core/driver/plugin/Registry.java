package futharkc.core.driver.plugin;

import futharkc.core.codegen.Backend;
import futharkc.core.driver.failure.PluginException;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassInfo;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolutionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The available passes and backends. Unmodifiable.
 *
 * <p>Each plugin folder becomes a module layer, a child of the layer of this class; see {@code
 * docs/decisions/0002-plugins-in-layers.md}.
 */
public final class Registry {
  private final SortedMap<String, RegisteredPass> passes = new TreeMap<>();
  private final SortedMap<String, RegisteredTarget> targets = new TreeMap<>();

  /**
   * A pass, its declaration and its origin.
   *
   * @param info the declaration, read once
   */
  public record RegisteredPass(Pass pass, PassInfo info, String origin, boolean builtIn) {}

  /** A target and the backend that generates code for it. */
  public record RegisteredTarget(Backend.Target target, Backend backend, String origin) {}

  private Registry() {}

  /**
   * Loads the passes and backends on the module path and in plugin folders. The class path replaces
   * the module path if this class is on the class path.
   *
   * @param folders plugin folders, each with one or more modular jars
   * @throws PluginException if a folder or a module in it cannot be used; the message lists all
   *     errors
   */
  public static Registry load(List<Path> folders) {
    Registry registry = new Registry();
    List<String> broken = new ArrayList<>();
    ModuleLayer own = Registry.class.getModule().getLayer();
    registry.addPasses(own(own, Pass.class, broken), broken);
    registry.addBackends(own(own, Backend.class, broken), broken);
    for (Path folder : folders.stream().distinct().toList()) {
      ModuleLayer layer = layer(folder, own == null ? ModuleLayer.boot() : own, broken);
      if (layer != null) {
        String where = folder.toString();
        int before = broken.size();
        List<Provided<Pass>> passes =
            Providers.inLayer(ServiceLoader.load(layer, Pass.class), layer, where, broken::add);
        List<Provided<Backend>> backends =
            Providers.inLayer(ServiceLoader.load(layer, Backend.class), layer, where, broken::add);
        if (passes.isEmpty() && backends.isEmpty() && broken.size() == before) {
          broken.add(
              "The plugin folder "
                  + folder
                  + " provides no passes or backends: its modules, "
                  + layer.modules().stream()
                      .map(Module::getName)
                      .sorted()
                      .collect(Collectors.joining(", "))
                  + ", need a module descriptor with 'provides "
                  + Pass.class.getName()
                  + " with ...'.");
        }
        registry.addPasses(passes, broken);
        registry.addBackends(backends, broken);
      }
    }
    registry.checkFormerNames(broken);
    if (!broken.isEmpty()) {
      throw new PluginException(String.join("\n", broken));
    }
    return registry;
  }

  /**
   * Returns the providers in the layer of this class, or on the class path if this class has no
   * layer.
   */
  private static <T> List<Provided<T>> own(
      @Nullable ModuleLayer layer, Class<T> service, List<String> broken) {
    return layer == null
        ? Providers.onClassPath(service, broken::add)
        : Providers.all(ServiceLoader.load(layer, service), broken::add);
  }

  /** Returns a registry of given passes and backends, for tests. */
  public static Registry of(
      Collection<? extends Pass> passes, Collection<? extends Backend> backends) {
    Registry registry = new Registry();
    List<String> broken = new ArrayList<>();
    registry.addPasses(
        passes.stream().map(p -> new Provided<Pass>(p, "given", true)).toList(), broken);
    registry.addBackends(
        backends.stream().map(b -> new Provided<Backend>(b, "given", true)).toList(), broken);
    registry.checkFormerNames(broken);
    if (!broken.isEmpty()) {
      throw new PluginException(String.join("\n", broken));
    }
    return registry;
  }

  private static @Nullable ModuleLayer layer(Path folder, ModuleLayer parent, List<String> broken) {
    if (!Files.isDirectory(folder)) {
      broken.add("The plugin path " + folder + " is not a folder.");
      return null;
    }
    try {
      ModuleFinder finder = ModuleFinder.of(folder);
      List<String> modules =
          finder.findAll().stream().map(m -> m.descriptor().name()).sorted().toList();
      if (modules.isEmpty()) {
        broken.add(
            "The plugin folder "
                + folder
                + " contains no modules (jars with a module descriptor).");
        return null;
      }
      for (String module : modules) {
        if (parent.findModule(module).isPresent()) {
          broken.add(
              "The plugin folder "
                  + folder
                  + " contains the module "
                  + module
                  + ", which is already a module of the compiler. Remove its jar.");
          return null;
        }
      }
      Configuration configuration =
          parent.configuration().resolveAndBind(finder, ModuleFinder.of(), modules);
      return ModuleLayer.defineModulesWithOneLoader(
              configuration, List.of(parent), Registry.class.getClassLoader())
          .layer();
    } catch (FindException | ResolutionException | LayerInstantiationException e) {
      broken.add("The plugin folder " + folder + " cannot be loaded: " + e.getMessage());
      return null;
    }
  }

  private void addPasses(List<Provided<Pass>> found, List<String> broken) {
    for (Provided<Pass> p : found) {
      if (!levelFits(p, "Pass", Pass::apiLevel, broken)) {
        continue;
      }
      PassInfo info = ask(p, "its declaration", Pass::info, broken);
      if (info == null) {
        continue;
      }
      RegisteredPass pass = new RegisteredPass(p.value(), info, p.origin(), p.builtIn());
      RegisteredPass other = passes.putIfAbsent(info.name(), pass);
      if (other != null) {
        broken.add(
            "Two passes have the name "
                + info.name()
                + ": one of "
                + other.origin()
                + ", one of "
                + p.origin()
                + ". Rename one of them, or remove its plugin.");
      }
    }
  }

  /** Checks that a former name of a pass is not the name of another pass, present or former. */
  private void checkFormerNames(List<String> broken) {
    SortedMap<String, String> owners = new TreeMap<>();
    passes.keySet().forEach(name -> owners.put(name, name));
    for (RegisteredPass pass : passes.values()) {
      for (String former : pass.info().formerNames()) {
        String other = owners.putIfAbsent(former, pass.info().name());
        if (other != null) {
          broken.add(
              "The pass "
                  + pass.info().name()
                  + " declares the former name "
                  + former
                  + ", which names the pass "
                  + other
                  + ". Remove the former name from one of them.");
        }
      }
    }
  }

  private void addBackends(List<Provided<Backend>> found, List<String> broken) {
    for (Provided<Backend> b : found) {
      if (!levelFits(b, "Backend", Backend::apiLevel, broken)) {
        continue;
      }
      List<Backend.Target> offered = ask(b, "its targets", Backend::targets, broken);
      for (Backend.Target target : offered == null ? List.<Backend.Target>of() : offered) {
        RegisteredTarget other =
            targets.putIfAbsent(target.name(), new RegisteredTarget(target, b.value(), b.origin()));
        if (other != null) {
          broken.add(
              "Two backends have the target "
                  + target.name()
                  + ": one of "
                  + other.origin()
                  + ", one of "
                  + b.origin()
                  + ". Remove one of the plugins.");
        }
      }
    }
  }

  private static <T> boolean levelFits(
      Provided<T> p, String kind, ToIntFunction<T> level, List<String> broken) {
    Integer found = ask(p, "the interface level it was built for", level::applyAsInt, broken);
    if (found != null && found != Pass.API_LEVEL) {
      broken.add(
          kind
              + " "
              + p.value().getClass().getName()
              + " of plugin "
              + p.origin()
              + " was built for level "
              + found
              + " of the plugin interface; this compiler has level "
              + Pass.API_LEVEL
              + ". "
              + (found > Pass.API_LEVEL ? "Use a newer compiler." : "Build the plugin again."));
      return false;
    }
    return found != null;
  }

  /** Calls a method of a plugin and reports anything that it throws. */
  private static <T, R> @Nullable R ask(
      Provided<T> p, String what, Function<T, R> question, List<String> broken) {
    try {
      R answer = question.apply(p.value());
      if (answer != null) {
        return answer;
      }
      broken.add("Plugin " + p.origin() + " returned null for " + what + ".");
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      broken.add(
          "Plugin "
              + p.origin()
              + ": "
              + p.value().getClass().getName()
              + " failed to return "
              + what
              + ": "
              + e);
    }
    return null;
  }

  /** Returns the passes, keyed by name. */
  public SortedMap<String, RegisteredPass> passes() {
    return Collections.unmodifiableSortedMap(passes);
  }

  /**
   * Returns a line for each plugin's pass that a message names, with the name of the plugin. The
   * text is empty if all named passes are built in.
   */
  public String originsOfPassesIn(String message) {
    return passes.values().stream()
        .filter(p -> !p.builtIn())
        .filter(
            p ->
                Pattern.compile("(?<![\\w-])" + Pattern.quote(p.info().name()) + "(?![\\w-])")
                    .matcher(message)
                    .find())
        .map(p -> "\nThe pass " + p.info().name() + " belongs to plugin " + p.origin() + ".")
        .collect(Collectors.joining());
  }

  /** Returns the targets, keyed by name. */
  public SortedMap<String, RegisteredTarget> targets() {
    return Collections.unmodifiableSortedMap(targets);
  }

  /** Returns the declarations of the passes, in the order of their names. */
  public List<PassInfo> passInfos() {
    return passes.values().stream().map(RegisteredPass::info).collect(Collectors.toList());
  }
}
