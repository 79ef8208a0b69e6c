-- | Combining functions.

-- | Feed a value to a function: `x |> f` is `f x`, and `x |> f |> g` reads in the order of work.
#[inline] def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Function application that binds more loosely than any other operator.
#[inline] def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Composition, the function applied first written first.
#[inline] def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Composition, the function applied first written last.
#[inline] def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | The same function with its first two parameters exchanged.
#[inline] def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y

-- | Make a function of a pair take the components one at a time.
#[inline] def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b) : c = f (x, y)

-- | Make a function of two parameters take them as a pair.
#[inline] def uncurry '^a '^b '^c (f: a -> b -> c) (x: a, y: b) : c = f x y

-- | The function that ignores its second argument.
#[inline] def const '^a '^b (x: a) (_: b) : a = x

-- | The identity function.
#[inline] def id '^a (x: a) : a = x

-- | Apply a function `n` times over.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a = loop y = x for _i < n do f y

-- | Apply a function again and again until the value satisfies `p`.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while !(p y) do f y

-- | Apply a function again and again as long as the value satisfies `p`.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while p y do f y
