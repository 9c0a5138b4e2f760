// Files as GDAL sees them, with failures noticed.
//
// Several of GDAL's drivers do not look at what a read or a write returns: a raw raster (ENVI, or a VRT over such) has
// zeros where its file could not be read, and a table lacks the rows that could not be written. A failed look at a
// folder or a side file counts as its absence. This puts a layer between GDAL and the file system of the machine that
// hands everything on, and tells the ErrorCollectors of the thread what has failed:
//   - a read that gives less than the file held when it was opened, so also of a file that became shorter meanwhile;
//   - a write, or what writes what is left over: a seek, a flush, a truncation, the close;
//   - opening, looking at, listing and removing, where the system failed. That a file does not exist or may not be read
//     is an answer, not a failure.
// Files that a library opens by itself (HDF5, netCDF, SQLite) do not pass here; those libraries report failures.
#pragma once

namespace parsimap {

// Puts the layer in place for the whole process. To be called once.
void install_checked_files();

// Memory that SQLite asks for.

// Lets check_memory() know when SQLite gets no memory. GDAL and PROJ, which keep reference systems and GeoPackages in
// it, pass over that in places. To be called before anything uses SQLite; later it has no effect.
void watch_sqlite_memory();

}  // namespace parsimap
