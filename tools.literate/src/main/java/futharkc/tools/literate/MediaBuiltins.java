package futharkc.tools.literate;

import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.harness.testing.DataFiles;
import futharkc.harness.testing.ScriptBuiltins;
import futharkc.harness.testing.ScriptEvaluator;
import futharkc.harness.testing.ScriptException;
import futharkc.harness.testing.ScriptValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sound.sampled.UnsupportedAudioFileException;
import org.jspecify.annotations.Nullable;

/**
 * The built-in functions {@code $loadimg}, {@code $loadaudio} and {@code $store}.
 *
 * @param folder the folder that file names are relative to
 * @param safe whether programs of the machine must not run
 * @param stores whether {@code $store} is allowed
 */
record MediaBuiltins(Path folder, boolean safe, boolean stores) implements ScriptBuiltins {
  @Override
  public @Nullable ScriptValue call(String name, List<ScriptValue> args)
      throws ScriptException, IOException {
    if (name.equals("$loadimg") && args.size() == 1) {
      Path file = folder.resolve(ScriptEvaluator.string(name, args.get(0)));
      return new ScriptValue.Atom(Pixels.read(file), false);
    } else if (name.equals("$loadaudio") && args.size() == 1) {
      Path file = folder.resolve(ScriptEvaluator.string(name, args.get(0)));
      return new ScriptValue.Atom(sound(file), false);
    } else if (name.equals("$store") && args.size() == 2 && stores) {
      store(folder.resolve(ScriptEvaluator.string(name, args.get(0))), args.get(1));
      return new ScriptValue.Tuple(List.of());
    }
    return null;
  }

  private Value sound(Path file) throws ScriptException, IOException {
    try {
      return Sound.read(file);
    } catch (UnsupportedAudioFileException e) {
      if (safe) {
        throw new ScriptException(file + ": only WAV, AIFF and AU files can be read safely");
      }
    }
    Path wave = Files.createTempFile("sound", ".wav");
    try {
      ExternalProgram.run(
          "reading " + file,
          List.of("ffmpeg", "-y", "-v", "error", "-i", file.toString(), wave.toString()),
          "");
      return Sound.read(wave);
    } catch (UnsupportedAudioFileException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      Files.deleteIfExists(wave);
    }
  }

  private static void store(Path file, ScriptValue value) throws ScriptException, IOException {
    if (!(value instanceof ScriptValue.Atom(Value v, boolean _))) {
      throw new ScriptException("$store cannot store a value of type " + value.typeName());
    }
    DataFiles.write(file, List.of(Opaques.parts(v)));
  }
}
