#!/usr/bin/env bash
# headers.sh COMPILER OPTION...: every public header compiles by itself, and twice, with these options. clang, where it is
# installed, understands a header in half the time, and in a third where the header of matrices is compiled once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../include"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
matrices=parsimap/core/types.hpp
if command -v clang++-14 >/dev/null; then
  compiler=(clang++-14)
else
  compiler=("$1")
fi
shift
compiler+=(-std=c++20 -Wall -Wextra -Werror -I . "$@")

# The headers that include that of matrices, by others or by themselves: these lose nothing by reading it first.
mapfile -t reaching < <(grep -Ho '#include "parsimap/[^"]*"' -r parsimap | sed 's/:#include "/ /; s/"$//' |
  awk -v found="$matrices" '{ from[NR] = $1; to[NR] = $2 }
    END { reach[found]; do { more = 0; for (i in from) if (to[i] in reach && !(from[i] in reach)) { reach[from[i]]; more = 1 } }
          while (more); for (header in reach) print header }')
precompiled=()
if [[ ${compiler[0]} == clang* ]]; then
  "${compiler[@]}" -x c++-header "$matrices" -o "$scratch/matrices.pch" -Wno-pragma-once-outside-header
  precompiled=(-include-pch "$scratch/matrices.pch")
fi

# alone COMPILER OPTION... HEADER
alone() {
  local header=${*: -1}
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "${@:1:$#-1}" -fsyntax-only -x c++ - ||
    { echo "$header does not compile"; return 1; }
}
export -f alone
# each OPTION...: of the headers whose names are read, as many at a time as there are processors.
each() {
  xargs -d '\n' -P "$(nproc)" -I HEADER bash -c 'alone "$@"' headers "${compiler[@]}" "$@" HEADER
}
printf '%s\n' "${reaching[@]}" | sort | each "${precompiled[@]}"
find parsimap -name '*.hpp' | sort | comm -23 - <(printf '%s\n' "${reaching[@]}" | sort) | each
