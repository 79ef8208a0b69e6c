-- An imported file does not exist.
--
-- An import names a file without its extension `.fut`, relative to the folder of the importing file.
--
-- Fix: correct the path. The file `statistics.fut` of this example defines `mean`.

import "statistic"

def main [n] (xs: [n]f64): f64 = mean xs
