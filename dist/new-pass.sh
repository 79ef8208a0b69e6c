#!/bin/sh
# Adds the module of a new pass: dist/new-pass.sh loop-reversal "reverses loops without dependencies"
# The pass runs only when it is named, and changes nothing yet.
set -eu

name=${1-}
description=${2-}
case $name in
  '' | *[!a-z0-9-]* | -* | *- | *--* | [0-9]*)
    echo "usage: dist/new-pass.sh NAME DESCRIPTION: NAME has lower-case words with hyphens in between" >&2
    exit 1
    ;;
esac
case $description in
  [a-z]*[!.]) ;;
  *) echo "new-pass: DESCRIPTION is a phrase such as 'fuses maps', without a full stop" >&2 && exit 1 ;;
esac
case $description in *[\"\\]*) echo "new-pass: DESCRIPTION has a quote or backslash" >&2 && exit 1 ;; esac

cd "$(dirname "$0")/.."
module=pass.$name
[ ! -e "$module" ] || { echo "new-pass: $module is there already" >&2 && exit 1; }
package=futharkc.pass.$(printf %s "$name" | tr -d -)
class=$(printf %s "$name" | awk -F- '{ for (i = 1; i <= NF; i++) printf "%s%s", toupper(substr($i, 1, 1)), substr($i, 2) }')
folder=$(printf %s "$package" | tr . /)
sentence=$(printf %s "$description" | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) "." }')

# Inserts a line behind the last line of a file that matches a pattern.
insert() {
  awk -v pattern="$2" -v line="$3" '
    NR == FNR { if ($0 ~ pattern) last = FNR; next }
    { print }
    FNR == last { print line }' "$1" "$1" > "$1.new"
  mv "$1.new" "$1"
}

dependency="<dependency><groupId>io.github.futharkc</groupId><artifactId>$module</artifactId>"
insert pom.xml '<module>pass[.]' "    <module>$module</module>"
insert pom.xml '<dependency>.*>pass[.]' "      $dependency<version>\${project.version}</version></dependency>"
insert bom/pom.xml '<dependency>.*>pass[.]' "      $dependency<version>\${project.version}</version></dependency>"
insert dist/pom.xml '<dependency>.*>pass[.]' "    $dependency</dependency>"
insert tests/src/main/java/module-info.java 'requires futharkc[.]pass[.]' "  requires $package;"

mkdir -p "$module/src/main/java/$folder" "$module/src/test/java/$folder" "$module/src/test/resources/$folder"
cat > "$module/pom.xml" << END
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>io.github.futharkc</groupId><artifactId>futharkc</artifactId><version>\${revision}</version></parent>
  <artifactId>$module</artifactId>
  <name>futharkc.$module</name>

  <dependencies>
    <dependency><groupId>io.github.futharkc</groupId><artifactId>core.ir</artifactId></dependency>
    <dependency><groupId>io.github.futharkc</groupId><artifactId>tests.kit</artifactId><scope>test</scope></dependency>
  </dependencies>
</project>
END
cat > "$module/src/main/java/module-info.java" << END
/** The pass {@code $name}. */
module $package {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      $package.${class}Pass;
}
END
cat > "$module/src/main/java/$folder/package-info.java" << END
/** The pass {@code $name}: {@link $package.${class}Pass}. */
@org.jspecify.annotations.NullMarked
package $package;
END
cat > "$module/src/main/java/$folder/${class}Pass.java" << END
package $package;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * $sentence
 *
 * <p>Before:
 *
 * <pre>
 * let y = add_i32(x, 0i32)
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let y = add_i32(x, 0i32)
 * </pre>
 */
public final class ${class}Pass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named("$name", "$description", Rep.SOACS)
        .optional();
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return function;
  }
}
END
cat > "$module/src/test/java/$folder/${class}Test.java" << END
package $package;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class ${class}Test {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("$folder", new ${class}Pass());
  }
}
END
program='#futhark-ir soacs v1

fun f(x_0: i32) -> (res_2: i32) next 3 = {
  let {y_1: i32} = add_i32(x_0, 0i32)
  in {y_1}
}'
printf '%s\n=====\n%s\n' "$program" "$program" > "$module/src/test/resources/$folder/addition.fir"

echo "$module is there. Next: ./format; write the pass; add golden files; FUTHARKC_BLESS=1 and ReferenceTest list it."
