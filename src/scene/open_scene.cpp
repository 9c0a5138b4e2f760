#include "parsimap/scene/open_scene.hpp"

#include <algorithm>
#include <functional>
#include <regex>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

// What hides pixels: values of the bands of a raster on the scene's grid.
struct Screen {
  std::shared_ptr<SceneSource> source;
  Indices bands;
  std::function<bool(const float* values)> hides;  // `values`: one for each of `bands`
};

// The scene with all bands NaN where a screen hides the pixel.
class ScreenedScene final : public SceneDecorator {
 public:
  ScreenedScene(std::unique_ptr<SceneSource> scene, std::vector<Screen> screens)
      : SceneDecorator(std::move(scene)), screens_(std::move(screens)) {}

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    for (const Screen& screen : screens_) {
      // The screens have the grid of the scene, so that rows of both results are the same pixels.
      screen.source->read(window, screen.bands, screened_);
      for (Index pixel = 0; pixel < values.rows(); ++pixel) {
        if (screen.hides(screened_.row(pixel).data())) {
          values.row(pixel).setConstant(kMissingValue);
        }
      }
    }
  }
  void check_unchanged() const override {
    SceneDecorator::check_unchanged();
    for (const Screen& screen : screens_) {
      screen.source->check_unchanged();
    }
  }

 private:
  std::vector<Screen> screens_;
  Spectra screened_;
};

std::string names_of(const std::vector<QualityLayer>& layers) {
  const std::string names = separated(layers, ", ", [](const QualityLayer& layer) { return layer.name; });
  return names.empty() ? "no quality layers" : "the quality layers " + names;
}

}  // namespace

std::vector<QualityLayer> choose_quality(const std::vector<QualityLayer>& layers,
                                         const std::optional<std::vector<std::string>>& names,
                                         const std::string& scene_name) {
  // Clouds are left out where a product marks them and nobody says otherwise; a product without such a layer is then
  // used as it is.
  const std::vector<std::string> wanted = names.value_or(std::vector<std::string>{"cloud"});
  if (wanted == std::vector<std::string>{"none"}) {
    return {};
  }
  const std::vector<QualityLayer> chosen = filtered(
      layers, [&](const QualityLayer& layer) { return std::ranges::find(wanted, layer.name) != wanted.end(); });
  // Names that the user gave must exist; the default (cloud) need not.
  for (const std::string& name : wanted) {
    const auto has_name = [&](const QualityLayer& layer) { return layer.name == name; };
    if (names && std::ranges::none_of(chosen, has_name)) {
      throw ConfigError("--quality names '" + name + "', but " + scene_name + " has " + names_of(layers) +
                        (name == "none" ? "; none goes alone" : ""));
    }
  }
  return chosen;
}

std::unique_ptr<SceneSource> leave_out_marked(std::unique_ptr<SceneSource> scene,
                                              const std::vector<QualityLayer>& layers) {
  // The layers that lie in one source are read together.
  std::vector<std::vector<QualityLayer>> by_source;
  for (const QualityLayer& layer : layers) {
    const RasterGrid& grid = layer.source->grid();
    if (grid.width != scene->grid().width || grid.height != scene->grid().height) {
      throw DataError(layer.source->name() + " is " + std::to_string(grid.width) + " x " + std::to_string(grid.height) +
                      " pixels, but " + scene->name() + " is " + std::to_string(scene->grid().width) + " x " +
                      std::to_string(scene->grid().height) + "; a quality layer must lie on the scene's grid");
    }
    auto entry =
        std::ranges::find_if(by_source, [&](const auto& known) { return known.front().source == layer.source; });
    (entry == by_source.end() ? by_source.emplace_back() : *entry).push_back(layer);
  }
  // One screen for each source; a pixel is hidden where the value of any of its layers is one of its marks.
  std::vector<Screen> screens;
  for (const std::vector<QualityLayer>& together : by_source) {
    screens.push_back(
        {together.front().source, mapped<Index>(together, &QualityLayer::band), [together](const float* values) {
           return std::ranges::any_of(together, [&](const QualityLayer& layer) {
             return std::ranges::find(layer.marks, *values++) != layer.marks.end();
           });
         }});
  }
  return screens.empty() ? std::move(scene) : std::make_unique<ScreenedScene>(std::move(scene), std::move(screens));
}

namespace {

// The scene without the pixels that are far from all that a mask shows.
class ShownSurroundings final : public SceneDecorator {
 public:
  ShownSurroundings(std::shared_ptr<SceneSource> scene, MaskedScene& masked, Index reach)
      : SceneDecorator(std::move(scene)), masked_(masked), reach_(reach) {}

  [[nodiscard]] bool known_empty(const Window& window) const override {
    return SceneDecorator::known_empty(window) || masked_.known_empty(around(window));
  }
  [[nodiscard]] MaskedScene* masked() override { return &masked_; }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    const Window wide = around(window);
    const std::vector<bool> shown = masked_.shown(wide);
    // The pixels shown, counted by rectangles that begin at the corner of the window: those of any rectangle follow
    // from four of the sums.
    const Index width = wide.width + 1;
    std::vector<Index> sums(static_cast<std::size_t>(width * (wide.height + 1)), 0);
    const auto sum = [&](Index row, Index column) -> Index& {
      return sums[static_cast<std::size_t>(row * width + column)];
    };
    for (Index row = 0; row < wide.height; ++row) {
      for (Index column = 0; column < wide.width; ++column) {
        sum(row + 1, column + 1) = sum(row, column + 1) + sum(row + 1, column) - sum(row, column) +
                                   (shown[static_cast<std::size_t>(row * wide.width + column)] ? 1 : 0);
      }
    }
    for (Index i = 0; i < values.rows(); ++i) {
      const Window near = around({window.column + i % window.width, window.row + i / window.width, 1, 1});
      const Index top = near.row - wide.row;
      const Index left = near.column - wide.column;
      if (sum(top + near.height, left + near.width) - sum(top, left + near.width) - sum(top + near.height, left) +
              sum(top, left) ==
          0) {
        values.row(i).setConstant(kMissingValue);
      }
    }
  }

 private:
  // The window and what is within reach, on the grid.
  [[nodiscard]] Window around(const Window& window) const {
    return with_surroundings(window, reach_, {0, 0, grid().width, grid().height});
  }

  MaskedScene& masked_;
  Index reach_;
};

}  // namespace

void MaskedScene::read(const Window& window, const Indices& bands, Spectra& values) {
  behind().read(window, bands, values);
  const std::vector<bool> shows = shown(window);
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    if (!shows[static_cast<std::size_t>(pixel)]) {
      values.row(pixel).setConstant(kMissingValue);
    }
  }
}

void MaskedScene::check_unchanged() const {
  SceneDecorator::check_unchanged();
  if (mask_ != nullptr) {
    mask_->check_unchanged();
  }
}

bool MaskedScene::known_empty(const Window& window) const {
  const bool outside = region_.pixels != nullptr && overlap(window, region_.window).pixels() == 0;
  return outside || SceneDecorator::known_empty(window) || (mask_ != nullptr && mask_->known_empty(window));
}

std::vector<bool> MaskedScene::shown(const Window& window) {
  Spectra values = Spectra::Ones(window.pixels(), 1);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(window.pixels()), 1);
  {
    const std::lock_guard<std::mutex> lock(reading_);
    if (mask_ != nullptr) {
      mask_->read(window, {0}, values);
    }
    if (region_.pixels != nullptr) {
      region_.pixels->read(window, numbers);
    }
  }
  // Not a number is as little a reason to show a pixel as 0.
  auto number = numbers.begin();
  return mapped<bool>(values.col(0), [&](float value) { return *number++ != 0 && (value < 0 || value > 0); });
}

std::unique_ptr<SceneSource> MaskedScene::around_shown(Index reach) {
  return std::make_unique<ShownSurroundings>(shared(), *this, reach);
}

std::unique_ptr<SceneSource> mask_scene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask,
                                        Region region) {
  if (mask != nullptr && mask->bands().size() != 1) {
    throw DataError("the mask " + mask->name() + " has " + std::to_string(mask->bands().size()) +
                    " bands; it must have one");
  }
  return std::make_unique<MaskedScene>(std::move(scene), std::move(mask), std::move(region));
}

namespace {

// Characters of a number or range, at most: what is longer can only be a name. Regular expressions recurse with the
// length of a text, and numbers of several hundred digits are too large for double.
constexpr std::size_t kLongestRange = 100;

// Reads one list against the bands of one scene.
class BandListReader {
 public:
  BandListReader(const std::string& entry, const BandTable& table, const std::string& scene_name)
      : entry_(entry), table_(table), scene_name_(scene_name) {}

  [[nodiscard]] Indices read() const {
    // A name may hold commas, so the whole entry is looked up as a name before it is taken apart.
    if (entry_.find(',') != std::string::npos) {
      if (const std::optional<Index> band = named(std::string(trimmed(entry_)))) {
        return {*band};
      }
    }
    std::set<Index> bands;
    for (const std::string& part : parts_of(entry_, ",")) {
      bands.merge(read_part(part));
    }
    if (bands.empty()) {
      refuse("names no band");
    }
    return {bands.begin(), bands.end()};
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw ConfigError("the list of bands '" + entry_ + "' " + reason);
  }

  [[nodiscard]] std::set<Index> read_part(const std::string& part) const {
    // One or two whole numbers: a band, or a range of bands. Two wavelengths with a unit, at least behind the second:
    // a range of wavelengths. What is neither is a name.
    static const std::regex numbers(R"((\d{1,9})(?:\s*-\s*(\d{1,9}))?)");
    static const std::regex wavelengths(
        R"((\d+(?:\.\d*)?|\.\d+)\s*(nm|um|µm)?\s*-\s*(\d+(?:\.\d*)?|\.\d+)\s*(nm|um|µm))");
    std::smatch match;
    const bool may_be_range = part.size() <= kLongestRange;
    if (may_be_range && std::regex_match(part, match, numbers)) {
      // Numbers in lists count from 1, as in other programs; indices count from 0.
      const Index first = std::stol(match[1]);
      return numbered(part, first, match[2].matched ? std::stol(match[2]) : first);
    }
    if (may_be_range && std::regex_match(part, match, wavelengths)) {
      const std::string unit = match[4];
      const std::string first_unit = match[2].matched ? match[2].str() : unit;
      return between(part, std::stod(match[1]) * nanometres(first_unit), std::stod(match[3]) * nanometres(unit));
    }
    if (const std::optional<Index> band = named(part)) {
      return {*band};
    }
    refuse("has '" + part + "', which is no band of " + scene_name_ +
           "; bands are given by number (7), range (10-25), range of wavelengths (1350-1450nm, 1.35-1.45um) or name");
  }

  static double nanometres(const std::string& unit) { return unit == "nm" ? 1 : 1000; }

  [[nodiscard]] std::set<Index> numbered(const std::string& part, Index first, Index last) const {
    const auto count = static_cast<Index>(table_.size());
    if (first < 1 || last > count || first > last) {
      refuse("has '" + part + "', but bands of " + scene_name_ + " count from 1 to " + std::to_string(count) +
             ", and ranges ascend");
    }
    const Indices bands = consecutive(last - first + 1, first - 1);
    return {bands.begin(), bands.end()};
  }

  [[nodiscard]] std::set<Index> between(const std::string& part, double low, double high) const {
    std::set<Index> bands;
    bool known = false;
    // Micrometres and nanometres of the same band differ in rounding.
    const double rounding = 1e-9 * high;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (const std::optional<double>& wavelength = table_[i].wavelength) {
        known = true;
        if (*wavelength >= low - rounding && *wavelength <= high + rounding) {
          bands.insert(static_cast<Index>(i));
        }
      }
    }
    if (bands.empty()) {
      refuse("has '" + part + "', but " +
             (known ? "no band of " + scene_name_ + " lies in this range"
                    : scene_name_ + " does not say the wavelengths of its bands"));
    }
    return bands;
  }

  [[nodiscard]] std::optional<Index> named(const std::string& name) const {
    // A name that several bands have would leave open which one is meant.
    std::optional<Index> found;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (!name.empty() && table_[i].name == name) {
        if (found) {
          refuse("has '" + name + "', which is the name of several bands of " + scene_name_);
        }
        found = static_cast<Index>(i);
      }
    }
    return found;
  }

  const std::string& entry_;
  const BandTable& table_;
  const std::string& scene_name_;
};

std::set<Index> bands_of_lists(const std::vector<std::string>& lists, const BandTable& table,
                               const std::string& scene_name) {
  std::set<Index> bands;
  for (const std::string& list : lists) {
    // Lists are united: their order and repetitions do not matter.
    const Indices some = bands_of_list(list, table, scene_name);
    bands.insert(some.begin(), some.end());
  }
  return bands;
}

}  // namespace

Indices bands_of_list(const std::string& entry, const BandTable& table, const std::string& scene_name) {
  return BandListReader(entry, table, scene_name).read();
}

ChosenBands choose_bands(const BandTable& table, const BandChoice& choice, const std::string& scene_name) {
  const std::set<Index> use = bands_of_lists(choice.use, table, scene_name);
  const std::set<Index> exclude = bands_of_lists(choice.exclude, table, scene_name);
  // A list that marks all bands is more likely the wrong way round than right.
  const bool all_bad = std::ranges::all_of(table, [](const Band& band) { return band.bad; });
  if (all_bad && choice.use.empty()) {
    throw DataError(scene_name + ": its list of bad bands marks every one of its " + std::to_string(table.size()) +
                    " bands as bad; correct the list, or name the bands to use");
  }
  ChosenBands chosen;
  for (Index band = 0; band < static_cast<Index>(table.size()); ++band) {
    // What is excluded stays out even where it is named to be used; what is named is used even where the scene marks
    // it as bad.
    const bool bad = table[static_cast<std::size_t>(band)].bad;
    if (exclude.count(band) != 0) {
      chosen.dropped.push_back({band, "excluded"});
    } else if (!use.empty() && use.count(band) == 0) {
      chosen.dropped.push_back({band, "not chosen"});
    } else if (use.empty() && bad) {
      chosen.dropped.push_back({band, "marked as bad"});
    } else {
      chosen.bands.push_back(band);
      if (bad) {
        chosen.bad.push_back(band);
      }
    }
  }
  if (chosen.bands.empty()) {
    throw ConfigError("no band of " + scene_name + " is left to use: all " + std::to_string(table.size()) +
                      " are bad, excluded or not chosen");
  }
  return chosen;
}

namespace {

constexpr std::int64_t kBufferBytes = std::int64_t{32} << 20U;

// The weighted sums that make the bands asked for.
struct Sums {
  Indices asked;              // bands of the resampled scene
  Indices read;               // bands of the scene behind that count for them, ascending
  std::vector<Index> ends;    // of every sum, in the two lists below
  std::vector<Index> column;  // among `read`
  std::vector<double> weight;
};

class ResampledScene final : public SceneDecorator {
 public:
  ResampledScene(std::shared_ptr<SceneSource> scene, const SpectralResampling& resampling, BandTable bands)
      : SceneDecorator(std::move(scene), std::nullopt, std::move(bands)), weights_(resampling.weights) {}

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    // Windows that follow each other ask for the same bands, so the list of sums is kept.
    if (sums_.asked != bands) {
      sums_ = sums_for(bands);
    }
    values.resize(window.pixels(), static_cast<Index>(bands.size()));
    for (const Window& part : tiles_of(window, window.width, rows_at_once(window))) {
      behind().read(part, sums_.read, part_);
      const Index first = (part.row - window.row) * window.width;
      for (Index pixel = 0; pixel < part.pixels(); ++pixel) {
        add_up(part_.row(pixel).data(), values.row(first + pixel).data());
      }
    }
  }

 private:
  [[nodiscard]] Sums sums_for(const Indices& bands) const {
    Sums sums;
    sums.asked = bands;
    // First the bands of the scene that any sum needs, each once, then the weights of every sum with their places
    // among these.
    for (const Index band : bands) {
      add_all(sums.read, mapped<Index>(weights_[static_cast<std::size_t>(band)], &BandWeight::band));
    }
    sums.read = distinct(std::move(sums.read));
    for (const Index band : bands) {
      for (const BandWeight& entry : weights_[static_cast<std::size_t>(band)]) {
        sums.column.push_back(std::ranges::lower_bound(sums.read, entry.band) - sums.read.begin());
        sums.weight.push_back(entry.weight);
      }
      sums.ends.push_back(static_cast<Index>(sums.weight.size()));
    }
    return sums;
  }

  // Rows of a window that fit into the buffer: whole storage blocks where they do, one row at least.
  [[nodiscard]] Index rows_at_once(const Window& window) const {
    const auto row_bytes = static_cast<std::int64_t>(sums_.read.size() * sizeof(float)) * window.width;
    const Index rows = std::max<Index>(1, kBufferBytes / std::max<std::int64_t>(1, row_bytes));
    return rows > block_height() ? rows - rows % block_height() : rows;
  }

  // A pixel at a time, so that its sums are rounded alike in every window.
  // The sum of weight times value, in double precision, for every band asked for. A missing value (NaN) in a band with
  // a weight makes the sum missing.
  void add_up(const float* spectrum, float* values) const {
    std::size_t k = 0;
    for (std::size_t i = 0; i < sums_.ends.size(); ++i) {
      double sum = 0;
      for (; k < static_cast<std::size_t>(sums_.ends[i]); ++k) {
        sum += sums_.weight[k] * static_cast<double>(spectrum[sums_.column[k]]);
      }
      values[i] = static_cast<float>(sum);
    }
  }

  std::vector<std::vector<BandWeight>> weights_;
  Sums sums_;
  Spectra part_;
};

}  // namespace

std::unique_ptr<SceneSource> resample_scene(std::shared_ptr<SceneSource> scene, const SpectralResampling& resampling,
                                            BandTable bands) {
  // A computed band is made of usable bands alone: marks of the training scene do not hold for it.
  for (Band& band : bands) {
    band.bad = false;
  }
  return std::make_unique<ResampledScene>(std::move(scene), resampling, std::move(bands));
}

}  // namespace parsimap
