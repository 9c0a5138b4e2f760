// GDAL's process-wide state. Every factory of this folder initialises GDAL by itself.
#pragma once

#include <cstdint>
#include <string>

namespace parsimap {

// Registers GDAL's drivers and keeps GDAL from printing: its messages travel in our exceptions. Failed reads and writes
// of files, and memory that SQLite does not get, are noticed from then on, which drivers pass over. Cheap when
// repeated.
void initialise_gdal();

// Whether GDAL and PROJ are inside this library, with their data beside it, as in the wheel and the archive.
bool has_own_data();

// What the environment names for another GDAL or PROJ, in a sentence; empty if nothing, or without own data.
std::string ignored_environment(bool own_data);

// One of GDAL's configuration options (`--config KEY=VALUE`).
void set_gdal_option(const std::string& key, const std::string& value);

// The size of GDAL's block cache in bytes.
void set_gdal_cache(std::int64_t bytes);

}  // namespace parsimap
