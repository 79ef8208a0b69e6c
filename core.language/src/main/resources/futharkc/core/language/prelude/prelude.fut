-- | The definitions that every program imports implicitly.

open import "soacs"
open import "array"
open import "math"
open import "functional"
open import "ad"

-- | `f32.i32`.
#[inline] def r32 (x: i32) : f32 = intrinsics.conv_i32_f32 x

-- | `i32.f32`.
#[inline] def t32 (x: f32) : i32 = intrinsics.conv_f32_i32 x

-- | `f64.i32`.
#[inline] def r64 (x: i32) : f64 = intrinsics.conv_i32_f64 x

-- | `i32.f64`.
#[inline] def t64 (x: f64) : i32 = intrinsics.conv_f64_i32 x

-- | Logical negation.
#[inline] def not (x: bool) : bool = !x

-- | The identity function, as an opaque barrier for the optimiser.
#[inline] def opaque 't (x: t) : t = #[opaque] x

-- | The identity function.  The interpreter also prints the value.
#[inline] def trace 't (x: t) : t = #[trace] x

-- | The identity function.  The interpreter also stops there.
#[inline] def break 't (x: t) : t = #[break] x
