// What a file is to GDAL.
#pragma once

#include <string>

namespace parsimap {

enum class FileKind { unknown, raster, vector };

// A raster where GDAL finds bands or subdatasets in the file, else a vector file where it finds layers. Unknown for
// what it cannot open, for special files such as pipes, and where there is nothing.
FileKind file_kind(const std::string& path);

}  // namespace parsimap
