-- A size would contain itself.
--
-- Size inference finds that a size must be equal to a larger expression of which it is a part.
--
-- Fix: write the sizes down, or change the shape of one of the arrays.

def grow f = \(xs: []i32) -> f xs == f (xs ++ [1])
