# The mathematics configures where there is no GDAL, and its lowest folder builds. That all of it builds and passes its tests
# is seen by `scripts/test --all`.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

expect 0 cmake -S "$SOURCE" -B build -G Ninja -DPARSIMAP_GDAL=OFF -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
  -DCMAKE_DISABLE_FIND_PACKAGE_GDAL=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
expect 0 cmake --build build --target parsimap_core
expect 0 cmake --build build --target help
! grep -E 'parsimap_(gdal|json|cli)' out >&2 || fail "there are targets that need GDAL"
