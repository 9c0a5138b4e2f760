# What is made of the list of options: a manual page that groff has nothing to say about, and a script that completes
# command lines in bash.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

expect 0 "$PROGRAM" usage bash
mv out completion
source ./completion
touch scene.tif "two words.tif"
mkdir maps

# completed WORD...: what the last word, of a line that begins with parsimap, may become.
completed() {
  COMP_WORDS=(parsimap "$@")
  COMP_CWORD=$#
  _parsimap
  printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -s -d ,
}
becomes() {
  local expected=$1
  shift
  local found
  found=$(completed "$@")
  [[ $found == "$expected" ]] || fail "'$*' becomes '$found' instead of '$expected'"
}

becomes "train" tr
becomes "--help" --h
becomes "--criterion,--crs" train --cr
becomes "gaussian,hdda,pca" train --kernel ""
becomes "gaussian" train --kernel g
becomes "gaussian" train --kernel = g
becomes "gaussian,hdda,pca" train --kernel =
becomes "scree:" train --dimension s
becomes "" train --seed ""
becomes "scene.tif" train sc
becomes "two words.tif" classify two
becomes "maps" classify scene.tif --confidence m
becomes "maps" assess --output-dir ""
becomes "bar" info --progress b
becomes "bash,json,man" usage ""

command -v groff >/dev/null && command -v man >/dev/null || { echo "skipped: groff and man are not installed"; exit 77; }
expect 0 "$PROGRAM" usage man
mv out parsimap.1
LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings --encoding=UTF-8 --local-file -Tutf8 -Z parsimap.1 2>warnings >/dev/null
[[ ! -s warnings ]] || fail "groff warns: $(cat warnings)"
LC_ALL=C.UTF-8 MANWIDTH=80 man --local-file parsimap.1 >page
for words in "--sampling RULE" "EXIT STATUS" "parsimap classify [SCENE] MODEL [MAP]"; do
  grep -qF -- "$words" page || fail "no '$words' in the manual page"
done
