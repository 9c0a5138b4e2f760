// Memory that SQLite asks for.
#pragma once

namespace parsimap {

// Lets check_memory() know when SQLite gets no memory. GDAL and PROJ, which keep reference systems and GeoPackages in
// it, pass over that in places. To be called before anything uses SQLite; later it has no effect.
void watch_sqlite_memory();

}  // namespace parsimap
