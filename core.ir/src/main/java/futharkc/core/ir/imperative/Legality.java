package futharkc.core.ir.imperative;

import futharkc.core.ir.Rep;

/**
 * The legal nodes of each imperative representation. {@link Rep#allows} is the counterpart for
 * array representations.
 */
public final class Legality {
  private Legality() {}

  /** Tests whether statements of this kind are legal somewhere in the representation. */
  public static boolean allows(Rep rep, Code c) {
    return switch (c) {
      case Code.Declare _,
          Code.Assign _,
          Code.DeclareBlock _,
          Code.SetBlock _,
          Code.Alloc _,
          Code.Free _,
          Code.IfUnused _,
          Code.ConstantBlock _,
          Code.Pin _,
          Code.Store _,
          Code.CopyRun _,
          Code.If _,
          Code.For _,
          Code.While _,
          Code.Scope _,
          Code.Assert _,
          Code.CheckCancelled _,
          Code.Trace _,
          Code.Call _ ->
          rep.isImperative();
      // Statements that serve the JVM's arrays and methods.
      case Code.DeclareScratch _,
          Code.Reserve _,
          Code.FillRun _,
          Code.MapRun _,
          Code.Outlined _,
          Code.Vector _ ->
          rep.isImperative() && !rep.hasDevice();
      case Code.Multicore _ -> rep.isImperative() && rep.hasCores();
      case Code.Gpu _ -> rep.isImperative() && rep.hasDevice();
    };
  }

  /** Tests whether expressions of this kind are legal somewhere in the representation. */
  public static boolean allows(Rep rep, Expr e) {
    return switch (e) {
      case Expr.Const _,
          Expr.Var _,
          Expr.Index _,
          Expr.Binary _,
          Expr.Unary _,
          Expr.Compare _,
          Expr.Convert _,
          Expr.Apply _,
          Expr.Load _,
          Expr.Capacity _,
          Expr.Tuning _ ->
          rep.isImperative();
    };
  }
}
