#include "settings.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "errors.hpp"

namespace parsimap::interface {
namespace {

// The value of this name and kind; none where it is not given. ConfigError: it is of another kind.
template <typename Kind>
std::optional<Kind> value_called(const Settings& settings, const std::string& name, const std::string& kind) {
  const auto found = settings.values.options.find(name);
  if (found == settings.values.options.end()) {
    return std::nullopt;
  }
  if (const auto* const value = std::get_if<Kind>(&found->second)) {
    return *value;
  }
  throw ConfigError("setting '" + name + "' must be " + kind);
}

std::optional<std::int64_t> integer_called(const Settings& settings, const std::string& name) {
  const auto found = settings.values.options.find(name);
  const bool is_integer = found != settings.values.options.end() && std::holds_alternative<std::int64_t>(found->second);
  return is_integer ? std::optional(std::get<std::int64_t>(found->second)) : std::nullopt;
}

int set(Settings* settings, const char* name, OptionValue value) {
  return status_of(nullptr, [&] { settings->values.options.insert_or_assign(name, std::move(value)); });
}

}  // namespace

Settings copied(const Settings* settings) { return settings == nullptr ? Settings() : *settings; }

void check_names(const Settings& settings, const std::set<std::string>& known) {
  for (const auto& [name, value] : settings.values.options) {
    if (!known.contains(name)) {
      throw ConfigError("there is no setting '" + name + "'; it must be one of " + separated(known, ", "));
    }
  }
}

std::optional<double> number_called(const Settings& settings, const std::string& name) {
  if (const auto integer = integer_called(settings, name)) {
    return static_cast<double>(*integer);
  }
  return value_called<double>(settings, name, "a number");
}

std::optional<std::string> text_called(const Settings& settings, const std::string& name) {
  if (const auto integer = integer_called(settings, name)) {
    return std::to_string(*integer);
  }
  return value_called<std::string>(settings, name, "a text");
}

std::int64_t threads_called(const Settings& settings) {
  return value_called<std::int64_t>(settings, "threads", "an integer").value_or(0);
}

std::vector<std::string> list_called(const Settings& settings, const std::string& name) {
  return value_called<std::vector<std::string>>(settings, name, "a list of texts").value_or(std::vector<std::string>());
}

}  // namespace parsimap::interface

using namespace parsimap;
using parsimap::interface::status_of;

parsimap_settings* parsimap_new_settings(void) { return new (std::nothrow) parsimap_settings; }
void parsimap_free_settings(parsimap_settings* settings) { delete settings; }

int parsimap_set_flag(parsimap_settings* settings, const char* name, int value) {
  return interface::set(settings, name, value != 0);
}

int parsimap_set_integer(parsimap_settings* settings, const char* name, int64_t value) {
  return interface::set(settings, name, std::int64_t{value});
}

int parsimap_set_number(parsimap_settings* settings, const char* name, double value) {
  return interface::set(settings, name, value);
}

int parsimap_set_text(parsimap_settings* settings, const char* name, const char* value) {
  return status_of(nullptr, [&] { settings->values.options.insert_or_assign(name, std::string(value)); });
}

int parsimap_set_list(parsimap_settings* settings, const char* name, const char* const* values, size_t count) {
  return status_of(nullptr, [&] {
    settings->values.options.insert_or_assign(name, std::vector<std::string>(values, values + count));
  });
}

int parsimap_set_argument(parsimap_settings* settings, const char* name, const char* value) {
  return status_of(nullptr, [&] { settings->values.arguments.insert_or_assign(name, value); });
}

int parsimap_add_band(parsimap_settings* settings, const char* name, double wavelength, double scale, double offset) {
  return status_of(nullptr, [&] {
    Band band;
    band.name = name;
    band.wavelength = std::isnan(wavelength) ? std::nullopt : std::optional(wavelength);
    band.scale = scale;
    band.offset = offset;
    settings->bands.push_back(band);
  });
}

int parsimap_add_class(parsimap_settings* settings, int32_t code, const char* name) {
  return status_of(nullptr, [&] { settings->classes.push_back({code, name, std::nullopt}); });
}

int parsimap_set_geotransform(parsimap_settings* settings, const double six[6]) {
  std::copy_n(six, 6, settings->geotransform.emplace().begin());
  return PARSIMAP_OK;
}

int parsimap_call_path(parsimap_settings* settings, const char* path, const char* name) {
  return status_of(nullptr, [&] { settings->names.emplace_back(path, name); });
}
