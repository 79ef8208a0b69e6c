-- An attribute has no effect.
--
-- Attributes for derivatives work in front of certain loops and parameters, and some take a number.
--
-- Fix: move the attribute, or correct its argument.

def main (x: f64): f64 = #[stripmine(2)] (x * x)
