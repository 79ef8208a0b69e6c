-- The type of a parameter has an unknown size.
--
-- The size of the parameter follows from a value that is only known inside of the function.
--
-- Fix: write down the type of the parameter.

def sum_after xs =
  let ys = filter (> 0i32) [1, 2, 3]
  in i32.sum (map2 (+) xs ys)
