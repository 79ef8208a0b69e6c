-- | Conversions between arrays of tuples and tuples of arrays.
--
-- Both have the same representation, so the intrinsics cost nothing.  The result of `zip` has no
-- aliases, because `zip` copies with a `map`.  Fusion removes this `map`.

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

-- | Split an array of pairs into two arrays.
#[inline] def unzip 'a 'b [n] (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | The same as `unzip`.
#[inline] def unzip2 'a 'b [n] (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | Split an array of triples into three arrays.
#[inline] def unzip3 'a 'b 'c [n] (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) = intrinsics.unzip3 xs

-- | Split an array of quadruples into four arrays.
#[inline] def unzip4 'a 'b 'c 'd [n] (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  intrinsics.unzip4 xs

-- | Split an array of quintuples into five arrays.
#[inline] def unzip5 'a 'b 'c 'd 'e [n] (xs: [n](a, b, c, d, e))
    : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  intrinsics.unzip5 xs
