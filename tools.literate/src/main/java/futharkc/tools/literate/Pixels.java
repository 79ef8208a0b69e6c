package futharkc.tools.literate;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** Conversion between images and arrays of pixels, with one row of the array for each row. */
final class Pixels {
  private static final int WHITE = 255;

  private Pixels() {}

  /**
   * Returns the image of an array {@code [height][width]t}, or null if the value is no image. The
   * bits of {@code i32} and {@code u32} are alpha, red, green and blue; alpha is ignored. Floats
   * from 0 to 1, {@code u8} and {@code bool} are brightness.
   */
  static @Nullable BufferedImage image(Value value) {
    return value instanceof ArrayValue a && a.rank() == 2 && isColour(a.elemType())
        ? image(a.onHost(), (int) a.shape()[0], (int) a.shape()[1], 0)
        : null;
  }

  /** Returns the images of an array {@code [n][height][width]t}, or null if they are no images. */
  static BufferedImage @Nullable [] images(Value value) {
    if (!(value instanceof ArrayValue a) || a.rank() != 3 || !isColour(a.elemType())) {
      return null;
    }
    ArrayValue array = a.onHost();
    int height = (int) a.shape()[1];
    int width = (int) a.shape()[2];
    BufferedImage[] images = new BufferedImage[(int) a.shape()[0]];
    for (int i = 0; i < images.length; i++) {
      images[i] = image(array, height, width, (long) i * height * width);
    }
    return images;
  }

  private static boolean isColour(ElemType type) {
    return switch (type) {
      case I32, U32, F32, F64, U8, BOOL -> true;
      case I8, I16, I64, U16, U64, F16, UNIT -> false;
    };
  }

  private static BufferedImage image(ArrayValue array, int height, int width, long from) {
    BufferedImage image =
        new BufferedImage(Math.max(1, width), Math.max(1, height), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        image.setRGB(x, y, colour(array.element(from + (long) y * width + x)));
      }
    }
    return image;
  }

  private static int colour(Scalar pixel) {
    return switch (pixel.type()) {
      case F32 -> grey(Math.round(pixel.asFloat() * WHITE));
      case F64 -> grey((int) Math.round(pixel.asDouble() * WHITE));
      case U8 -> grey((int) pixel.bits());
      case BOOL -> grey(pixel.bits() == 0 ? 0 : WHITE);
      default -> (int) pixel.bits();
    };
  }

  private static int grey(int brightness) {
    return (brightness & WHITE) * 0x010101;
  }

  /**
   * Writes an image in the format that the file's extension names, or in PNG if the extension names
   * no format.
   */
  static void write(BufferedImage image, Path file) throws IOException {
    String name = file.getFileName().toString();
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    boolean known = Arrays.asList(ImageIO.getWriterFormatNames()).contains(extension);
    if (!ImageIO.write(image, known ? extension : "png", file.toFile())) {
      throw new IOException(file + ": no image can be written in this format");
    }
  }

  /**
   * Reads an image as an array {@code [height][width]u32} of alpha, red, green and blue.
   *
   * @throws IOException if the file cannot be read or is no image of a known format
   */
  static ArrayValue read(Path file) throws IOException {
    BufferedImage image = ImageIO.read(file.toFile());
    if (image == null) {
      throw new IOException(file + ": the file is no PNG, JPEG, GIF or BMP image");
    }
    int width = image.getWidth();
    int height = image.getHeight();
    int[] pixels = image.getRGB(0, 0, width, height, null, 0, width);
    return new ArrayValue(ElemType.U32, new long[] {height, width}, pixels);
  }
}
