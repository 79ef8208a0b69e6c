package futharkc.pass.sink;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.ConsumptionOfStms;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sinking of reads in one function, from the outside in: a moved read may move further. */
final class Sinking extends Mapper {
  private final Aliases aliases;
  private final FreeNamesOfStms free = new FreeNamesOfStms();
  private final ConsumptionOfStms consumption;

  Sinking(Aliases aliases) {
    this.aliases = aliases;
    this.consumption = new ConsumptionOfStms(aliases);
  }

  @Override
  public Body body(Body b) {
    Set<Name> results = new HashSet<>();
    for (SubExp r : b.results()) {
      if (r instanceof SubExp.Var v) {
        results.add(v.name());
      }
    }
    List<Stm> sunk = sunk(b.stms(), results);
    return super.body(sunk == b.stms() ? b : new Body(sunk, b.results()));
  }

  @Override
  public SegBody segBody(SegBody b) {
    Set<Name> results = new HashSet<>();
    for (SubExp r : b.values()) {
      if (r instanceof SubExp.Var v) {
        results.add(v.name());
      }
    }
    List<Stm> sunk = sunk(b.stms(), results);
    return super.segBody(sunk == b.stms() ? b : new SegBody(sunk, b.results()));
  }

  private List<Stm> sunk(List<Stm> stms, Set<Name> results) {
    if (stms.stream().noneMatch(s -> s.exp() instanceof Exp.Match)) {
      return stms;
    }
    List<Stm> all = new ArrayList<>(stms);
    List<Set<Name>> used = new ArrayList<>();
    for (Stm s : stms) {
      used.add(free.of(s));
    }
    boolean moved = false;
    for (int i = all.size() - 1; i >= 0; i--) {
      Stm s = all.get(i);
      if (!isRead(s) || results.contains(s.names().get(0))) {
        continue;
      }
      int user = onlyUser(used, i, s.names().get(0));
      if (user < 0 || isOverwritten(s, all.subList(i + 1, user))) {
        continue;
      }
      Stm into = into(s, all.get(user));
      if (into == null) {
        continue;
      }
      all.set(user, into);
      used.set(user, free.of(into));
      all.remove(i);
      used.remove(i);
      moved = true;
    }
    return moved ? all : stms;
  }

  private static boolean isRead(Stm s) {
    return s.exp() instanceof BasicOp.Index && s.pat().get(0).type() instanceof Type.Prim;
  }

  /**
   * Returns the position of the only statement after another that uses a name; -1 if there is none.
   */
  private static int onlyUser(List<Set<Name>> used, int after, Name name) {
    int found = -1;
    for (int j = after + 1; j < used.size(); j++) {
      if (!used.get(j).contains(name)) {
        continue;
      }
      if (found >= 0) {
        return -1;
      }
      found = j;
    }
    return found;
  }

  private boolean isOverwritten(Stm read, List<Stm> between) {
    NameSet roots = aliases.roots(((BasicOp.Index) read.exp()).array());
    return between.stream().anyMatch(s -> consumption.of(s).meets(roots));
  }

  /**
   * Returns the match with the read in the only branch that uses it; null if several branches or
   * the condition use it.
   */
  private static @Nullable Stm into(Stm read, Stm user) {
    if (!(user.exp() instanceof Exp.Match m)) {
      return null;
    }
    Name name = read.names().get(0);
    SubExp value = SubExp.of(name);
    if (m.scrutinees().contains(value) || user.aux().certs().contains(name)) {
      return null;
    }
    int users = 0;
    List<Exp.Case> cases = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      boolean uses = FreeNames.of(c.body()).contains(name);
      if (uses) {
        users++;
      }
      cases.add(uses ? new Exp.Case(c.pattern(), first(read, c.body())) : c);
    }
    boolean otherwise = FreeNames.of(m.otherwise()).contains(name);
    if (otherwise) {
      users++;
    }
    if (users != 1) {
      return null;
    }
    Body last = otherwise ? first(read, m.otherwise()) : m.otherwise();
    return user.withExp(new Exp.Match(m.scrutinees(), cases, last));
  }

  private static Body first(Stm s, Body b) {
    List<Stm> stms = new ArrayList<>(List.of(s));
    stms.addAll(b.stms());
    return new Body(stms, b.results());
  }
}
