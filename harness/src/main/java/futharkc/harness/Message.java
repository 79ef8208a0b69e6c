package futharkc.harness;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a worker and its owner say to each other: a word and strings, as a count and length-prefixed
 * UTF-8 on the worker's standard input and output.
 *
 * @param kind the word
 * @param fields the strings
 */
record Message(String kind, List<String> fields) {
  /** A request: the fields are what {@link Job} makes of them. */
  static final String JOB = "job";

  /** A unit of the job begins; field 0 is its key. The owner's watchdog counts from here. */
  static final String STARTED = "started";

  /** A unit has ended; the fields are an {@link Outcome}. */
  static final String OUTCOME = "outcome";

  /** The worker is not to be used any more: what is left of the job is another one's. */
  static final String SPENT = "spent";

  /** The job is done, and the worker waits for the next one. */
  static final String DONE = "done";

  private static final int MAX_FIELDS = 1 << 20;
  private static final int MAX_LENGTH = 1 << 28;

  Message {
    fields = List.copyOf(fields);
  }

  Message(String kind, String... fields) {
    this(kind, List.of(fields));
  }

  /** Field {@code i}. */
  String field(int i) {
    return fields.get(i);
  }

  /** Writes and flushes. */
  void writeTo(DataOutputStream out) throws IOException {
    write(out, kind);
    out.writeInt(fields.size());
    for (String field : fields) {
      write(out, field);
    }
    out.flush();
  }

  /**
   * Reads one message.
   *
   * @throws java.io.EOFException when the other side is gone
   */
  static Message readFrom(DataInputStream in) throws IOException {
    String kind = read(in);
    int n = in.readInt();
    if (n < 0 || n > MAX_FIELDS) {
      throw new IOException("not a message: " + n + " fields");
    }
    List<String> fields = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      fields.add(read(in));
    }
    return new Message(kind, fields);
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String read(DataInputStream in) throws IOException {
    int n = in.readInt();
    if (n < 0 || n > MAX_LENGTH) {
      throw new IOException("not a message: " + n + " bytes");
    }
    return new String(in.readNBytes(n), StandardCharsets.UTF_8);
  }
}
