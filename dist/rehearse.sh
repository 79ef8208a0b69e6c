#!/bin/sh
# Rehearses a release: deploys all artifacts, with sources, Javadoc and signatures of a key of its own, to dist/target/rehearsal/repository.
# Then makes, builds and tests a project of a program and one of a pass with these artifacts alone, compares the interfaces with
# the artifacts, as the next version will, and makes a container image without a base.
# The local repository of the rehearsal starts as a copy of the user's.
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
  rm -rf "$rehearsal/local/io/github/futharkc"
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

# Maven runs on the JDK that compiles, since its plugins read class files.
JAVA_HOME=$JDK25
export JAVA_HOME
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
gpg --batch --quiet --passphrase '' --quick-generate-key 'Rehearsal <rehearsal@example.org>' ed25519 sign never

build -Prelease,spark,arrow -Dmaven.test.skip=true -DaltDeploymentRepository="rehearsal::$repository" deploy

# What Central requires of each artifact.
find "$rehearsal/repository" -name '*.pom' | while read -r pom; do
  for element in name description url license developer scm; do
    grep -q "<$element>\|<$element " "$pom" || { echo "$pom has no <$element>." >&2; exit 1; }
  done
  ! grep -q 'revision\|<parent>' "$pom" || { echo "$pom is not flattened." >&2; exit 1; }
  files=$pom
  if [ -e "${pom%.pom}.jar" ]; then
    files="$files ${pom%.pom}.jar ${pom%.pom}-sources.jar ${pom%.pom}-javadoc.jar"
  fi
  for file in $files; do
    gpg --quiet --verify "$file.asc" "$file" 2> /dev/null || { echo "$file has no valid signature." >&2; exit 1; }
  done
done
for kind in program pass; do
  (cd "$rehearsal/projects" && "$home/futharkc" new "$kind" "hello-$kind")
  (cd "$rehearsal/projects/hello-$kind" && build package)
done
"$home/futharkc" passes --plugin-path="$rehearsal/projects/hello-pass/target/plugin" --passes=+hello-pass > /dev/null

version=$(sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' pom.xml)
interfaces=core.ir,core.runtime,integration.partitions
build -Papi -Dapi.baseline="$version" -Drevision="$version.1" -Dmaven.test.skip=true -pl "$interfaces" verify
rm -f ./*/target/*-"$version".1*.jar

build -Pimage -pl image package com.google.cloud.tools:jib-maven-plugin:buildTar -Dimage.base=scratch
mkdir "$rehearsal/image" "$rehearsal/layer"
tar -xf image/target/jib-image.tar -C "$rehearsal/layer"
for layer in "$rehearsal"/layer/*.tar.gz; do
  tar -xzf "$layer" -C "$rehearsal/image" 2> /dev/null
done
"$rehearsal/image/opt/futharkc/bin/futharkc" --version
echo "The rehearsal succeeded."
