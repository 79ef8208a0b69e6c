package futharkc.tools.literate;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import javax.sound.sampled.AudioFileFormat;
import javax.sound.sampled.AudioFormat;
import javax.sound.sampled.AudioInputStream;
import javax.sound.sampled.AudioSystem;
import javax.sound.sampled.UnsupportedAudioFileException;
import org.jspecify.annotations.Nullable;

/** Conversion between sounds and arrays of samples, with one row of the array for each channel. */
final class Sound {
  /** The size of written samples in bytes. */
  private static final int SAMPLE_BYTES = 2;

  private final ArrayValue samples;
  private final int channels;
  private final int length;

  private Sound(ArrayValue samples) {
    this.samples = samples;
    channels = samples.rank() == 1 ? 1 : (int) samples.shape()[0];
    length = (int) samples.shape()[samples.rank() - 1];
  }

  /**
   * Returns the sound of an array {@code [length]t} or {@code [channels][length]t}, or null if the
   * value is no sound. Floats are from -1 to 1; integers use the whole range of their type.
   */
  static @Nullable Sound of(Value value) {
    if (!(value instanceof ArrayValue a) || a.rank() > 2) {
      return null;
    }
    return switch (a.elemType()) {
      case I8, U8, I16, U16, I32, U32, F32, F64 -> new Sound(a.onHost());
      case I64, U64, F16, BOOL, UNIT -> null;
    };
  }

  /** Writes the sound as a WAV file with 16 bits per sample. */
  void write(Path file, int samplesPerSecond) throws IOException {
    byte[] bytes = new byte[length * channels * SAMPLE_BYTES];
    int at = 0;
    for (int i = 0; i < length; i++) {
      for (int channel = 0; channel < channels; channel++) {
        double sample = amplitude(samples.element((long) channel * length + i));
        int rounded = (int) Math.round(Math.clamp(sample, -1.0, 1.0) * Short.MAX_VALUE);
        bytes[at++] = (byte) rounded;
        bytes[at++] = (byte) (rounded >> 8);
      }
    }
    AudioFormat format = new AudioFormat(samplesPerSecond, 8 * SAMPLE_BYTES, channels, true, false);
    AudioSystem.write(
        new AudioInputStream(new ByteArrayInputStream(bytes), format, length),
        AudioFileFormat.Type.WAVE,
        file.toFile());
  }

  private static double amplitude(Scalar sample) {
    return switch (sample.type()) {
      case I8 -> sample.asLong() / 0x1p7;
      case U8 -> ((sample.bits() & 0xff) - 0x1p7) / 0x1p7;
      case I16 -> sample.asLong() / 0x1p15;
      case U16 -> ((sample.bits() & 0xffff) - 0x1p15) / 0x1p15;
      case I32 -> sample.asLong() / 0x1p31;
      case U32 -> ((sample.bits() & 0xffffffffL) - 0x1p31) / 0x1p31;
      case F32 -> sample.asFloat();
      default -> sample.asDouble();
    };
  }

  /**
   * Reads a sound as an array {@code [channels][length]f64} of numbers from -1 to 1.
   *
   * @throws UnsupportedAudioFileException if the file is in no format that Java reads
   */
  static ArrayValue read(Path file) throws IOException, UnsupportedAudioFileException {
    try (AudioInputStream in = AudioSystem.getAudioInputStream(file.toFile())) {
      AudioFormat format = in.getFormat();
      int size = format.getSampleSizeInBits() / 8;
      boolean floats = format.getEncoding().equals(AudioFormat.Encoding.PCM_FLOAT);
      boolean unsigned = format.getEncoding().equals(AudioFormat.Encoding.PCM_UNSIGNED);
      if (!floats && !unsigned && !format.getEncoding().equals(AudioFormat.Encoding.PCM_SIGNED)) {
        throw new UnsupportedAudioFileException("the encoding is " + format.getEncoding());
      }
      int channels = format.getChannels();
      byte[] bytes = in.readAllBytes();
      int length = bytes.length / (size * channels);
      double[] samples = new double[channels * length];
      for (int i = 0; i < length; i++) {
        for (int channel = 0; channel < channels; channel++) {
          int from = (i * channels + channel) * size;
          long bits = bits(bytes, from, size, format.isBigEndian());
          samples[channel * length + i] = floats ? real(bits, size) : integer(bits, size, unsigned);
        }
      }
      return new ArrayValue(ElemType.F64, new long[] {channels, length}, samples);
    }
  }

  private static long bits(byte[] bytes, int from, int size, boolean bigEndian) {
    long bits = 0;
    for (int i = 0; i < size; i++) {
      int next = bigEndian ? from + i : from + size - 1 - i;
      bits = bits << 8 | bytes[next] & 0xff;
    }
    return bits;
  }

  private static double real(long bits, int size) {
    return size == Float.BYTES ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }

  private static double integer(long bits, int size, boolean unsigned) {
    int unused = Long.SIZE - 8 * size;
    double half = Math.scalb(1.0, 8 * size - 1);
    return unsigned ? (bits - half) / half : (bits << unused >> unused) / half;
  }
}
