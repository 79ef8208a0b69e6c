-- | Numbers.

-- | Conversions to number types and `bool`.  The boolean true converts to 1, and every number
-- except 0 converts to true.  Integers are truncated, sign-extended if both types are signed, or
-- else zero-extended to the target's bits.  Floating-point numbers are truncated to integers.
module type from_prim = {
  type t
  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t
  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t
  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t
  val bool : bool -> t
}

-- | Numbers of any kind.
module type numeric = {
  include from_prim

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  -- | Division.  Integer division rounds towards minus infinity.
  val (/) : t -> t -> t
  -- | The remainder of `/`.
  val (%) : t -> t -> t
  -- | Power.
  val (**) : t -> t -> t

  val to_i64 : t -> i64

  val (==) : t -> t -> bool
  val (!=) : t -> t -> bool
  val (<) : t -> t -> bool
  val (<=) : t -> t -> bool
  val (>) : t -> t -> bool
  val (>=) : t -> t -> bool

  -- | The number with the opposite sign.
  val neg : t -> t
  val max : t -> t -> t
  val min : t -> t -> t
  val abs : t -> t
  -- | The sign: 1, -1 or 0.
  val sgn : t -> t

  -- | The largest number.
  val highest : t
  -- | The smallest number: the most negative one for signed types.
  val lowest : t

  -- | The sum of the elements, 0 if there are none.
  val sum [n] : [n]t -> t
  -- | The product of the elements, 1 if there are none.
  val product [n] : [n]t -> t
  -- | The largest element, `lowest` if there are none.
  val maximum [n] : [n]t -> t
  -- | The smallest element, `highest` if there are none.
  val minimum [n] : [n]t -> t
}

-- | Integers of a fixed number of bits.
module type integral = {
  include numeric

  -- | Division that rounds towards zero.
  val (//) : t -> t -> t
  -- | The remainder of `//`.
  val (%%) : t -> t -> t

  val (&) : t -> t -> t
  val (|) : t -> t -> t
  val (^) : t -> t -> t
  -- | All bits inverted.
  val not : t -> t
  val (<<) : t -> t -> t
  -- | Right shift, arithmetic for signed types and logical for unsigned types.
  val (>>) : t -> t -> t
  -- | Logical right shift.
  val (>>>) : t -> t -> t

  val num_bits : i32
  -- | The bit with the given number, counted from the least significant bit.
  val get_bit : i32 -> t -> i32
  -- | The number with one bit replaced by the last argument.
  val set_bit : i32 -> t -> i32 -> t
  -- | The number of bits that are 1.
  val popc : t -> i32
  -- | The number of leading zeros.
  val clz : t -> i32
  -- | The number of trailing zeros.
  val ctz : t -> i32
  -- | The upper half of the product's bits.
  val mul_hi : (x: t) -> (y: t) -> t
  -- | `mul_hi a b + c`.
  val mad_hi : (a: t) -> (b: t) -> (c: t) -> t
}

-- | Approximations of the real numbers.
module type real = {
  include numeric

  -- | The quotient of two integers.
  val from_fraction : i64 -> i64 -> t
  val to_f64 : t -> f64
  -- | One divided by the number.
  val recip : t -> t

  val sqrt : t -> t
  -- | One divided by the square root.
  val rsqrt : t -> t
  -- | The cube root.
  val cbrt : t -> t
  -- | The length of the vector with these components.
  val hypot : t -> t -> t

  val exp : t -> t
  -- | The natural logarithm.
  val log : t -> t
  val log2 : t -> t
  val log10 : t -> t
  -- | The natural logarithm of the number plus one, precise close to zero.
  val log1p : t -> t

  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t
  val atan2 : t -> t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t

  -- Trigonometric functions with angles in units of pi.
  val sinpi : t -> t
  val cospi : t -> t
  val tanpi : t -> t
  val asinpi : t -> t
  val acospi : t -> t
  val atanpi : t -> t
  val atan2pi : t -> t -> t

  -- | The gamma function.
  val gamma : t -> t
  -- | The natural logarithm of the gamma function's magnitude.
  val lgamma : t -> t
  -- | The error function.
  val erf : t -> t
  -- | One minus the error function.
  val erfc : t -> t

  -- | Linear interpolation from the first number to the second by the third, from 0 to 1.
  val lerp : t -> t -> t -> t
  -- | `a * b + c`, rounded once or twice, whichever is faster.
  val mad : (a: t) -> (b: t) -> (c: t) -> t
  -- | `a * b + c`, rounded once.
  val fma : (a: t) -> (b: t) -> (c: t) -> t

  val ceil : t -> t
  val floor : t -> t
  -- | The number rounded towards zero.
  val trunc : t -> t
  -- | The closest integer; a tie rounds to the even integer.
  val round : t -> t

  val isinf : t -> bool
  val isnan : t -> bool
  val inf : t
  val nan : t
  val pi : t
  val e : t
}

-- | Floating-point numbers.
module type float = {
  include real

  -- | The unsigned integers of the same width.
  type int_t
  val from_bits : int_t -> t
  val to_bits : t -> int_t
  val num_bits : i32
  val get_bit : i32 -> t -> i32
  val set_bit : i32 -> t -> i32 -> t

  -- | The distance from 1 to the next larger number.
  val epsilon : t
  -- | The next representable number from `x` towards `y`.
  val nextafter : (x: t) -> (y: t) -> t
  -- | The number times a power of two.
  val ldexp : t -> i32 -> t
  -- | The magnitude of `x` with the sign of `y`.
  val copysign : (x: t) -> (y: t) -> t
}

module bool : from_prim with t = bool = {
  type t = bool

  def i8 = intrinsics.conv_i8_bool
  def i16 = intrinsics.conv_i16_bool
  def i32 = intrinsics.conv_i32_bool
  def i64 = intrinsics.conv_i64_bool
  def u8 = intrinsics.conv_u8_bool
  def u16 = intrinsics.conv_u16_bool
  def u32 = intrinsics.conv_u32_bool
  def u64 = intrinsics.conv_u64_bool
  def f16 = intrinsics.conv_f16_bool
  def f32 = intrinsics.conv_f32_bool
  def f64 = intrinsics.conv_f64_bool
  def bool = intrinsics.conv_bool_bool
}

module i8 : integral with t = i8 = {
  type t = i8

  def (+) = intrinsics.add_i8
  def (-) = intrinsics.sub_i8
  def (*) = intrinsics.mul_i8
  def (/) = intrinsics.div_i8
  def (%) = intrinsics.mod_i8
  def (**) = intrinsics.pow_i8

  def (==) = intrinsics.eq_i8
  def (!=) = intrinsics.neq_i8
  def (<) = intrinsics.lt_i8
  def (<=) = intrinsics.le_i8
  def (>) = intrinsics.gt_i8
  def (>=) = intrinsics.ge_i8

  def neg = intrinsics.neg_i8
  def max = intrinsics.max_i8
  def min = intrinsics.min_i8
  def abs = intrinsics.abs_i8
  def sgn = intrinsics.sgn_i8
  def highest = intrinsics.highest_i8
  def lowest = intrinsics.lowest_i8

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_i8 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_i8 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_i8 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_i8 highest xs

  def (//) = intrinsics.quot_i8
  def (%%) = intrinsics.rem_i8

  def (&) = intrinsics.and_i8
  def (|) = intrinsics.or_i8
  def (^) = intrinsics.xor_i8
  def not = intrinsics.not_i8
  def (<<) = intrinsics.shl_i8
  def (>>) = intrinsics.shr_i8
  def (>>>) = intrinsics.lshr_i8

  def num_bits : i32 = 8
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_i8_i32 (x >> intrinsics.conv_i32_i8 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_i8 i
    in x & not (1 << i) | intrinsics.conv_i32_i8 b << i
  def popc = intrinsics.popc_i8
  def clz = intrinsics.clz_i8
  def ctz = intrinsics.ctz_i8
  def mul_hi = intrinsics.mul_hi_i8
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_i8_i64
  def i8 = intrinsics.conv_i8_i8
  def i16 = intrinsics.conv_i16_i8
  def i32 = intrinsics.conv_i32_i8
  def i64 = intrinsics.conv_i64_i8
  def u8 = intrinsics.conv_u8_i8
  def u16 = intrinsics.conv_u16_i8
  def u32 = intrinsics.conv_u32_i8
  def u64 = intrinsics.conv_u64_i8
  def f16 = intrinsics.conv_f16_i8
  def f32 = intrinsics.conv_f32_i8
  def f64 = intrinsics.conv_f64_i8
  def bool = intrinsics.conv_bool_i8
}

module i16 : integral with t = i16 = {
  type t = i16

  def (+) = intrinsics.add_i16
  def (-) = intrinsics.sub_i16
  def (*) = intrinsics.mul_i16
  def (/) = intrinsics.div_i16
  def (%) = intrinsics.mod_i16
  def (**) = intrinsics.pow_i16

  def (==) = intrinsics.eq_i16
  def (!=) = intrinsics.neq_i16
  def (<) = intrinsics.lt_i16
  def (<=) = intrinsics.le_i16
  def (>) = intrinsics.gt_i16
  def (>=) = intrinsics.ge_i16

  def neg = intrinsics.neg_i16
  def max = intrinsics.max_i16
  def min = intrinsics.min_i16
  def abs = intrinsics.abs_i16
  def sgn = intrinsics.sgn_i16
  def highest = intrinsics.highest_i16
  def lowest = intrinsics.lowest_i16

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_i16 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_i16 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_i16 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_i16 highest xs

  def (//) = intrinsics.quot_i16
  def (%%) = intrinsics.rem_i16

  def (&) = intrinsics.and_i16
  def (|) = intrinsics.or_i16
  def (^) = intrinsics.xor_i16
  def not = intrinsics.not_i16
  def (<<) = intrinsics.shl_i16
  def (>>) = intrinsics.shr_i16
  def (>>>) = intrinsics.lshr_i16

  def num_bits : i32 = 16
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_i16_i32 (x >> intrinsics.conv_i32_i16 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_i16 i
    in x & not (1 << i) | intrinsics.conv_i32_i16 b << i
  def popc = intrinsics.popc_i16
  def clz = intrinsics.clz_i16
  def ctz = intrinsics.ctz_i16
  def mul_hi = intrinsics.mul_hi_i16
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_i16_i64
  def i8 = intrinsics.conv_i8_i16
  def i16 = intrinsics.conv_i16_i16
  def i32 = intrinsics.conv_i32_i16
  def i64 = intrinsics.conv_i64_i16
  def u8 = intrinsics.conv_u8_i16
  def u16 = intrinsics.conv_u16_i16
  def u32 = intrinsics.conv_u32_i16
  def u64 = intrinsics.conv_u64_i16
  def f16 = intrinsics.conv_f16_i16
  def f32 = intrinsics.conv_f32_i16
  def f64 = intrinsics.conv_f64_i16
  def bool = intrinsics.conv_bool_i16
}

module i32 : integral with t = i32 = {
  type t = i32

  def (+) = intrinsics.add_i32
  def (-) = intrinsics.sub_i32
  def (*) = intrinsics.mul_i32
  def (/) = intrinsics.div_i32
  def (%) = intrinsics.mod_i32
  def (**) = intrinsics.pow_i32

  def (==) = intrinsics.eq_i32
  def (!=) = intrinsics.neq_i32
  def (<) = intrinsics.lt_i32
  def (<=) = intrinsics.le_i32
  def (>) = intrinsics.gt_i32
  def (>=) = intrinsics.ge_i32

  def neg = intrinsics.neg_i32
  def max = intrinsics.max_i32
  def min = intrinsics.min_i32
  def abs = intrinsics.abs_i32
  def sgn = intrinsics.sgn_i32
  def highest = intrinsics.highest_i32
  def lowest = intrinsics.lowest_i32

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_i32 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_i32 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_i32 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_i32 highest xs

  def (//) = intrinsics.quot_i32
  def (%%) = intrinsics.rem_i32

  def (&) = intrinsics.and_i32
  def (|) = intrinsics.or_i32
  def (^) = intrinsics.xor_i32
  def not = intrinsics.not_i32
  def (<<) = intrinsics.shl_i32
  def (>>) = intrinsics.shr_i32
  def (>>>) = intrinsics.lshr_i32

  def num_bits : i32 = 32
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_i32_i32 (x >> intrinsics.conv_i32_i32 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_i32 i
    in x & not (1 << i) | intrinsics.conv_i32_i32 b << i
  def popc = intrinsics.popc_i32
  def clz = intrinsics.clz_i32
  def ctz = intrinsics.ctz_i32
  def mul_hi = intrinsics.mul_hi_i32
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_i32_i64
  def i8 = intrinsics.conv_i8_i32
  def i16 = intrinsics.conv_i16_i32
  def i32 = intrinsics.conv_i32_i32
  def i64 = intrinsics.conv_i64_i32
  def u8 = intrinsics.conv_u8_i32
  def u16 = intrinsics.conv_u16_i32
  def u32 = intrinsics.conv_u32_i32
  def u64 = intrinsics.conv_u64_i32
  def f16 = intrinsics.conv_f16_i32
  def f32 = intrinsics.conv_f32_i32
  def f64 = intrinsics.conv_f64_i32
  def bool = intrinsics.conv_bool_i32
}

module i64 : integral with t = i64 = {
  type t = i64

  def (+) = intrinsics.add_i64
  def (-) = intrinsics.sub_i64
  def (*) = intrinsics.mul_i64
  def (/) = intrinsics.div_i64
  def (%) = intrinsics.mod_i64
  def (**) = intrinsics.pow_i64

  def (==) = intrinsics.eq_i64
  def (!=) = intrinsics.neq_i64
  def (<) = intrinsics.lt_i64
  def (<=) = intrinsics.le_i64
  def (>) = intrinsics.gt_i64
  def (>=) = intrinsics.ge_i64

  def neg = intrinsics.neg_i64
  def max = intrinsics.max_i64
  def min = intrinsics.min_i64
  def abs = intrinsics.abs_i64
  def sgn = intrinsics.sgn_i64
  def highest = intrinsics.highest_i64
  def lowest = intrinsics.lowest_i64

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_i64 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_i64 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_i64 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_i64 highest xs

  def (//) = intrinsics.quot_i64
  def (%%) = intrinsics.rem_i64

  def (&) = intrinsics.and_i64
  def (|) = intrinsics.or_i64
  def (^) = intrinsics.xor_i64
  def not = intrinsics.not_i64
  def (<<) = intrinsics.shl_i64
  def (>>) = intrinsics.shr_i64
  def (>>>) = intrinsics.lshr_i64

  def num_bits : i32 = 64
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_i64_i32 (x >> intrinsics.conv_i32_i64 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_i64 i
    in x & not (1 << i) | intrinsics.conv_i32_i64 b << i
  def popc = intrinsics.popc_i64
  def clz = intrinsics.clz_i64
  def ctz = intrinsics.ctz_i64
  def mul_hi = intrinsics.mul_hi_i64
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_i64_i64
  def i8 = intrinsics.conv_i8_i64
  def i16 = intrinsics.conv_i16_i64
  def i32 = intrinsics.conv_i32_i64
  def i64 = intrinsics.conv_i64_i64
  def u8 = intrinsics.conv_u8_i64
  def u16 = intrinsics.conv_u16_i64
  def u32 = intrinsics.conv_u32_i64
  def u64 = intrinsics.conv_u64_i64
  def f16 = intrinsics.conv_f16_i64
  def f32 = intrinsics.conv_f32_i64
  def f64 = intrinsics.conv_f64_i64
  def bool = intrinsics.conv_bool_i64
}

module u8 : integral with t = u8 = {
  type t = u8

  def (+) = intrinsics.add_u8
  def (-) = intrinsics.sub_u8
  def (*) = intrinsics.mul_u8
  def (/) = intrinsics.div_u8
  def (%) = intrinsics.mod_u8
  def (**) = intrinsics.pow_u8

  def (==) = intrinsics.eq_u8
  def (!=) = intrinsics.neq_u8
  def (<) = intrinsics.lt_u8
  def (<=) = intrinsics.le_u8
  def (>) = intrinsics.gt_u8
  def (>=) = intrinsics.ge_u8

  def neg = intrinsics.neg_u8
  def max = intrinsics.max_u8
  def min = intrinsics.min_u8
  def abs = intrinsics.abs_u8
  def sgn = intrinsics.sgn_u8
  def highest = intrinsics.highest_u8
  def lowest = intrinsics.lowest_u8

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_u8 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_u8 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_u8 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_u8 highest xs

  def (//) = intrinsics.quot_u8
  def (%%) = intrinsics.rem_u8

  def (&) = intrinsics.and_u8
  def (|) = intrinsics.or_u8
  def (^) = intrinsics.xor_u8
  def not = intrinsics.not_u8
  def (<<) = intrinsics.shl_u8
  def (>>) = intrinsics.shr_u8
  def (>>>) = intrinsics.lshr_u8

  def num_bits : i32 = 8
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_u8_i32 (x >> intrinsics.conv_i32_u8 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_u8 i
    in x & not (1 << i) | intrinsics.conv_i32_u8 b << i
  def popc = intrinsics.popc_u8
  def clz = intrinsics.clz_u8
  def ctz = intrinsics.ctz_u8
  def mul_hi = intrinsics.mul_hi_u8
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_u8_i64
  def i8 = intrinsics.conv_i8_u8
  def i16 = intrinsics.conv_i16_u8
  def i32 = intrinsics.conv_i32_u8
  def i64 = intrinsics.conv_i64_u8
  def u8 = intrinsics.conv_u8_u8
  def u16 = intrinsics.conv_u16_u8
  def u32 = intrinsics.conv_u32_u8
  def u64 = intrinsics.conv_u64_u8
  def f16 = intrinsics.conv_f16_u8
  def f32 = intrinsics.conv_f32_u8
  def f64 = intrinsics.conv_f64_u8
  def bool = intrinsics.conv_bool_u8
}

module u16 : integral with t = u16 = {
  type t = u16

  def (+) = intrinsics.add_u16
  def (-) = intrinsics.sub_u16
  def (*) = intrinsics.mul_u16
  def (/) = intrinsics.div_u16
  def (%) = intrinsics.mod_u16
  def (**) = intrinsics.pow_u16

  def (==) = intrinsics.eq_u16
  def (!=) = intrinsics.neq_u16
  def (<) = intrinsics.lt_u16
  def (<=) = intrinsics.le_u16
  def (>) = intrinsics.gt_u16
  def (>=) = intrinsics.ge_u16

  def neg = intrinsics.neg_u16
  def max = intrinsics.max_u16
  def min = intrinsics.min_u16
  def abs = intrinsics.abs_u16
  def sgn = intrinsics.sgn_u16
  def highest = intrinsics.highest_u16
  def lowest = intrinsics.lowest_u16

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_u16 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_u16 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_u16 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_u16 highest xs

  def (//) = intrinsics.quot_u16
  def (%%) = intrinsics.rem_u16

  def (&) = intrinsics.and_u16
  def (|) = intrinsics.or_u16
  def (^) = intrinsics.xor_u16
  def not = intrinsics.not_u16
  def (<<) = intrinsics.shl_u16
  def (>>) = intrinsics.shr_u16
  def (>>>) = intrinsics.lshr_u16

  def num_bits : i32 = 16
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_u16_i32 (x >> intrinsics.conv_i32_u16 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_u16 i
    in x & not (1 << i) | intrinsics.conv_i32_u16 b << i
  def popc = intrinsics.popc_u16
  def clz = intrinsics.clz_u16
  def ctz = intrinsics.ctz_u16
  def mul_hi = intrinsics.mul_hi_u16
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_u16_i64
  def i8 = intrinsics.conv_i8_u16
  def i16 = intrinsics.conv_i16_u16
  def i32 = intrinsics.conv_i32_u16
  def i64 = intrinsics.conv_i64_u16
  def u8 = intrinsics.conv_u8_u16
  def u16 = intrinsics.conv_u16_u16
  def u32 = intrinsics.conv_u32_u16
  def u64 = intrinsics.conv_u64_u16
  def f16 = intrinsics.conv_f16_u16
  def f32 = intrinsics.conv_f32_u16
  def f64 = intrinsics.conv_f64_u16
  def bool = intrinsics.conv_bool_u16
}

module u32 : integral with t = u32 = {
  type t = u32

  def (+) = intrinsics.add_u32
  def (-) = intrinsics.sub_u32
  def (*) = intrinsics.mul_u32
  def (/) = intrinsics.div_u32
  def (%) = intrinsics.mod_u32
  def (**) = intrinsics.pow_u32

  def (==) = intrinsics.eq_u32
  def (!=) = intrinsics.neq_u32
  def (<) = intrinsics.lt_u32
  def (<=) = intrinsics.le_u32
  def (>) = intrinsics.gt_u32
  def (>=) = intrinsics.ge_u32

  def neg = intrinsics.neg_u32
  def max = intrinsics.max_u32
  def min = intrinsics.min_u32
  def abs = intrinsics.abs_u32
  def sgn = intrinsics.sgn_u32
  def highest = intrinsics.highest_u32
  def lowest = intrinsics.lowest_u32

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_u32 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_u32 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_u32 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_u32 highest xs

  def (//) = intrinsics.quot_u32
  def (%%) = intrinsics.rem_u32

  def (&) = intrinsics.and_u32
  def (|) = intrinsics.or_u32
  def (^) = intrinsics.xor_u32
  def not = intrinsics.not_u32
  def (<<) = intrinsics.shl_u32
  def (>>) = intrinsics.shr_u32
  def (>>>) = intrinsics.lshr_u32

  def num_bits : i32 = 32
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_u32_i32 (x >> intrinsics.conv_i32_u32 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_u32 i
    in x & not (1 << i) | intrinsics.conv_i32_u32 b << i
  def popc = intrinsics.popc_u32
  def clz = intrinsics.clz_u32
  def ctz = intrinsics.ctz_u32
  def mul_hi = intrinsics.mul_hi_u32
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_u32_i64
  def i8 = intrinsics.conv_i8_u32
  def i16 = intrinsics.conv_i16_u32
  def i32 = intrinsics.conv_i32_u32
  def i64 = intrinsics.conv_i64_u32
  def u8 = intrinsics.conv_u8_u32
  def u16 = intrinsics.conv_u16_u32
  def u32 = intrinsics.conv_u32_u32
  def u64 = intrinsics.conv_u64_u32
  def f16 = intrinsics.conv_f16_u32
  def f32 = intrinsics.conv_f32_u32
  def f64 = intrinsics.conv_f64_u32
  def bool = intrinsics.conv_bool_u32
}

module u64 : integral with t = u64 = {
  type t = u64

  def (+) = intrinsics.add_u64
  def (-) = intrinsics.sub_u64
  def (*) = intrinsics.mul_u64
  def (/) = intrinsics.div_u64
  def (%) = intrinsics.mod_u64
  def (**) = intrinsics.pow_u64

  def (==) = intrinsics.eq_u64
  def (!=) = intrinsics.neq_u64
  def (<) = intrinsics.lt_u64
  def (<=) = intrinsics.le_u64
  def (>) = intrinsics.gt_u64
  def (>=) = intrinsics.ge_u64

  def neg = intrinsics.neg_u64
  def max = intrinsics.max_u64
  def min = intrinsics.min_u64
  def abs = intrinsics.abs_u64
  def sgn = intrinsics.sgn_u64
  def highest = intrinsics.highest_u64
  def lowest = intrinsics.lowest_u64

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_u64 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_u64 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_u64 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_u64 highest xs

  def (//) = intrinsics.quot_u64
  def (%%) = intrinsics.rem_u64

  def (&) = intrinsics.and_u64
  def (|) = intrinsics.or_u64
  def (^) = intrinsics.xor_u64
  def not = intrinsics.not_u64
  def (<<) = intrinsics.shl_u64
  def (>>) = intrinsics.shr_u64
  def (>>>) = intrinsics.lshr_u64

  def num_bits : i32 = 64
  def get_bit (i: i32) (x: t) : i32 =
    intrinsics.conv_u64_i32 (x >> intrinsics.conv_i32_u64 i & 1)
  def set_bit (i: i32) (x: t) (b: i32) : t =
    let i = intrinsics.conv_i32_u64 i
    in x & not (1 << i) | intrinsics.conv_i32_u64 b << i
  def popc = intrinsics.popc_u64
  def clz = intrinsics.clz_u64
  def ctz = intrinsics.ctz_u64
  def mul_hi = intrinsics.mul_hi_u64
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def to_i64 = intrinsics.conv_u64_i64
  def i8 = intrinsics.conv_i8_u64
  def i16 = intrinsics.conv_i16_u64
  def i32 = intrinsics.conv_i32_u64
  def i64 = intrinsics.conv_i64_u64
  def u8 = intrinsics.conv_u8_u64
  def u16 = intrinsics.conv_u16_u64
  def u32 = intrinsics.conv_u32_u64
  def u64 = intrinsics.conv_u64_u64
  def f16 = intrinsics.conv_f16_u64
  def f32 = intrinsics.conv_f32_u64
  def f64 = intrinsics.conv_f64_u64
  def bool = intrinsics.conv_bool_u64
}

module f16 : float with t = f16 with int_t = u16 = {
  type t = f16

  def (+) = intrinsics.add_f16
  def (-) = intrinsics.sub_f16
  def (*) = intrinsics.mul_f16
  def (/) = intrinsics.div_f16
  def (%) = intrinsics.mod_f16
  def (**) = intrinsics.pow_f16

  def (==) = intrinsics.eq_f16
  def (!=) = intrinsics.neq_f16
  def (<) = intrinsics.lt_f16
  def (<=) = intrinsics.le_f16
  def (>) = intrinsics.gt_f16
  def (>=) = intrinsics.ge_f16

  def neg = intrinsics.neg_f16
  def max = intrinsics.max_f16
  def min = intrinsics.min_f16
  def abs = intrinsics.abs_f16
  def sgn = intrinsics.sgn_f16
  def highest = intrinsics.highest_f16
  def lowest = intrinsics.lowest_f16

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_f16 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_f16 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_f16 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_f16 highest xs

  type int_t = u16
  def from_bits = intrinsics.from_bits_f16
  def to_bits = intrinsics.to_bits_f16
  def num_bits : i32 = 16
  def get_bit (i: i32) (x: t) : i32 = u16.get_bit i (to_bits x)
  def set_bit (i: i32) (x: t) (b: i32) : t = from_bits (u16.set_bit i (to_bits x) b)

  def from_fraction (x: i64) (y: i64) : t = intrinsics.conv_i64_f16 x / intrinsics.conv_i64_f16 y
  def to_f64 = intrinsics.conv_f16_f64
  def recip (x: t) : t = 1 / x
  def lerp (x: t) (y: t) (a: t) : t = x + (y - x) * a
  def mad (a: t) (b: t) (c: t) : t = a * b + c

  def sqrt = intrinsics.sqrt_f16
  def rsqrt = intrinsics.rsqrt_f16
  def cbrt = intrinsics.cbrt_f16
  def hypot = intrinsics.hypot_f16

  def exp = intrinsics.exp_f16
  def log = intrinsics.log_f16
  def log2 = intrinsics.log2_f16
  def log10 = intrinsics.log10_f16
  def log1p = intrinsics.log1p_f16

  def sin = intrinsics.sin_f16
  def cos = intrinsics.cos_f16
  def tan = intrinsics.tan_f16
  def asin = intrinsics.asin_f16
  def acos = intrinsics.acos_f16
  def atan = intrinsics.atan_f16
  def atan2 = intrinsics.atan2_f16
  def sinh = intrinsics.sinh_f16
  def cosh = intrinsics.cosh_f16
  def tanh = intrinsics.tanh_f16
  def asinh = intrinsics.asinh_f16
  def acosh = intrinsics.acosh_f16
  def atanh = intrinsics.atanh_f16

  def sinpi = intrinsics.sinpi_f16
  def cospi = intrinsics.cospi_f16
  def tanpi = intrinsics.tanpi_f16
  def asinpi = intrinsics.asinpi_f16
  def acospi = intrinsics.acospi_f16
  def atanpi = intrinsics.atanpi_f16
  def atan2pi = intrinsics.atan2pi_f16

  def gamma = intrinsics.gamma_f16
  def lgamma = intrinsics.lgamma_f16
  def erf = intrinsics.erf_f16
  def erfc = intrinsics.erfc_f16
  def fma = intrinsics.fma_f16

  def ceil = intrinsics.ceil_f16
  def floor = intrinsics.floor_f16
  def round = intrinsics.round_f16
  def trunc (x: t) : t = if x < 0 then ceil x else floor x

  def isinf = intrinsics.isinf_f16
  def isnan = intrinsics.isnan_f16
  def nextafter = intrinsics.nextafter_f16
  def ldexp = intrinsics.ldexp_f16
  def copysign = intrinsics.copysign_f16
  def nan = intrinsics.nan_f16
  def inf = highest
  def pi : t = 3.141592653589793
  def e : t = 2.718281828459045
  def epsilon : t = 0.0009765625

  def to_i64 = intrinsics.conv_f16_i64
  def i8 = intrinsics.conv_i8_f16
  def i16 = intrinsics.conv_i16_f16
  def i32 = intrinsics.conv_i32_f16
  def i64 = intrinsics.conv_i64_f16
  def u8 = intrinsics.conv_u8_f16
  def u16 = intrinsics.conv_u16_f16
  def u32 = intrinsics.conv_u32_f16
  def u64 = intrinsics.conv_u64_f16
  def f16 = intrinsics.conv_f16_f16
  def f32 = intrinsics.conv_f32_f16
  def f64 = intrinsics.conv_f64_f16
  def bool = intrinsics.conv_bool_f16
}

module f32 : float with t = f32 with int_t = u32 = {
  type t = f32

  def (+) = intrinsics.add_f32
  def (-) = intrinsics.sub_f32
  def (*) = intrinsics.mul_f32
  def (/) = intrinsics.div_f32
  def (%) = intrinsics.mod_f32
  def (**) = intrinsics.pow_f32

  def (==) = intrinsics.eq_f32
  def (!=) = intrinsics.neq_f32
  def (<) = intrinsics.lt_f32
  def (<=) = intrinsics.le_f32
  def (>) = intrinsics.gt_f32
  def (>=) = intrinsics.ge_f32

  def neg = intrinsics.neg_f32
  def max = intrinsics.max_f32
  def min = intrinsics.min_f32
  def abs = intrinsics.abs_f32
  def sgn = intrinsics.sgn_f32
  def highest = intrinsics.highest_f32
  def lowest = intrinsics.lowest_f32

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_f32 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_f32 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_f32 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_f32 highest xs

  type int_t = u32
  def from_bits = intrinsics.from_bits_f32
  def to_bits = intrinsics.to_bits_f32
  def num_bits : i32 = 32
  def get_bit (i: i32) (x: t) : i32 = u32.get_bit i (to_bits x)
  def set_bit (i: i32) (x: t) (b: i32) : t = from_bits (u32.set_bit i (to_bits x) b)

  def from_fraction (x: i64) (y: i64) : t = intrinsics.conv_i64_f32 x / intrinsics.conv_i64_f32 y
  def to_f64 = intrinsics.conv_f32_f64
  def recip (x: t) : t = 1 / x
  def lerp (x: t) (y: t) (a: t) : t = x + (y - x) * a
  def mad (a: t) (b: t) (c: t) : t = a * b + c

  def sqrt = intrinsics.sqrt_f32
  def rsqrt = intrinsics.rsqrt_f32
  def cbrt = intrinsics.cbrt_f32
  def hypot = intrinsics.hypot_f32

  def exp = intrinsics.exp_f32
  def log = intrinsics.log_f32
  def log2 = intrinsics.log2_f32
  def log10 = intrinsics.log10_f32
  def log1p = intrinsics.log1p_f32

  def sin = intrinsics.sin_f32
  def cos = intrinsics.cos_f32
  def tan = intrinsics.tan_f32
  def asin = intrinsics.asin_f32
  def acos = intrinsics.acos_f32
  def atan = intrinsics.atan_f32
  def atan2 = intrinsics.atan2_f32
  def sinh = intrinsics.sinh_f32
  def cosh = intrinsics.cosh_f32
  def tanh = intrinsics.tanh_f32
  def asinh = intrinsics.asinh_f32
  def acosh = intrinsics.acosh_f32
  def atanh = intrinsics.atanh_f32

  def sinpi = intrinsics.sinpi_f32
  def cospi = intrinsics.cospi_f32
  def tanpi = intrinsics.tanpi_f32
  def asinpi = intrinsics.asinpi_f32
  def acospi = intrinsics.acospi_f32
  def atanpi = intrinsics.atanpi_f32
  def atan2pi = intrinsics.atan2pi_f32

  def gamma = intrinsics.gamma_f32
  def lgamma = intrinsics.lgamma_f32
  def erf = intrinsics.erf_f32
  def erfc = intrinsics.erfc_f32
  def fma = intrinsics.fma_f32

  def ceil = intrinsics.ceil_f32
  def floor = intrinsics.floor_f32
  def round = intrinsics.round_f32
  def trunc (x: t) : t = if x < 0 then ceil x else floor x

  def isinf = intrinsics.isinf_f32
  def isnan = intrinsics.isnan_f32
  def nextafter = intrinsics.nextafter_f32
  def ldexp = intrinsics.ldexp_f32
  def copysign = intrinsics.copysign_f32
  def nan = intrinsics.nan_f32
  def inf = highest
  def pi : t = 3.141592653589793
  def e : t = 2.718281828459045
  def epsilon : t = 1.1920929e-7

  def to_i64 = intrinsics.conv_f32_i64
  def i8 = intrinsics.conv_i8_f32
  def i16 = intrinsics.conv_i16_f32
  def i32 = intrinsics.conv_i32_f32
  def i64 = intrinsics.conv_i64_f32
  def u8 = intrinsics.conv_u8_f32
  def u16 = intrinsics.conv_u16_f32
  def u32 = intrinsics.conv_u32_f32
  def u64 = intrinsics.conv_u64_f32
  def f16 = intrinsics.conv_f16_f32
  def f32 = intrinsics.conv_f32_f32
  def f64 = intrinsics.conv_f64_f32
  def bool = intrinsics.conv_bool_f32
}

module f64 : float with t = f64 with int_t = u64 = {
  type t = f64

  def (+) = intrinsics.add_f64
  def (-) = intrinsics.sub_f64
  def (*) = intrinsics.mul_f64
  def (/) = intrinsics.div_f64
  def (%) = intrinsics.mod_f64
  def (**) = intrinsics.pow_f64

  def (==) = intrinsics.eq_f64
  def (!=) = intrinsics.neq_f64
  def (<) = intrinsics.lt_f64
  def (<=) = intrinsics.le_f64
  def (>) = intrinsics.gt_f64
  def (>=) = intrinsics.ge_f64

  def neg = intrinsics.neg_f64
  def max = intrinsics.max_f64
  def min = intrinsics.min_f64
  def abs = intrinsics.abs_f64
  def sgn = intrinsics.sgn_f64
  def highest = intrinsics.highest_f64
  def lowest = intrinsics.lowest_f64

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add_f64 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul_f64 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max_f64 lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min_f64 highest xs

  type int_t = u64
  def from_bits = intrinsics.from_bits_f64
  def to_bits = intrinsics.to_bits_f64
  def num_bits : i32 = 64
  def get_bit (i: i32) (x: t) : i32 = u64.get_bit i (to_bits x)
  def set_bit (i: i32) (x: t) (b: i32) : t = from_bits (u64.set_bit i (to_bits x) b)

  def from_fraction (x: i64) (y: i64) : t = intrinsics.conv_i64_f64 x / intrinsics.conv_i64_f64 y
  def to_f64 = intrinsics.conv_f64_f64
  def recip (x: t) : t = 1 / x
  def lerp (x: t) (y: t) (a: t) : t = x + (y - x) * a
  def mad (a: t) (b: t) (c: t) : t = a * b + c

  def sqrt = intrinsics.sqrt_f64
  def rsqrt = intrinsics.rsqrt_f64
  def cbrt = intrinsics.cbrt_f64
  def hypot = intrinsics.hypot_f64

  def exp = intrinsics.exp_f64
  def log = intrinsics.log_f64
  def log2 = intrinsics.log2_f64
  def log10 = intrinsics.log10_f64
  def log1p = intrinsics.log1p_f64

  def sin = intrinsics.sin_f64
  def cos = intrinsics.cos_f64
  def tan = intrinsics.tan_f64
  def asin = intrinsics.asin_f64
  def acos = intrinsics.acos_f64
  def atan = intrinsics.atan_f64
  def atan2 = intrinsics.atan2_f64
  def sinh = intrinsics.sinh_f64
  def cosh = intrinsics.cosh_f64
  def tanh = intrinsics.tanh_f64
  def asinh = intrinsics.asinh_f64
  def acosh = intrinsics.acosh_f64
  def atanh = intrinsics.atanh_f64

  def sinpi = intrinsics.sinpi_f64
  def cospi = intrinsics.cospi_f64
  def tanpi = intrinsics.tanpi_f64
  def asinpi = intrinsics.asinpi_f64
  def acospi = intrinsics.acospi_f64
  def atanpi = intrinsics.atanpi_f64
  def atan2pi = intrinsics.atan2pi_f64

  def gamma = intrinsics.gamma_f64
  def lgamma = intrinsics.lgamma_f64
  def erf = intrinsics.erf_f64
  def erfc = intrinsics.erfc_f64
  def fma = intrinsics.fma_f64

  def ceil = intrinsics.ceil_f64
  def floor = intrinsics.floor_f64
  def round = intrinsics.round_f64
  def trunc (x: t) : t = if x < 0 then ceil x else floor x

  def isinf = intrinsics.isinf_f64
  def isnan = intrinsics.isnan_f64
  def nextafter = intrinsics.nextafter_f64
  def ldexp = intrinsics.ldexp_f64
  def copysign = intrinsics.copysign_f64
  def nan = intrinsics.nan_f64
  def inf = highest
  def pi : t = 3.141592653589793
  def e : t = 2.718281828459045
  def epsilon : t = 2.220446049250313e-16

  def to_i64 = intrinsics.conv_f64_i64
  def i8 = intrinsics.conv_i8_f64
  def i16 = intrinsics.conv_i16_f64
  def i32 = intrinsics.conv_i32_f64
  def i64 = intrinsics.conv_i64_f64
  def u8 = intrinsics.conv_u8_f64
  def u16 = intrinsics.conv_u16_f64
  def u32 = intrinsics.conv_u32_f64
  def u64 = intrinsics.conv_u64_f64
  def f16 = intrinsics.conv_f16_f64
  def f32 = intrinsics.conv_f32_f64
  def f64 = intrinsics.conv_f64_f64
  def bool = intrinsics.conv_bool_f64
}
