# What the scripts share. Sourced, not run.
# shellcheck shell=bash

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Ends the script because packages could not be installed: cannot_install COMMAND PACKAGE...
cannot_install() {
  local command=$1
  shift
  echo "could not install $*: the system's package registry cannot be reached, or does not have it." >&2
  echo "Install it by hand with \`$command $*\`, then run this again." >&2
  exit 2
}

# Installs the system packages that the build needs, and those of the commands that are named: COMMAND, or
# COMMAND=PACKAGE where the package has another name. Says what it does, and says nothing when all is there.
install_system_packages() {
  command -v swift >/dev/null || {
    echo "swift is not installed; get Swift 6.3 or later from https://www.swift.org/install" >&2
    exit 2
  }
  local missing=() name
  for name in "$@"; do command -v "${name%%=*}" >/dev/null || missing+=("${name#*=}"); done
  if [ "$(uname)" = Darwin ]; then
    command -v pkg-config >/dev/null || missing+=(pkgconf)
    pkg-config --exists lua5.4 2>/dev/null || missing+=(lua@5.4)
    [ ${#missing[@]} -eq 0 ] && return
    command -v brew >/dev/null || {
      echo "missing: ${missing[*]}; install Homebrew (https://brew.sh) and run this again" >&2
      exit 2
    }
    echo "installing with Homebrew: ${missing[*]}" >&2
    brew install "${missing[@]}" >&2 || cannot_install 'brew install' "${missing[@]}"
    return
  fi
  # Swift itself needs these; only a bare system lacks them.
  command -v git >/dev/null || missing+=(git)
  [ -e /etc/ssl/certs ] || missing+=(ca-certificates)
  command -v ld >/dev/null || missing+=(binutils)
  [ -e /usr/include/c++ ] || missing+=(g++)
  [[ $(/sbin/ldconfig -p) = *libxml2.so* ]] || missing+=(libxml2)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  # Without pkg-config the headers tell as well.
  [ -e /usr/include/lua5.4/lua.h ] || missing+=(liblua5.4-dev)
  [ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
  [ -e /usr/include/editline/readline.h ] || missing+=(libedit-dev)
  pkg-config --exists libcurl 2>/dev/null || missing+=(libcurl4-openssl-dev)
  [ ${#missing[@]} -eq 0 ] && return
  install_debian_packages "${missing[@]}"
}

# Installs packages by their Debian names, and says so.
install_debian_packages() {
  command -v apt-get >/dev/null || {
    echo "missing: $* (Debian's names); install them with this system's package manager, then run this again" >&2
    exit 2
  }
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "missing: $*; run as root: apt-get install $*" >&2
      exit 2
    }
    root=(sudo)
  fi
  echo "installing with apt-get: $*" >&2
  local log name failed=()
  log=$(mktemp)
  # An update that fails is no reason to end: what is cached may do, and the installation says whether it does.
  ${root[@]+"${root[@]}"} apt-get update -qq >"$log" 2>&1 || true
  ${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 || {
    # What apt says goes first: the reason may be another, such as a lock that somebody holds.
    grep '^E: ' "$log" | sort -u | tail -n 3 >&2 || true
    rm -f "$log"
    for name in "$@"; do
      [[ $(dpkg-query --show --showformat='${Status}' "$name" 2>/dev/null) = *' installed' ]] || failed+=("$name")
    done
    cannot_install 'apt-get install' "${failed[@]}"
  }
  rm -f "$log"
}

# How long something takes, for people: 45 s, 1 min 20 s.
say_duration() {
  if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# Runs a command with its output in a file, and shows how it goes on when that takes long: on a terminal in one line that
# moves and goes in the end, elsewhere in a line each half minute. Returns the command's status.
#
#   with_progress LOG SUMMARY COMMAND...    SUMMARY is a function that says of a log in a line how far it got
#
# A function named in `progress_news` shows what should be known before the command ends.
progress_news=
with_progress() {
  local log=$1 summary=$2 begin=$SECONDS status=0 watcher
  shift 2
  : >"$log"
  # The command stays in the foreground, where Ctrl-C reaches it.
  watch_progress "$log" "$summary" &
  watcher=$!
  "$@" >"$log" 2>&1 || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if [ $((SECONDS - begin)) -ge 3 ] && moves_lines; then printf '\r\033[K' >&2; fi
  return $status
}

# Whether a line can be written again: on a terminal that is more than a printer.
moves_lines() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }

watch_progress() {
  local script=$$ begin=$SECONDS said=0 elapsed text time columns
  # Redirected, so that a reader of this script's output does not wait for the sleep to end.
  while sleep 0.5 >/dev/null 2>&1 && kill -0 "$script" 2>/dev/null; do
    elapsed=$((SECONDS - begin))
    [ -z "$progress_news" ] || "$progress_news"
    if moves_lines; then
      [ $elapsed -ge 3 ] || continue
      columns=$(stty size <&2 2>/dev/null | cut -d ' ' -f 2)
      [ "${columns:-0}" -gt 0 ] || columns=80
      text=$("$2" "$1") text=${text//[[:cntrl:]]/ } time=" ($(say_duration $elapsed))"
      printf '\r%s\033[K' "${text:0:columns-${#time}-1}$time" >&2
    elif [ $((elapsed / 30)) -gt $said ]; then
      said=$((elapsed / 30))
      echo "$("$2" "$1") ($(say_duration $elapsed))" >&2
    fi
  done
}

# How far a build got: [123/700] Compiling GlassHost. What Swift says before that, such as what it fetches, as it is.
summarize_build() {
  local line
  line=$(tail -n 1 "$1")
  # A name of a file follows that of its module, and changes too fast to be read.
  if [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (Compiling|Emitting\ module|Linking|Archiving)\ [^\ ]+ ]]; then
    line=${BASH_REMATCH[0]}
  elif [[ $line = 'Another instance of SwiftPM'* ]]; then
    line='waiting for another build in this folder'
  elif [[ $line != \[* ]]; then
    # A warning's lines say nothing about how far the build got.
    line=$(grep -E '^\[[0-9]+/[0-9]+\]|^(Fetch|Creat|Comput|Build)' "$1" | tail -n 1)
  fi
  echo "${line:-building}"
}

# What went wrong in a build, once, without the steps that went well.
show_build_failure() {
  # The compiler says what it finds in a module's interface once for each file that it compiles.
  awk '
    { sub(/^Another instance of SwiftPM.*finished execution\.\.\./, "") }
    /^\[[0-9]+\/[0-9]+\] |^Building for |^$/ { next }
    /: (error|warning|note): / && /^[^ ]/ { repeated = seen[$0]++ }
    !repeated
  ' "$1" >&2
}

# Builds a program in debug, as the tests do, and runs it: run_program NAME ARGUMENT...
run_program() {
  local program=$repository/.build/debug/$1 name=$1
  shift
  # Completion does not wait for a build. The last build answers; without one, nothing is offered.
  if [ "${1:-}" = ---completion ]; then
    [ -x "$program" ] || exit 0
    exec "$program" "$@"
  fi
  install_system_packages
  build --package-path "$repository" --product "$name" || exit 2
  exec "$program" "$@"
}

# The names that the executable of a product is installed by: programs_of shop-delivery prints shop-host shop-delivery.
programs_of() {
  if [[ $1 = ?*-delivery ]]; then echo "${1%-delivery}-host $1"; else echo "$1"; fi
}

# Installs a Java for Spark, if there is none.
install_java() {
  # macOS has a `java` that only says where to get one.
  if java -version >/dev/null 2>&1; then return; fi
  if [ "$(uname)" = Darwin ]; then
    echo 'there is no Java; install it with: brew install openjdk@17' >&2
    exit 2
  fi
  install_debian_packages openjdk-17-jre-headless
}

# Makes a virtual environment of a name with packages from PyPI, once, and sets `python_environment` to its folder.
make_python_environment() {
  python_environment=$repository/.build-python/$1
  shift
  if [ -e "$python_environment/complete" ]; then return; fi
  rm -rf "$python_environment"
  # Debian's python3 has `venv` and lacks what it needs.
  if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    if [ "$(uname)" = Darwin ]; then cannot_install 'brew install' python3; fi
    install_debian_packages python3 python3-venv
  fi
  python3 -m venv "$python_environment"
  "$python_environment/bin/pip" install --quiet --disable-pip-version-check "$@" || {
    echo "could not install $* from PyPI. Make the package index reachable for pip, then run this again." >&2
    exit 2
  }
  touch "$python_environment/complete"
}

# Sets `python_tuf` to a Python with python-tuf.
find_python_tuf() {
  make_python_environment tuf-7.0.1 'tuf==7.0.1' 'securesystemslib[crypto]==1.6.0'
  python_tuf=$python_environment/bin/python
}

# Starts loopback-server from a folder of executables and makes a folder of markets that name its port. Sets
# `loopback_url`, `loopback_markets` and `loopback_folder`; the server ends, and the folder goes, with the script.
start_loopback() {
  loopback_folder=$(mktemp -d)
  trap stop_loopback EXIT
  # The server ends with its standard input, which this script holds open.
  mkfifo "$loopback_folder/input"
  # A copy, so that a build meanwhile does not change what is running.
  cp "$1/loopback-server" "$loopback_folder/"
  loopback_site=$loopback_folder/site
  mkdir "$loopback_site"
  "$loopback_folder/loopback-server" "$loopback_site" <"$loopback_folder/input" >"$loopback_folder/port" &
  loopback_server=$!
  exec 9>"$loopback_folder/input"
  local port=
  until port=$(sed -n 's/^port //p' "$loopback_folder/port") && [ -n "$port" ]; do
    kill -0 "$loopback_server" 2>/dev/null || {
      echo 'loopback-server did not start' >&2
      exit 2
    }
    sleep 0.05
  done
  loopback_url=http://127.0.0.1:$port
  loopback_markets=$loopback_folder/markets
  cp -R "$repository/markets" "$loopback_markets"
  cp "$repository/Tests/Loopback/markets/"*.lua "$loopback_markets/"
  echo "return \"$port\"" >"$loopback_markets/shared/loopback_port.lua"
}

stop_loopback() {
  exec 9>&-
  kill "$loopback_server" 2>/dev/null || true
  wait "$loopback_server" 2>/dev/null || true
  rm -rf "$loopback_folder"
}

# The steps of a script that has several, for the table in the end.
step_names=()
step_times=()
step_notes=()
current_step=

# Runs a command as a step: says its name before and its time after. Where it fails, the script ends. What the command
# leaves in `step_note` goes into the table.
step() {
  current_step=$1
  step_note=
  step_begin=$SECONDS
  shift
  printf '\n== %s\n' "$current_step"
  "$@"
  printf '   %s\n' "$(say_duration $((SECONDS - step_begin)))"
  end_step
}

# Notes the step that runs, if one does.
end_step() {
  [ -n "$current_step" ] || return 0
  step_names+=("$current_step")
  step_times+=($((SECONDS - step_begin)))
  step_notes+=("$step_note")
  current_step=
}

# Prints what ran, and how long.
print_steps() {
  local index
  printf '\n'
  for index in ${step_names[@]+"${!step_names[@]}"}; do
    printf '%-50s %12s  %s\n' "${step_names[index]}" "$(say_duration "${step_times[index]}")" "${step_notes[index]}"
  done
  printf '%-50s %12s\n' 'in all' "$(say_duration "$SECONDS")"
}

# Runs `swift build ARGUMENT...`, shows how it goes on, and says what went wrong.
build() {
  local log status=0
  log=$(mktemp)
  with_progress "$log" summarize_build swift build "$@" || status=$?
  [ $status -eq 0 ] || show_build_failure "$log"
  rm -f "$log"
  return $status
}

# Makes a package of some targets of this one, since SwiftPM links the tests of a package only with the tests of all its
# targets: make_partial_package FOLDER TARGET... Of the packages that this one depends on, it keeps those that FOLDER's
# targets name.
make_partial_package() {
  local folder=$1 names
  shift
  names=$(printf '"%s", ' "$@")
  mkdir -p "$folder"
  ln -sfn "$repository/Sources" "$repository/Tests" "$folder/"
  cat "$repository/Package.swift" - >"$folder/Package.swift" <<END

package.products = []
package.targets.removeAll { !([$names] as Set).contains(\$0.name) }
let needed = package.targets.flatMap(\\.dependencies).compactMap { dependency in
    if case .productItem(_, let package?, _, _) = dependency { package } else { nil }
}
package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return !needed.contains { location.hasSuffix("/\\(\$0)") }
}
END
}

# The same, where a warning is a failure.
build_without_warnings() {
  local log status=0 file
  log=$(mktemp)
  with_progress "$log" summarize_build swift build "$@" || status=$?
  if [ $status -ne 0 ]; then
    show_build_failure "$log"
  elif grep -q 'warning: ' "$log"; then
    show_build_failure "$log"
    echo 'the build succeeded, but with warnings, which are not allowed; fix the ones above' >&2
    status=1
    # Else the next build would find nothing to compile, and nothing to warn of.
    while read -r file; do touch -c "$file"; done < <(sed -nE 's/^(\/[^:]+):[0-9]+:[0-9]+: warning: .*/\1/p' "$log")
  fi
  rm -f "$log"
  return $status
}
