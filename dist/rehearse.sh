#!/bin/sh
# Rehearses a release: deploys all artifacts to dist/target/rehearsal/repository, then makes, builds and tests a project of a program
# and one of a pass with these artifacts alone. The local repository of the rehearsal starts as a copy of the user's.
set -eu
cd "$(dirname "$0")/.."
. dist/find-jdk.sh
jdk25_find || { jdk25_missing >&2; exit 1; }

home=$PWD
rehearsal=$home/dist/target/rehearsal
rm -rf "$rehearsal"
mkdir -p "$rehearsal/repository" "$rehearsal/projects"
repository=file://$rehearsal/repository
local=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
if [ -d "$local" ]; then
  cp -al "$local" "$rehearsal/local" 2> /dev/null || cp -a "$local" "$rehearsal/local"
  rm -rf "$rehearsal/local/futharkc"
fi
cat > "$rehearsal/settings.xml" << END
<settings>
  <profiles>
    <profile>
      <id>rehearsal</id>
      <repositories><repository><id>rehearsal</id><url>$repository</url></repository></repositories>
      <pluginRepositories><pluginRepository><id>rehearsal</id><url>$repository</url></pluginRepository></pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>rehearsal</activeProfile></activeProfiles>
</settings>
END

build() { mvn -B -ntp -q -s "$rehearsal/settings.xml" -Dmaven.repo.local="$rehearsal/local" "$@"; }

build -Dmaven.test.skip=true -DaltDeploymentRepository="rehearsal::$repository" deploy

# The projects have Maven run on the JDK that compiles them.
JAVA_HOME=$JDK25
export JAVA_HOME
for kind in program pass; do
  (cd "$rehearsal/projects" && "$home/futharkc" new "$kind" "hello-$kind")
  (cd "$rehearsal/projects/hello-$kind" && build package)
done
"$home/futharkc" passes --plugin-path="$rehearsal/projects/hello-pass/target/plugin" --passes=+hello-pass > /dev/null
echo "The rehearsal succeeded."
