def main (n: i32) (xs: []i32) =
  loop counts = [] for i < n do counts ++ [length (filter (> i) xs)]
