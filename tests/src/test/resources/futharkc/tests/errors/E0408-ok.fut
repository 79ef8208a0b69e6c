def contains [n] 't (eq: t -> t -> bool) (xs: [n]t) (x: t): bool = any (eq x) xs
