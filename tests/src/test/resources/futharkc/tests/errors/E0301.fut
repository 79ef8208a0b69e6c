-- A name is not defined.
--
-- No definition, parameter, open module or import in scope binds the name.
--
-- Fix: correct the spelling, or define or import the name. The message suggests a similar name if there is one.

def main (radius: f64): f64 = f64.pi * radiuss ** 2
