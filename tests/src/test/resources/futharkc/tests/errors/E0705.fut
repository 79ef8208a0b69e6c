-- A module that takes no parameters is applied.
--
-- Only a parametric module takes an argument.
--
-- Fix: remove the argument, or add a parameter to the module.

module one = {def value = 1i32}
module two = one {def step = 1i32}
