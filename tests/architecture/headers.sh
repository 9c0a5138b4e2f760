#!/usr/bin/env bash
# headers.sh COMPILER OPTION...: every public header compiles by itself, and twice, with these options. clang, where it is
# installed, understands a header in half the time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../include"

if command -v clang++-14 >/dev/null; then
  compiler=clang++-14
else
  compiler=$1
fi
shift

# alone HEADER COMPILER OPTION...
alone() {
  local header=$1
  shift
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "$@" -x c++ - || { echo "$header does not compile"; return 1; }
}
export -f alone
find parsimap -name '*.hpp' -print0 | sort -z |
  xargs -0 -P "$(nproc)" -I HEADER bash -c 'alone "$@"' headers HEADER \
    "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I . "$@"
