package futharkc.tools.literate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plot of curves in a coordinate system, as an SVG image: axes with round numbers, a grid, and a
 * legend if the curves have names.
 */
final class LinePlot {
  private static final List<String> COLOURS =
      List.of("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf");

  private static final int MARGIN = 12;
  private static final int LEFT = 64;
  private static final int BOTTOM = 32;
  private static final int LEGEND_LINE = 18;

  /** The least number of intervals between numbers of an axis. */
  private static final int LEAST_INTERVALS = 4;

  private record Curve(String name, double[] xs, double[] ys) {}

  private final List<Curve> curves = new ArrayList<>();
  private final int width;
  private final int height;

  /** Creates a plot of a size in pixels. */
  LinePlot(int width, int height) {
    this.width = width;
    this.height = height;
  }

  /**
   * Adds a curve.
   *
   * @param name the name in the legend; empty: no name
   * @param xs the first coordinates of the points
   * @param ys the second coordinates, as many as the first
   */
  void add(String name, double[] xs, double[] ys) {
    curves.add(new Curve(name, xs, ys));
  }

  /** An axis: a range of numbers with round numbers in it. */
  private record Axis(double low, double high, double step) {
    static Axis over(double low, double high) {
      if (!(low <= high)) {
        return new Axis(0, 1, 0.25);
      }
      double margin = low == high ? Math.max(1, Math.abs(low)) / 2 : 0;
      double from = low - margin;
      double to = high + margin;
      double raw = (to - from) / LEAST_INTERVALS;
      double power = Math.pow(10, Math.floor(Math.log10(raw)));
      double step = power;
      for (double factor : new double[] {2, 5}) {
        step = factor * power <= raw ? factor * power : step;
      }
      return new Axis(Math.floor(from / step) * step, Math.ceil(to / step) * step, step);
    }

    double part(double x) {
      return (x - low) / (high - low);
    }
  }

  private static boolean isPoint(Curve curve, int i) {
    return Double.isFinite(curve.xs[i]) && Double.isFinite(curve.ys[i]);
  }

  private Axis axis(boolean horizontal) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (Curve curve : curves) {
      for (int i = 0; i < curve.xs.length; i++) {
        if (isPoint(curve, i)) {
          double x = horizontal ? curve.xs[i] : curve.ys[i];
          low = Math.min(low, x);
          high = Math.max(high, x);
        }
      }
    }
    return Axis.over(low, high);
  }

  /** Returns the plot as an SVG document. Points that are not finite interrupt a curve. */
  String svg() {
    Axis x = axis(true);
    Axis y = axis(false);
    long named = curves.stream().filter(c -> !c.name.isEmpty()).count();
    int top = MARGIN + (int) named * LEGEND_LINE;
    double plotWidth = width - LEFT - MARGIN;
    double plotHeight = height - top - BOTTOM;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            .formatted(width, height, width, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    svg.append("<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n");
    for (long i = 0; i <= Math.round((x.high - x.low) / x.step); i++) {
      double value = x.low + i * x.step;
      double at = LEFT + x.part(value) * plotWidth;
      line(svg, at, top, at, top + plotHeight);
      text(svg, at, top + plotHeight + 16, "middle", number(value, x.step));
    }
    for (long i = 0; i <= Math.round((y.high - y.low) / y.step); i++) {
      double value = y.low + i * y.step;
      double at = top + (1 - y.part(value)) * plotHeight;
      line(svg, LEFT, at, LEFT + plotWidth, at);
      text(svg, LEFT - 6, at + 4, "end", number(value, y.step));
    }
    int legend = 0;
    for (int i = 0; i < curves.size(); i++) {
      Curve curve = curves.get(i);
      String colour = COLOURS.get(i % COLOURS.size());
      svg.append("<path fill=\"none\" stroke-width=\"1.5\" stroke=\"").append(colour);
      svg.append("\" d=\"");
      boolean drawing = false;
      for (int j = 0; j < curve.xs.length; j++) {
        boolean point = isPoint(curve, j);
        if (point) {
          svg.append(drawing ? 'L' : 'M');
          svg.append(coordinate(LEFT + x.part(curve.xs[j]) * plotWidth)).append(' ');
          svg.append(coordinate(top + (1 - y.part(curve.ys[j])) * plotHeight));
        }
        drawing = point;
      }
      svg.append("\"/>\n");
      if (!curve.name.isEmpty()) {
        double at = MARGIN + legend++ * LEGEND_LINE + 4;
        svg.append(
            "<path stroke-width=\"3\" stroke=\"%s\" d=\"M%d %sh20\"/>\n"
                .formatted(colour, LEFT, coordinate(at)));
        text(svg, LEFT + 26, at + 4, "start", curve.name);
      }
    }
    return svg.append("</g>\n</svg>\n").toString();
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        "<path stroke=\"#ddd\" d=\"M%s %sL%s %s\"/>\n"
            .formatted(coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2)));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
            .formatted(coordinate(x), coordinate(y), anchor, escaped(text)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String coordinate(double x) {
    return String.format(Locale.ROOT, "%.2f", x);
  }

  private static String number(double value, double step) {
    if (Math.abs(value) < step / 2) {
      return "0";
    }
    int digits = (int) Math.max(0, -Math.floor(Math.log10(step)));
    return Math.abs(value) >= 1e6 || digits > 6
        ? String.format(Locale.ROOT, "%.3g", value)
        : String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
