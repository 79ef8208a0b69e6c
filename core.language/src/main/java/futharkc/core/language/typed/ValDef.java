package futharkc.core.language.typed;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Attr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A definition of a function, or of a value if it has no parameters.
 *
 * @param sizeParams the size parameters, in scope in the parameters, the result and the body; calls
 *     infer them from the arguments' shapes where possible
 * @param typeParams the type parameters, with the same scope
 * @param resultTyped whether the result type was written, so that its unique marks are final;
 *     otherwise the uniqueness check sets them
 * @param type the whole type, a function type if the definition has parameters
 * @param recursive whether the body refers to the definition itself
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
