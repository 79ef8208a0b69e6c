def twice 't (f: t -> t) (x: t): t = f (f x)
