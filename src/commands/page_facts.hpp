// Where a page comes from: its date, its raster, and the files that were read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/report/command_page.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Today, as "2026-11-22" in UTC: the only thing on a page that depends on when it is made, beside the times that the
// work took. Where the environment variable SOURCE_DATE_EPOCH has seconds since 1970, it is their day, so that a page
// can be made again as it was (reproducible-builds.org). ConfigError when it is no whole number of seconds.
std::string page_date();

// A file as the options name it, and what it is to the command.
using NamedInput = std::pair<std::string, std::string>;  // role, path

// Facts about the grid and the inputs, with all files that belong to each of them. Files beyond two gigabytes in all
// have no checksum, since that would take longer than a reader waits. IoError when a file cannot be read.
PageFacts page_facts(const std::string& date, const RasterGrid& grid, const std::vector<NamedInput>& inputs);

}  // namespace parsimap
