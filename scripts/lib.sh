# What the scripts share. Sourced, not run.
# shellcheck shell=bash

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Installs the system packages that the build needs, and those of the commands that are named, which are called as their
# packages are; says what it does, and says nothing when all is there.
install_system_packages() {
  command -v swift >/dev/null || {
    echo "swift is not installed; get Swift 6.3 or later from https://www.swift.org/install" >&2
    exit 2
  }
  local missing=() name
  for name in "$@"; do command -v "$name" >/dev/null || missing+=("$name"); done
  if [ "$(uname)" = Darwin ]; then
    command -v pkg-config >/dev/null || missing+=(pkgconf)
    pkg-config --exists lua5.4 2>/dev/null || missing+=(lua@5.4)
    [ ${#missing[@]} -eq 0 ] && return
    command -v brew >/dev/null || {
      echo "missing: ${missing[*]}; install Homebrew (https://brew.sh) and run this again" >&2
      exit 2
    }
    echo "installing with Homebrew: ${missing[*]}" >&2
    brew install "${missing[@]}" >&2
    return
  fi
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  # Without pkg-config the headers tell as well.
  [ -e /usr/include/lua5.4/lua.h ] || missing+=(liblua5.4-dev)
  [ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
  [ -e /usr/include/editline/readline.h ] || missing+=(libedit-dev)
  if [ -z "${GLASS_WITHOUT_DELIVERY:-}" ]; then
    pkg-config --exists libcurl 2>/dev/null || missing+=(libcurl4-openssl-dev)
  fi
  [ ${#missing[@]} -eq 0 ] && return
  install_debian_packages "${missing[@]}"
}

# Installs packages by their Debian names, and says so.
install_debian_packages() {
  local missing=("$@")
  command -v apt-get >/dev/null || {
    echo "missing: ${missing[*]} (Debian's names); install them with this system's package manager" >&2
    exit 2
  }
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "missing: ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
      exit 2
    }
    root=(sudo)
  fi
  echo "installing with apt-get: ${missing[*]}" >&2
  ${root[@]+"${root[@]}"} apt-get update -qq >/dev/null
  ${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
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

# Makes a virtual environment of a name with packages from PyPI, once, and sets `python_environment` to its folder; empty,
# with a message, where there is no Python that can make one.
make_python_environment() {
  local environment=$repository/.build-python/$1
  shift
  python_environment=
  if [ ! -e "$environment/complete" ]; then
    rm -rf "$environment"
    if ! python3 -m venv "$environment" 2>/dev/null; then
      echo 'skipped: python3 with its module venv is not installed' >&2
      return
    fi
    if ! "$environment/bin/pip" install --quiet --disable-pip-version-check "$@"; then
      echo "skipped: $* cannot be installed" >&2
      return
    fi
    touch "$environment/complete"
  fi
  python_environment=$environment
}

# Sets `python_tuf` to a Python with python-tuf; empty, with a message, where there is none.
find_python_tuf() {
  make_python_environment tuf-7.0.1 'tuf==7.0.1' 'securesystemslib[crypto]==1.6.0'
  python_tuf=${python_environment:+$python_environment/bin/python}
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
