-- | Arrays: sizes, slices, construction, shape.

import "soacs"
open import "zip"

-- | The number of elements.
#[inline] def length 't [n] (_: [n]t) : i64 = n

-- | Test whether the array is empty.
#[inline] def null 't [n] (_: [n]t) : bool = n == 0

-- | The first element.
#[inline] def head 't [n] (xs: [n]t) : t = xs[0]

-- | The last element.
#[inline] def last 't [n] (xs: [n]t) : t = xs[n - 1]

-- | All elements but the first.
#[inline] def tail 't [n] (xs: [n]t) : [n - 1]t = xs[1:]

-- | All elements but the last.
#[inline] def init 't [n] (xs: [n]t) : [n - 1]t = xs[:n - 1]

-- | The first `i` elements.
#[inline] def take 't [n] (i: i64) (xs: [n]t) : [i]t = xs[:i]

-- | All elements but the first `i`.
#[inline] def drop 't [n] (i: i64) (xs: [n]t) : [n - i]t = xs[i:]

-- | The same array with the size `n`, which is checked at run time.
#[inline] def sized 't [m] (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | The first `n` elements and the remaining elements.
#[inline] def split 't [n] [m] (xs: [n + m]t) : ([n]t, [m]t) = (xs[:n], xs[n:] :> [m]t)

-- | The elements in reverse order.
#[inline] def reverse 't [n] (xs: [n]t) : [n]t = xs[::-1]

-- | The concatenation of two arrays.
#[inline] def (++) 't [n] [m] (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The same as `++`.
#[inline] def concat 't [n] [m] (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The numbers from 0 up to but not including `n`.
#[inline] def iota (n: i64) : *[n]i64 = 0..1..<n

-- | The indices of the elements.
#[inline] def indices 't [n] (_: [n]t) : *[n]i64 = 0..1..<n

-- | The array rotated by `r` elements to the left, or to the right if `r` is negative.  Element `i`
-- of the result is element `i + r` of the argument, modulo the size.
def rotate 't [n] (r: i64) (xs: [n]t) : *[n]t =
  -- A single division suffices: `i + k` exceeds the last index by less than `n`.
  let k = if n == 0 then 0 else #[unsafe] r % n
  in map (\i -> let j = i + k in #[unsafe] xs[if j < n then j else j - n]) (0..1..<n)

-- | An array of `n` copies of `x`.
#[inline] def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | A `replicate` whose size the context determines.
#[inline] def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | A copy of the value in fresh memory.
#[inline] def copy 't (x: t) : *t = intrinsics.copy x

-- | A copy of the value in row-major order in memory.
#[inline] def manifest 't (x: t) : *t = intrinsics.manifest x

-- | Join the two outermost dimensions.
#[inline] def flatten 't [n] [m] (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | Join the three outermost dimensions.
#[inline] def flatten_3d 't [n] [m] [l] (xs: [n][m][l]t) : [n * m * l]t =
  intrinsics.flatten (intrinsics.flatten xs)

-- | Join the four outermost dimensions.
#[inline] def flatten_4d 't [n] [m] [l] [k] (xs: [n][m][l][k]t) : [n * m * l * k]t =
  intrinsics.flatten (flatten_3d xs)

-- | Split the outermost dimension into two.
#[inline] def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = intrinsics.unflatten n m xs

-- | Split the outermost dimension into three.
#[inline] def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t =
  intrinsics.unflatten n m (intrinsics.unflatten (n * m) l xs)

-- | Split the outermost dimension into four.
#[inline] def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  unflatten_3d (intrinsics.unflatten (n * m * l) k xs)

-- | Transpose the two outermost dimensions.
#[inline] def transpose 't [n] [m] (xs: [n][m]t) : [m][n]t = intrinsics.transpose xs

-- | Test whether all elements are true.
def and [n] (xs: [n]bool) : bool = intrinsics.reduce_comm intrinsics.logand_bool true xs

-- | Test whether some element is true.
def or [n] (xs: [n]bool) : bool = intrinsics.reduce_comm intrinsics.logor_bool false xs

-- | Combine the elements sequentially, from the left.
def foldl 'a 'b [n] (f: a -> b -> a) (start: a) (xs: [n]b) : a =
  loop acc = start for x in xs do f acc x

-- | Combine the elements sequentially, from the right.
def foldr 'a 'b [n] (f: b -> a -> a) (start: a) (xs: [n]b) : a =
  loop acc = start for x in xs[::-1] do f x acc

-- | The array with element `f i` at index `i`.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = map f (0..1..<n)

-- | The two-dimensional array with element `f i j` at index `i, j`.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  map (\i -> map (\j -> f i j) (0..1..<m)) (0..1..<n)

-- | The three-dimensional array with element `f i j k` at index `i, j, k`.
def tabulate_3d 'a (n: i64) (m: i64) (l: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][l]a =
  map (\i -> map (\j -> map (\k -> f i j k) (0..1..<l)) (0..1..<m)) (0..1..<n)
