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
  expect 0 "$compiler" -O2 examples/classify_spectra.cpp -o classify_spectra $(pkg-config --cflags --libs parsimap-mathematics)
  expect 0 "$compiler" -O2 examples/train_and_map.cpp -o train_and_map $(pkg-config --cflags --libs parsimap)
}
spectra_are_classified ./classify_spectra
map_is_good ./train_and_map
! ldd ./classify_spectra | grep -q libgdal || fail "classify_spectra needs GDAL"

# Without the options that come with the library a program does not compile, rather than crash.
expect 1 "$compiler" -fsyntax-only -std=c++20 "-I$prefix/include" -I/usr/include/eigen3 examples/classify_spectra.cpp
err_says "pkg-config --cflags parsimap"
