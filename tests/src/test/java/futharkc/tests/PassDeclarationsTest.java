package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.plan.Plan;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the declarations of the built-in passes are consistent. */
final class PassDeclarationsTest {
  private final Compiler compiler = Compiler.create();

  @Test
  void thePassesThatAPassNamesExist() {
    Set<String> known = new TreeSet<>(compiler.registry().passes().keySet());
    for (Rep rep : Rep.values()) {
      known.addAll(List.of(rep + "-early", rep + "-late"));
    }
    List<String> wrong = new ArrayList<>();
    for (PassInfo pass : compiler.registry().passInfos()) {
      for (List<String> names : List.of(pass.after(), pass.before())) {
        names.stream()
            .filter(n -> !known.contains(n))
            .forEach(n -> wrong.add(pass.name() + " names " + n));
      }
    }
    assertEquals(List.of(), wrong);
  }

  private Set<String> targets() {
    return compiler.registry().targets().keySet();
  }

  @Test
  void everyTargetHasAPlanThatReadsBack() {
    assertTrue(
        compiler
            .registry()
            .targets()
            .keySet()
            .containsAll(List.of("multicore", "c", "interpreter")));
    for (String target : targets()) {
      CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target);
      Plan plan = compiler.plan(options);
      assertEquals(plan.text(), compiler.plan(options.withPlan(plan.text())).text());
    }
  }

  @Test
  void everyDefaultPassRunsForSomeTarget() {
    Set<String> running =
        targets().stream()
            .flatMap(t -> compiler.plan(CompilerOptions.DEFAULT.withTarget(t)).steps().stream())
            .map(s -> s.pass().name())
            .collect(Collectors.toSet());
    Set<String> idle =
        compiler.registry().passInfos().stream()
            .filter(PassInfo::inDefault)
            .map(PassInfo::name)
            .filter(n -> !running.contains(n))
            .collect(Collectors.toSet());
    assertEquals(Set.of(), idle);
  }
}
