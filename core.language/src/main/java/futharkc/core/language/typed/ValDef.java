package futharkc.core.language.typed;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Attr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A definition of a function, or of a value when there are no parameters.
 *
 * @param sizeParams in scope in the parameters, the result and the body, and found from the
 *     arguments' shapes where these tell them
 * @param typeParams likewise
 * @param resultTyped whether the result type was written, so that its unique marks are final;
 *     otherwise the consumption check sets them
 * @param type the whole type, of function shape when there are parameters
 * @param recursive whether the body refers to the name itself
 */
public record ValDef(
    Name name,
    List<Name> sizeParams,
    List<Name> typeParams,
    List<Pat> params,
    Type.Result result,
    boolean resultTyped,
    Type type,
    Exp body,
    boolean recursive,
    List<Attr> attrs,
    @Nullable String doc,
    Loc loc) {}
