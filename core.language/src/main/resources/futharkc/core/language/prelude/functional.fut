-- | Combining functions.

-- | Apply a function to a value: `x |> f` is `f x`, and `x |> f |> g` is `g (f x)`.
#[inline] def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Function application that binds more loosely than any other operator.
#[inline] def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Composition from left to right: `(f >-> g) x` is `g (f x)`.
#[inline] def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Composition from right to left: `(f <-< g) x` is `f (g x)`.
#[inline] def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | The function with its first two parameters exchanged.
#[inline] def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y

-- | Convert a function of a pair to a function of two parameters.
#[inline] def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b) : c = f (x, y)

-- | Convert a function of two parameters to a function of a pair.
#[inline] def uncurry '^a '^b '^c (f: a -> b -> c) (x: a, y: b) : c = f x y

-- | The function that returns its first argument and ignores its second.
#[inline] def const '^a '^b (x: a) (_: b) : a = x

-- | The identity function.
#[inline] def id '^a (x: a) : a = x

-- | Apply a function `n` times.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a = loop y = x for _i < n do f y

-- | Apply a function repeatedly until the value satisfies `p`.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while !(p y) do f y

-- | Apply a function repeatedly while the value satisfies `p`.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while p y do f y
