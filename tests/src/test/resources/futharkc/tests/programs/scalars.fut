-- Operators, conversions and functions of all primitive types. The values are those of version 0.25 of the original compiler.

-- ==
-- entry: a1
-- input { } output { -112i8 }
entry a1 : i8 = i8.i64 300 + 100i8

-- ==
-- entry: a2
-- input { } output { 85u8 }
entry a2 : u8 = u8.i32 (-1) / 3u8

-- ==
-- entry: a3
-- input { } output { 1u16 -32768i16 }
entry a3 : (u16, i16) = (65535u16 + 2u16, 32767i16 + 1i16)

-- ==
-- entry: a4
-- input { } output { 428571428u32 }
entry a4 : u32 = 3000000000u32 // 7u32

-- ==
-- entry: a5
-- input { } output { 5u64 }
entry a5 : u64 = 18446744073709551615u64 % 10u64

-- ==
-- entry: a6
-- input { } output { -4i32 1i32 -3i32 -1i32 }
entry a6 : (i32, i32, i32, i32) = ((-7) / 2, (-7) % 2, (-7) // 2, (-7) %% 2)

-- ==
-- entry: a7
-- input { } output { -4i32 -1i32 -3i32 1i32 }
entry a7 : (i32, i32, i32, i32) = (7 / (-2), 7 % (-2), 7 // (-2), 7 %% (-2))

-- ==
-- entry: a8
-- input { } output { true true }
entry a8 : (bool, bool) = (3000000000u32 > 5u32, -1i32 < 0i32)

-- ==
-- entry: a9
-- input { } output { -4i32 2147483644u32 }
entry a9 : (i32, u32) = ((-8) >> 1, 4294967288u32 >> 1)

-- ==
-- entry: a11
-- input { } output { 16777216.000000f32 }
entry a11 : f32 = f32.i64 16777217

-- ==
-- entry: a12
-- input { } output { 3i32 -3i32 1000000000i32 }
entry a12 : (i32, i32, i32) = (i32.f32 3.99, i32.f32 (-3.99), i32.f64 1e9)

-- ==
-- entry: a13
-- input { } output { 2.000000f32 4.000000f32 -2.000000f32 }
entry a13 : (f32, f32, f32) = (f32.round 2.5, f32.round 3.5, f32.trunc (-2.7))

-- ==
-- entry: a14
-- input { } output { -1.000000000000000f64 1.000000000000000f64 }
entry a14 : (f64, f64) = (f64.floor (-0.5), f64.ceil 0.2)

-- ==
-- entry: a15
-- input { } output { -1.000000f32 2.000000f32 }
entry a15 : (f32, f32) = (f32.min 1 (-1), f32.max f32.nan 2)

-- ==
-- entry: a17
-- input { } output { 8i32 31i32 3i32 }
entry a17 : (i32, i32, i32) = (i32.popc 255, i32.clz 1, i32.ctz 8)

-- ==
-- entry: a18
-- input { } output { 156u8 166u8 }
entry a18 : (u8, u8) = (u8.mul_hi 200 200, u8.mad_hi 200 200 10)

-- ==
-- entry: a19
-- input { } output { 0i64 5i64 }
entry a19 : (i64, i64) = (i64.mul_hi 9223372036854775807 2, i64.abs (-5))

-- ==
-- entry: a20
-- input { } output { -1i32 2147483647i32 }
entry a20 : (i32, i32) = (i32.sgn (-9), i32.highest)

-- ==
-- entry: a21
-- input { } output { -9223372036854775808i64 18446744073709551615u64 }
entry a21 : (i64, u64) = (i64.lowest, u64.highest)

-- ==
-- entry: a22
-- input { } output { 1024i32 1i32 }
entry a22 : (i32, i32) = (2 ** 10, 3i32 ** 0)

-- ==
-- entry: a23
-- input { } output { 1.414213562373095f64 2.718281828459045f64 }
entry a23 : (f64, f64) = (2f64 ** 0.5, f64.exp 1)

-- ==
-- entry: a24
-- input { } output { 1069547520u32 3.141593f32 }
entry a24 : (u32, f32) = (f32.to_bits 1.5, f32.from_bits 0x40490fdb)

-- ==
-- entry: a25
-- input { } output { 7i32 true }
entry a25 : (i32, bool) = (f32.to_i64 7.9 |> i32.i64, bool.i32 7)

-- ==
-- entry: a26
-- input { } output { 1i32 0.000000f32 1u8 }
entry a26 : (i32, f32, u8) = (i32.bool true, f32.bool false, u8.bool true)

-- ==
-- entry: a28
-- input { } output { 1.500000f32 10.000000000000000f64 }
entry a28 : (f32, f64) = (f32.lerp 1 3 0.25, f64.fma 2 3 4)

-- ==
-- entry: a29
-- input { } output { 0.463648f32 5.000000f32 }
entry a29 : (f32, f32) = (f32.atan2 1 2, f32.hypot 3 4)

-- ==
-- entry: a30
-- input { } output { 5i32 }
entry a30 : i32 = i32.get_bit 3 8 + i32.set_bit 2 0 1

-- ==
-- entry: a31
-- input { } output { 24.000000f32 12.801827f32 }
entry a31 : (f32, f32) = (f32.gamma 5, f32.lgamma 10)

-- ==
-- entry: a32
-- input { } output { 1.414214f32 3.000000f32 }
entry a32 : (f32, f32) = (f32.sqrt 2, f32.cbrt 27)

-- ==
-- entry: a33
-- input { } output { 4i32 -3i32 }
entry a33 : (i32, i32) = (i32.max 3 4, i32.min (-3) 4)

-- ==
-- entry: a34
-- input { } output { false true }
entry a34 : (bool, bool) = (!true || false && true, !(1 == 2))

-- ==
-- entry: a36
-- input { } output { 1.000977f16 f16.inf }
entry a36 : (f16, f16) = (f16.f32 1.0009765, 65504f16 + 16f16)

-- ==
-- entry: a37
-- input { } output { 0.333252f16 true }
entry a37 : (f16, bool) = (1f16 / 3f16, 0f16 == -0f16)

-- ==
-- entry: a38
-- input { } output { 4294967295i64 -1i64 }
entry a38 : (i64, i64) = (i64.u32 4294967295u32, i64.i32 (-1))

-- ==
-- entry: a39
-- input { } output { 255u64 255u64 }
entry a39 : (u64, u64) = (u64.i8 (-1), u64.u8 255)

-- ==
-- entry: a40
-- input { } output { 200u8 -100i8 }
entry a40 : (u8, i8) = (u8.f32 200.7, i8.f64 (-100.2))

-- ==
-- entry: a41
-- input { } output { 0.100000001490116f64 0.100000f32 }
entry a41 : (f64, f32) = (f64.f32 0.1, f32.f64 0.1)

-- ==
-- entry: a42
-- input { } output { 18446744073709551616.000000f32 4294967296.000000f32 }
entry a42 : (f32, f32) = (f32.u64 18446744073709551615u64, f32.u32 4294967295u32)

-- ==
-- entry: a43
-- input { } output { 9223372036854775808.000000000000000f64 255.000000000000000f64 }
entry a43 : (f64, f64) = (f64.u64 9223372036854775809u64, f64.u8 255)

-- ==
-- entry: a45
-- input { } output { 6i32 24i32 }
entry a45 : (i32, i32) = (i32.sum [1,2,3], i32.product [1,2,3,4])

-- ==
-- entry: a46
-- input { } output { 9i32 2147483647i32 }
entry a46 : (i32, i32) = (i32.maximum [3,9,2], i32.minimum (filter (> 100) [1]))

-- ==
-- entry: a47
-- input { } output { 0.000000f32 -f32.inf }
entry a47 : (f32, f32) = (f32.sum [], f32.maximum [])

-- ==
-- entry: a48
-- input { } output { false false }
entry a48 : (bool, bool) = (and [true, false], or [])

-- ==
-- entry: a49
-- input { } output { 0.333333f32 }
entry a49 : f32 = f32.from_fraction 1 3

-- ==
-- entry: a51
-- input { } output { 3.000000000000000f64 3.000000000000000f64 }
entry a51 : (f64, f64) = (f64.log2 8, f64.log10 1000)

-- ==
-- entry: a52
-- input { } output { 1.175201193643801f64 0.549306144334055f64 }
entry a52 : (f64, f64) = (f64.sinh 1, f64.atanh 0.5)

-- ==
-- entry: a54
-- input { } output { 24.000000f32 0.520500f32 }
entry a54 : (f32, f32) = (f32.ldexp 1.5 4, f32.erf 0.5)
