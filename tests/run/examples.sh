# The programs of examples/ build against nothing but the installed tree, by CMake and by pkg-config, and do what they say.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

prefix=$work/prefix
expect 0 cmake --install "$BUILD" --prefix "$prefix"
cp -r "$SOURCE/examples" examples
export TMPDIR=$work

# map_is_good PROGRAM: maps the sample scene with the example and compares the map with the reference.
map_is_good() {
  expect 0 "$1" "$sample/scene.hdr" "$sample/training.gpkg" class map.tif
  grep -q "^12000 of 12000 pixels are classified$" out || { cat out >&2; fail "$1 does not say what it did"; }
  expect 0 "$PROGRAM" assess map.tif "$sample/reference.tif" --json
  at_least "$(number_of overall_accuracy out)" 0.93 || fail "accuracy of $1: $(number_of overall_accuracy out)"
  rm map.*
}

spectra_are_classified() {
  expect 0 "$1"
  at_least "$(sed -n 's/^accuracy //p' out)" 0.95 || { cat out >&2; fail "$1 classifies badly"; }
}

expect 0 cmake -S examples -B by-cmake -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
grep -q "^parsimap_DIR:PATH=$prefix/" by-cmake/CMakeCache.txt || fail "another parsimap was found than the installed one"
expect 0 cmake --build by-cmake
spectra_are_classified by-cmake/classify_spectra
map_is_good by-cmake/train_and_map

# The example that needs no files finds the library where GDAL is not.
expect 0 cmake -S examples -B alone -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DEXAMPLES_WITHOUT_FILES=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_GDAL=ON

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name parsimap.pc)")
export PKG_CONFIG_PATH
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
# shellcheck disable=SC2046  # pkg-config prints several words
{
  expect 0 "$compiler" -O0 examples/classify_spectra.cpp -o classify_spectra $(pkg-config --cflags --libs parsimap-mathematics)
  expect 0 "$compiler" -O0 examples/train_and_map.cpp -o train_and_map $(pkg-config --cflags --libs parsimap)
}
spectra_are_classified ./classify_spectra
map_is_good ./train_and_map
! ldd ./classify_spectra | grep -q libgdal || fail "classify_spectra needs GDAL"

# The C interface needs neither GDAL nor C++ to compile a program, by pkg-config and by CMake.
cat >version.c <<'END'
#include <parsimap/parsimap.h>
#include <stdio.h>
int main(void) { return puts(parsimap_version()) < 0; }
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(version LANGUAGES C)
find_package(parsimap 0.3 REQUIRED COMPONENTS c)
add_executable(version version.c)
target_link_libraries(version parsimap::c)
END
expect 0 cmake -S . -B c-by-cmake -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
expect 0 cmake --build c-by-cmake
expect 0 c-by-cmake/version
mv out version-by-cmake
# shellcheck disable=SC2046
expect 0 cc -std=c99 -Wall -Wextra -Wpedantic -Werror version.c -o version $(pkg-config --cflags --libs parsimap-c)
expect 0 ./version
cmp out version-by-cmake || fail "the versions differ"

if command -v R >/dev/null; then
  cd examples/r
  PKG_CPPFLAGS=$(pkg-config --cflags parsimap-c) PKG_LIBS=$(pkg-config --libs parsimap-c) expect 0 R CMD SHLIB parsimap.c
  expect 0 Rscript iris.R
  at_least "$(sed -n 's/^accuracy //p' out)" 0.9 || { cat out >&2; fail "R classifies badly"; }
  cd "$work"
else
  echo "R is not installed (r-base-core): examples/r is not tried"
fi

# Without the options that come with the library a program does not compile, rather than crash.
expect 1 "$compiler" -fsyntax-only -std=c++20 "-I$prefix/include" -I/usr/include/eigen3 examples/classify_spectra.cpp
err_says "pkg-config --cflags parsimap"
