// GDAL's process-wide state, and files as GDAL sees them. Every factory of this folder initialises GDAL by itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

struct CPLXMLNode;

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

// Removes a folder of GDAL's memory with all that is in it.
void remove_from_memory(const std::string& folder);

// The size of GDAL's block cache in bytes.
void set_gdal_cache(std::int64_t bytes);

// Files as GDAL sees them: what they are, whether they are the same ones elsewhere, and whether they stay what they are
// while they are read.

// True where something by that name exists, on disk or in one of GDAL's virtual file systems.
bool exists(const std::string& path);
bool is_folder(const std::string& path);
bool is_file(const std::string& path);

// All bytes of a file. IoError, with the reason: it cannot be read, or has more than `most` bytes.
std::string whole_file(const std::string& path, std::int64_t most = -1);

// The elements in a node of XML, which may be null, in their order: all, or those of this name in any case.
std::vector<const CPLXMLNode*> elements_in(const CPLXMLNode* node, const char* name = nullptr);

enum class FileKind { unknown, raster, vector };

// A raster where GDAL finds bands or subdatasets in the file, else a vector file where it finds layers. Unknown for
// what it cannot open, for special files such as pipes, and where there is nothing.
FileKind file_kind(const std::string& path);

// Tells whether files are the same ones elsewhere without reading all of them: the SHA-256 of the sizes and of the
// beginning, the middle and the end of some of the files: of all where they are few, else of the first, the last and
// others between. Names and times do not count: a copy has the same digest. What is no file, such as a connection,
// counts by its name. A file that was made anew with other values has another one unless it is of the same size and
// equal in all these places. IoError where a file cannot be read.
std::string sampled_digest(const std::vector<std::string>& files);

// The size and the time of the last change of files.
class FileStamps {
 public:
  // Files of GDAL's virtual file systems are passed over: what is in a memory or an archive does not change by itself.
  explicit FileStamps(const std::vector<std::string>& files);

  // IoError when one of them is not what it was.
  void check_unchanged() const;

 private:
  using Stamp = std::pair<std::uintmax_t, std::filesystem::file_time_type>;
  static Stamp stamp_of(const std::string& file);

  std::vector<std::pair<std::string, Stamp>> stamps_;
};

}  // namespace parsimap
