package futharkc.pass.fusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types of all names that a function binds, at any depth, and of the constants. */
final class Types {
  private final Map<Name, Type> types = new HashMap<>();
  private final Mapper collector =
      new Mapper() {
        @Override
        public PatElem patElem(PatElem p) {
          types.put(p.name(), p.type());
          return p;
        }

        @Override
        public Param param(Param p) {
          types.put(p.name(), p.type());
          return p;
        }
      };

  Types(Program program, FunDef f) {
    program.constants().forEach(s -> s.pat().forEach(collector::patElem));
    collector.fun(f);
  }

  /** Learns of what is bound in a body. */
  void add(Body b) {
    collector.body(b);
  }

  void add(Name name, Type type) {
    types.put(name, type);
  }

  @Nullable Type lookup(Name name) {
    return types.get(name);
  }
}
