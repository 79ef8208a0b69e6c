package futharkc.core.ir.soac;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.ScremaFusion.Bound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Composes sequential streams with the maps before them. */
public final class StreamFusion {
  private StreamFusion() {}

  /**
   * A stream over the results of a map, of which nothing else needs any.
   *
   * <pre>{@code
   * let ys = screma(n, [xs]) map f            =>   let z = stream(n, [xs], [a]) \c a xs' ->
   * let z  = stream(n, [ys], [a]) \c a ys' -> e        let ys' = screma(c, [xs']) map f in e
   * }</pre>
   *
   * @param map has neither scans nor reductions, and takes no accumulator
   * @return the stream that maps each chunk itself
   */
  public static Soac.Stream withProducer(Bound map, Soac.Stream stream, NameSource names) {
    int before = 1 + stream.accs().size();
    List<Param> params = new ArrayList<>(stream.lambda().params().subList(0, before));
    SubExp chunk = SubExp.of(params.get(0).name());
    List<Name> inputs = new ArrayList<>();
    Map<Name, Name> produced = new HashMap<>();
    List<Stm> copies = new ArrayList<>();
    for (int k = 0; k < stream.inputs().size(); k++) {
      Name input = stream.inputs().get(k);
      Param p = stream.lambda().params().get(before + k);
      boolean isProduct = map.pat().stream().anyMatch(e -> e.name().equals(input));
      if (!isProduct) {
        inputs.add(input);
        params.add(p);
        continue;
      }
      Name first = produced.putIfAbsent(input, p.name());
      if (first == null) continue;
      copies.add(Stm.of(p.name(), p.type(), new BasicOp.Replicate(List.of(), SubExp.of(first))));
    }
    List<Name> chunks = new ArrayList<>();
    for (int k = 0; k < map.screma().inputs().size(); k++) {
      Name input = map.screma().inputs().get(k);
      int shared = inputs.indexOf(input);
      if (shared < 0) {
        shared = inputs.size();
        Param element = map.screma().map().params().get(k);
        inputs.add(input);
        params.add(new Param(names.fresh(element.name()), Type.array(element.type(), chunk)));
      }
      chunks.add(params.get(before + shared).name());
    }
    List<PatElem> pat = new ArrayList<>();
    for (PatElem p : map.pat()) {
      Name name = produced.getOrDefault(p.name(), names.fresh(p.name()));
      pat.add(new PatElem(name, Type.array(p.type().row(), chunk)));
    }
    Soac.Screma m = map.screma();
    List<Stm> stms = new ArrayList<>();
    var onChunk = new Soac.Screma(chunk, chunks, m.map(), List.of(), List.of(), m.post());
    stms.add(new Stm(pat, Aux.NONE, onChunk));
    stms.addAll(copies);
    stms.addAll(stream.lambda().body().stms());
    Body body = new Body(stms, stream.lambda().body().results());
    Lambda lambda = new Lambda(params, body, stream.lambda().results());
    return new Soac.Stream(stream.width(), inputs, stream.accs(), lambda);
  }
}
