// The attributes of a vector file as texts, without geometries.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parsimap {

struct FeatureTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // a text for each column, empty for none
};

// The layer and the field of text whose first entry `is_wanted`, in the order of the layers and fields; nothing where
// the file has none or GDAL does not open it as a vector file. IoError when it cannot be read.
std::optional<std::pair<std::string, std::string>> find_profile_field(
    const std::string& path, const std::function<bool(const std::string&)>& is_wanted);

// All features of the layer in the order of the file. DataError: the file cannot be opened or lacks the layer. IoError
// when it cannot be read.
FeatureTable read_feature_table(const std::string& path, const std::string& layer);

}  // namespace parsimap
