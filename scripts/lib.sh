# shellcheck shell=bash
# Helpers for the scripts beside this file. Source it; it changes nothing but functions.

# Prints the project's root: the directory above scripts/.
project_root() {
  local here
  here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)"
  dirname -- "$here"
}

die() {
  printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
  exit 1
}

# Prints the java command: of JAVA_HOME when set, else of PATH.
java_command() {
  if [ -n "${JAVA_HOME:-}" ]; then
    [ -x "$JAVA_HOME/bin/java" ] || die "JAVA_HOME is $JAVA_HOME, which has no bin/java: correct or unset it"
    printf '%s\n' "$JAVA_HOME/bin/java"
  else
    command -v java || die "no java found: install Java 17 or newer, or set JAVA_HOME"
  fi
}

# Prints the major version of the java command given.
java_major() {
  local version
  version="$("$1" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.specification\.version = //p')"
  case "$version" in
    1.*) printf '%s\n' "${version#1.}" ;;
    *) printf '%s\n' "$version" ;;
  esac
}

# Ends the script unless java is 17 or newer.
require_java() {
  local java major
  java="$(java_command)" || exit 1
  major="$(java_major "$java")"
  case "$major" in
    '' | *[!0-9]*) die "cannot read the version of $java: Java 17 or newer is needed" ;;
  esac
  [ "$major" -ge 17 ] || die "$java is Java $major: Java 17 or newer is needed (set JAVA_HOME)"
}

# Prints the Maven to use: the installed mvn from version 3.8 on, else the project's wrapper.
maven_command() {
  local version major rest minor
  if command -v mvn >/dev/null 2>&1; then
    version="$(mvn --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1)"
    major="${version%%.*}"
    rest="${version#*.}"
    minor="${rest%%.*}"
    case "$major$minor" in
      '' | *[!0-9]*) ;;
      *)
        if [ "$major" -gt 3 ] || { [ "$major" -eq 3 ] && [ "$minor" -ge 8 ]; }; then
          command -v mvn
          return
        fi
        ;;
    esac
  fi
  printf '%s/mvnw\n' "$(project_root)"
}

# Prints the path of the jar that holds everything, given the root.
meshhub_jar() {
  printf '%s/hub-verticles/target/meshhub.jar\n' "$1"
}

# Builds that jar, given the root, when it is missing or older than a source; says so on standard error.
build_jar() {
  local root="$1" jar newer log
  jar="$(meshhub_jar "$root")"
  if [ -f "$jar" ]; then
    newer="$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/*/src/main -type f -newer "$jar" -print 2>/dev/null | head -n 1 || true)"
    [ -n "$newer" ] || return 0
    printf '%s: %s is newer than the jar; building (a minute or two)\n' "$(basename -- "$0")" "${newer#"$root"/}" >&2
  else
    printf '%s: building %s first (a minute or two)\n' "$(basename -- "$0")" "${jar#"$root"/}" >&2
  fi
  log="$(mktemp)"
  if ! (cd -- "$root" && "$(maven_command)" --batch-mode --quiet -pl hub-verticles -am package -DskipUTs=true \
    -Dmaven.test.skip=true -Dspotless.check.skip=true -Djacoco.skip=true) >"$log" 2>&1; then
    cat -- "$log" >&2
    rm -f -- "$log"
    die "the build failed; the output above says why"
  fi
  rm -f -- "$log"
  [ -f "$jar" ] || die "the build made no $jar"
  # What was already up to date keeps its time; the jar is as new as what it was checked against.
  touch -- "$jar"
  train_archive "$root" || true
}

# Prints the path of the archive of loaded classes for that java, given the root and the java command.
class_archive() {
  printf '%s/hub-verticles/target/meshhub-%s.jsa\n' "$1" "$(java_major "$2")"
}

# Starts a node once, for a moment and for nobody, and keeps an archive of the classes that it loaded: a later start takes
# a third less time. Only a convenience: where it fails, starts are as they were.
train_archive() (
  local root="$1" java archive work log pid waited=0
  java="$(java_command)"
  archive="$(class_archive "$root" "$java")"
  rm -f -- "$archive"
  work="$(mktemp -d)"
  log="$work/log"
  pid=""
  # In a shell of its own, so that its traps are its own: whoever interrupts it leaves nothing behind.
  trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true; rm -rf -- "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  local flags=()
  while IFS= read -r flag; do
    flags+=("$flag")
  done < <(java_flags "$java")
  # Without any setting of the caller's, above all without the store that it names: this node takes every shard.
  (cd -- "$work" && for flag in "${!MESHHUB_@}"; do unset "$flag"; done && exec "$java" "${flags[@]}" -Xlog:disable -XX:ArchiveClassesAtExit="$archive" \
    -jar "$(meshhub_jar "$root")" run --node training --data "$work/data" --set "store.dir=$work/data/store" \
    --set cluster.name=training-$$ --http-port 0 \
    --hazelcast-port 5790 --set cluster.hazelcast.ports=100) >"$log" 2>&1 </dev/null &
  pid=$!
  while ! grep -q 'is up$' "$log" 2>/dev/null && kill -0 "$pid" 2>/dev/null && [ "$waited" -lt 120 ]; do
    sleep 0.5
    waited=$((waited + 1))
  done
  kill -TERM "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  pid=""
  # One that was cut short is of no use.
  "$java" "${flags[@]}" -Xshare:on -XX:SharedArchiveFile="$archive" -jar "$(meshhub_jar "$root")" --version \
    >/dev/null 2>&1 || rm -f -- "$archive"
)

# Prints the flags that java needs, one a line, given the java command: Hazelcast reads JDK internals, and its
# asynchronous calls want more than the one worker that the common pool has on two processors. A node loads more classes
# than the JVM expects, which would collect garbage again and again for want of room for them, just when it joins.
java_flags() {
  printf '%s\n' \
    -XX:MetaspaceSize=128m \
    -Djava.util.concurrent.ForkJoinPool.common.parallelism=4 \
    --add-modules=java.se \
    --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED \
    --add-opens=java.base/java.lang=ALL-UNNAMED \
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
    --add-opens=java.management/sun.management=ALL-UNNAMED \
    --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED
  if [ "$(java_major "$1")" -ge 24 ]; then
    printf '%s\n' --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED
  fi
}
