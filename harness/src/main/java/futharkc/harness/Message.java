package futharkc.harness;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A message between a worker and its parent: a word and strings. The encoding on the worker's
 * standard input and output is a count and length-prefixed UTF-8.
 *
 * @param kind the word
 * @param fields the strings
 */
record Message(String kind, List<String> fields) {
  /** A request to run a job. The fields encode a {@link Job}. */
  static final String JOB = "job";

  /**
   * A notice that a unit of the job starts. Field 0 is the unit's key. The time limit of the unit
   * counts from this message.
   */
  static final String STARTED = "started";

  /** A notice that a unit has ended. The fields encode an {@link Outcome}. */
  static final String OUTCOME = "outcome";

  /**
   * A notice that the worker must not be used further. Another worker runs the unfinished units.
   */
  static final String SPENT = "spent";

  /** A notice that the job is done and the worker waits for the next job. */
  static final String DONE = "done";

  private static final int MAX_FIELDS = 1 << 20;
  private static final int MAX_LENGTH = 1 << 28;

  Message {
    fields = List.copyOf(fields);
  }

  Message(String kind, String... fields) {
    this(kind, List.of(fields));
  }

  /** Returns field {@code i}. */
  String field(int i) {
    return fields.get(i);
  }

  /**
   * Writes this message and flushes the stream.
   *
   * @throws IllegalArgumentException if the message exceeds a limit of the reader; the stream is
   *     unchanged
   */
  void writeTo(DataOutputStream out) throws IOException {
    if (fields.size() > MAX_FIELDS) {
      throw new IllegalArgumentException(
          "a message '" + kind + "' of " + fields.size() + " fields exceeds " + MAX_FIELDS);
    }
    for (String field : fields) {
      // A character takes at most three bytes of UTF-8.
      if (field.length() > MAX_LENGTH / 3) {
        throw new IllegalArgumentException(
            "a message '" + kind + "' with a field of " + field.length() + " characters");
      }
    }
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
   * @throws java.io.EOFException if the other side has closed the stream
   */
  static Message readFrom(DataInputStream in) throws IOException {
    String kind = read(in);
    int n = in.readInt();
    if (n < 0 || n > MAX_FIELDS) {
      throw new IOException("malformed message: " + n + " fields");
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
      throw new IOException("malformed message: " + n + " bytes");
    }
    return new String(in.readNBytes(n), StandardCharsets.UTF_8);
  }
}
