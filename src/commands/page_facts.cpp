#include "page_facts.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/sha256.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

namespace parsimap {
namespace {

constexpr std::int64_t kMostSummed = std::int64_t{2} << 30U;
constexpr std::size_t kMostFiles = 60;  // of one input, such as a mosaic

// Adds the files of one input; `summed` are the bytes that have a checksum so far.
void add_files(const NamedInput& input, std::int64_t& summed, std::vector<PageInput>& rows) {
  std::vector<std::string> files = files_of_input(input.second);
  if (files.empty()) {
    files = {input.second};
  }
  for (std::size_t i = 0; i < std::min(files.size(), kMostFiles); ++i) {
    PageInput row{i == 0 ? input.first : "", files[i], "", "no plain file"};
    std::error_code failure;
    if (std::filesystem::is_regular_file(files[i], failure)) {
      const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(files[i], failure));
      row.bytes = std::to_string(bytes);
      row.sum = "not summed, the files are large";
      if (summed + bytes <= kMostSummed) {
        row.sum = sha256_of_file(files[i]);
        summed += bytes;
      }
    }
    rows.push_back(std::move(row));
  }
  if (files.size() > kMostFiles) {
    rows.push_back({"", "and " + std::to_string(files.size() - kMostFiles) + " more", "", ""});
  }
}

}  // namespace

std::string page_date() {
  std::time_t now = std::time(nullptr);
  if (const char* const epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr) {
    const auto seconds = parse_number<std::int64_t>(epoch);
    constexpr std::int64_t kLatest = 253402300799;  // the last second of the year 9999
    if (!seconds || *seconds < 0 || *seconds > kLatest) {
      throw ConfigError("the environment variable SOURCE_DATE_EPOCH is '" + std::string(epoch) +
                        "'; it must be a whole number of seconds since 1970");
    }
    now = static_cast<std::time_t>(*seconds);
  }
  std::tm day{};
  gmtime_r(&now, &day);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &day);
  return text.data();
}

PageFacts page_facts(const std::string& date, const RasterGrid& grid, const std::vector<NamedInput>& inputs) {
  const GridText text = grid_text(grid);
  PageFacts facts{date, text.crs, text.pixel_size, pixel_area(grid), grid.width, grid.height, {}};
  std::int64_t summed = 0;
  for (const NamedInput& input : inputs) {
    add_files(input, summed, facts.inputs);
  }
  return facts;
}

}  // namespace parsimap
