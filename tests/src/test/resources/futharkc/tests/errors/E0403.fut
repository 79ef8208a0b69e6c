-- A type would contain itself.
--
-- Type inference finds that a type must be equal to a larger type of which it is a part.
--
-- Fix: apply the function to another argument, or annotate the parameters to find the mistake.

def twice f x = f f x
