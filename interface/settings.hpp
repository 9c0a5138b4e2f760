// The values that a call is given, by name.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/options/option.hpp"
#include "parsimap/parsimap.h"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"

struct parsimap_settings {
  parsimap::GivenValues values;
  parsimap::BandTable bands;
  parsimap::ClassTable classes;
  std::optional<std::array<double, 6>> geotransform;
  std::vector<std::pair<std::string, std::string>> names;  // of paths
};

namespace parsimap::interface {

using Settings = parsimap_settings;

// Null stands for no settings.
Settings copied(const Settings* settings);

// ConfigError: a value has another name.
void check_names(const Settings& settings, const std::set<std::string>& known);

// A value; none where it is not given. ConfigError: it is of another kind. Integers may stand for texts and numbers.
std::optional<double> number_called(const Settings& settings, const std::string& name);
std::optional<std::string> text_called(const Settings& settings, const std::string& name);
std::int64_t threads_called(const Settings& settings);
std::vector<std::string> list_called(const Settings& settings, const std::string& name);

}  // namespace parsimap::interface
