/**
 * The intermediate representation (IR) of array programs: names, types, operators, expressions,
 * statements, functions and programs.
 *
 * <h2>Contents</h2>
 *
 * <ul>
 *   <li>Programs: {@link Program}, {@link FunDef}, {@link EntryPoint}, {@link ExtType}. {@link Ir}
 *       is the common supertype with {@link futharkc.core.ir.imperative.ImperativeProgram}.
 *   <li>Code: {@link Body}, {@link Stm} and the sealed hierarchy {@link Exp} with {@link BasicOp},
 *       {@link Soac}, {@link SegExp}, {@link HostOp} and {@link MemOp}.
 *   <li>Parallel operations of multicore and GPU: {@link SegOp}, {@link SegSpace}, {@link
 *       SegLevel}, {@link SegBody}.
 *   <li>Operands and types: {@link Name}, {@link SubExp}, {@link Type}, {@link PrimType}, {@link
 *       PrimValue}.
 *   <li>Scalar operators: {@link BinOp}, {@link UnOp}, {@link CmpOp}, {@link ConvOp}, {@link
 *       PrimFun}, and {@link Folding} for constants.
 *   <li>Memory: {@link ArrayMem}, {@link Lmad}, {@link Space}.
 *   <li>Traversals: {@link Mapper} with {@link Renamer}, {@link Substitution}, {@link FreeNames},
 *       {@link BoundNames}. Construction: {@link Builder}, {@link NameSource}.
 *   <li>Representations: {@link Rep}. Costs and limits of machines: {@link Machine}.
 * </ul>
 *
 * <p>Begin with {@link Program}, {@link Stm} and {@link Exp}, then {@link Rep} and {@link Mapper}.
 * The packages below this one hold analyses, algebra, the verifier, the text form and the interface
 * of passes.
 *
 * <h2>Changes</h2>
 *
 * <p>Nodes are immutable records in sealed interfaces. A new node needs a case in {@link Mapper},
 * in the text form, in the verifier, in {@link Rep#allows(Exp)} and in the interpreter; the
 * compiler reports the missing cases of the exhaustive switches. A pass rewrites through {@link
 * Mapper} and names only the nodes that it changes. The numbers in {@link Machine} may be changed
 * freely: they affect speed alone.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir;
