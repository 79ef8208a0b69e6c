-- A type abbreviation hides a function or an unknown size.
--
-- A type defined with `type` contains neither functions nor sizes that are not parameters. `type~` allows unknown sizes, `type^` also allows functions.
--
-- Fix: add a size parameter, or define the type with `type~` or `type^`.

type series = {name: i32, values: []f64}
