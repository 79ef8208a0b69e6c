-- | Arrays of tuples, to and from tuples of arrays.
--
-- Both sides are stored alike, so the intrinsics cost nothing.  The arrays that `zip` makes are
-- nevertheless fresh: the `map` that makes them so disappears when it is fused.

-- | Combine two arrays elementwise.
def zip 'a 'b [n] (as: [n]a) (bs: [n]b) : *[n](a, b) =
  intrinsics.map (\(a, b) -> (a, b)) (intrinsics.zip as bs)

-- | The same as `zip`.
def zip2 'a 'b [n] (as: [n]a) (bs: [n]b) : *[n](a, b) = zip as bs

-- | Combine three arrays elementwise.
def zip3 'a 'b 'c [n] (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) =
  intrinsics.map (\(a, b, c) -> (a, b, c)) (intrinsics.zip3 as bs cs)

-- | Combine four arrays elementwise.
def zip4 'a 'b 'c 'd [n] (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n](a, b, c, d) =
  intrinsics.map (\(a, b, c, d) -> (a, b, c, d)) (intrinsics.zip4 as bs cs ds)

-- | Combine five arrays elementwise.
def zip5 'a 'b 'c 'd 'e [n] (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e)
    : *[n](a, b, c, d, e) =
  intrinsics.map (\(a, b, c, d, e) -> (a, b, c, d, e)) (intrinsics.zip5 as bs cs ds es)

-- | Take an array of pairs apart.
#[inline] def unzip 'a 'b [n] (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | The same as `unzip`.
#[inline] def unzip2 'a 'b [n] (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | Take an array of triples apart.
#[inline] def unzip3 'a 'b 'c [n] (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) = intrinsics.unzip3 xs

-- | Take an array of quadruples apart.
#[inline] def unzip4 'a 'b 'c 'd [n] (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  intrinsics.unzip4 xs

-- | Take an array of quintuples apart.
#[inline] def unzip5 'a 'b 'c 'd 'e [n] (xs: [n](a, b, c, d, e))
    : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  intrinsics.unzip5 xs
