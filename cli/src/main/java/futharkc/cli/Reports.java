package futharkc.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Source;
import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticJson;
import futharkc.core.language.DiagnosticRenderer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The reports of a compilation, as text and as JSON. */
final class Reports {
  private Reports() {}

  /** Prints warnings with excerpts of the source. */
  static void warnings(List<Diagnostic> warnings, Source source, boolean quiet, Console console) {
    if (quiet || warnings.isEmpty()) {
      return;
    }
    DiagnosticRenderer renderer =
        DiagnosticRenderer.withSource(
            file -> file.equals(source.file()) ? Optional.of(source.text()) : Optional.empty(),
            console.colours());
    console.err().println(renderer.render(warnings));
  }

  /** Returns the diagnostics, remarks, plan and times as one JSON object. */
  static String json(Compiled compiled) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeFieldName("diagnostics");
      json.writeRawValue(DiagnosticJson.render(compiled.warnings()));
      json.writeStringField("plan", compiled.plan().text());
      json.writeArrayFieldStart("remarks");
      for (PassRemark remark : compiled.remarks()) {
        json.writeStartObject();
        json.writeStringField("pass", remark.pass());
        json.writeStringField("kind", remark.remark().kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("function", remark.remark().function());
        json.writeStringField("message", remark.remark().message());
        location(json, remark.remark().loc());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("stages");
      for (Timings.Row row : compiled.timings().rows()) {
        json.writeStartObject();
        json.writeStringField("stage", row.stage());
        json.writeNumberField("microseconds", row.nanos() / 1000);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void location(JsonGenerator json, Loc loc) throws IOException {
    if (loc.equals(Loc.NONE)) {
      return;
    }
    json.writeObjectFieldStart("range");
    json.writeStringField("file", loc.file());
    json.writeNumberField("line", loc.line());
    json.writeNumberField("column", loc.column());
    json.writeNumberField("endLine", loc.endLine());
    json.writeNumberField("endColumn", loc.endColumn());
    json.writeEndObject();
  }
}
