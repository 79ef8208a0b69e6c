package futharkc.tools.literate;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** A writer of an animated image in the format GIF, one frame after the other. */
final class AnimatedGif implements AutoCloseable {
  private static final String METADATA = "javax_imageio_gif_image_1.0";

  private final ImageWriter writer;
  private final ImageOutputStream out;
  private final int delay;
  private final boolean loop;

  /**
   * Begins an animation.
   *
   * @param framesPerSecond the number of frames per second; the format has steps of 10 ms
   * @param loop whether the animation starts again at its end
   */
  AnimatedGif(Path file, int framesPerSecond, boolean loop) throws IOException {
    writer = ImageIO.getImageWritersByFormatName("gif").next();
    delay = Math.max(1, Math.round(100f / framesPerSecond));
    this.loop = loop;
    out = ImageIO.createImageOutputStream(file.toFile());
    writer.setOutput(out);
    writer.prepareWriteSequence(null);
  }

  /** Adds a frame. */
  void add(BufferedImage frame) throws IOException {
    IIOMetadata metadata =
        writer.getDefaultImageMetadata(
            ImageTypeSpecifier.createFromRenderedImage(frame), writer.getDefaultWriteParam());
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(METADATA);
    IIOMetadataNode control = child(root, "GraphicControlExtension");
    control.setAttribute("disposalMethod", "none");
    control.setAttribute("userInputFlag", "FALSE");
    control.setAttribute("transparentColorFlag", "FALSE");
    control.setAttribute("transparentColorIndex", "0");
    control.setAttribute("delayTime", Integer.toString(delay));
    if (loop) {
      IIOMetadataNode extension = new IIOMetadataNode("ApplicationExtension");
      extension.setAttribute("applicationID", "NETSCAPE");
      extension.setAttribute("authenticationCode", "2.0");
      extension.setUserObject(new byte[] {1, 0, 0});
      child(root, "ApplicationExtensions").appendChild(extension);
    }
    metadata.setFromTree(METADATA, root);
    writer.writeToSequence(new IIOImage(frame, null, metadata), null);
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int i = 0; i < root.getLength(); i++) {
      if (root.item(i).getNodeName().equals(name)) {
        return (IIOMetadataNode) root.item(i);
      }
    }
    IIOMetadataNode child = new IIOMetadataNode(name);
    root.appendChild(child);
    return child;
  }

  @Override
  public void close() throws IOException {
    writer.endWriteSequence();
    out.close();
    writer.dispose();
  }
}
