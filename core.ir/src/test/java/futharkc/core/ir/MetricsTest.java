package futharkc.core.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.text.Parser;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MetricsTest {
  @Test
  void nodesCountWithEnclosingNodes() {
    Program p =
        Parser.parse(
            "f",
            """
            #futhark-ir soacs v1
            fun f(c_1: bool, x_2: f32) -> () = {
              let {y_3: f32} = if c_1 then {let {z_4: f32} = sqrt_f32(x_2) in {z_4}} else {in {x_2}}
              let {k_5: f32} = loop {a_6: f32 = x_2} for i_7: i32 < 3i32 do {
                let {b_8: f32} = fadd_f32(a_6, a_6)
                in {b_8}
              }
              in {}
            }
            """);
    assertEquals(
        Map.ofEntries(
            Map.entry("If", 1),
            Map.entry("/If", 1),
            Map.entry("True", 1),
            Map.entry("If/True", 1),
            Map.entry("/If/True", 1),
            Map.entry("False", 1),
            Map.entry("If/False", 1),
            Map.entry("/If/False", 1),
            Map.entry("Apply", 1),
            Map.entry("True/Apply", 1),
            Map.entry("If/True/Apply", 1),
            Map.entry("/If/True/Apply", 1),
            Map.entry("Loop", 1),
            Map.entry("/Loop", 1),
            Map.entry("ForLoop", 1),
            Map.entry("Loop/ForLoop", 1),
            Map.entry("/Loop/ForLoop", 1),
            Map.entry("BasicOp", 1),
            Map.entry("Loop/BasicOp", 1),
            Map.entry("/Loop/BasicOp", 1),
            Map.entry("BinOp", 1),
            Map.entry("Loop/BinOp", 1),
            Map.entry("/Loop/BinOp", 1)),
        Metrics.of(p));
    assertEquals(
        Set.of("If", "True", "False", "Apply", "Loop", "ForLoop", "BasicOp", "BinOp"),
        Metrics.names(p));
  }
}
