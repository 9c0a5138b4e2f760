#include "training_scenes.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "parsimap/commands/job.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/sensor_geometry.hpp"

namespace parsimap {

static void check_bad_bands(const InputScene& scene, const BandChoice& choice) {
  const std::optional<Index>& misfit = scene.description.misfit_bad_band_entries;
  if (misfit && choice.use.empty()) {
    throw DataError(scene.source->name() + ": its list of bad bands has " + std::to_string(*misfit) + " entries for " +
                    std::to_string(scene.source->bands().size()) +
                    " bands; correct the list, or name the bands to use (--bands)");
  }
}

// The bands `indices` of a scene, to be found in others.
static WantedBands wanted_of(const SceneSource& scene, const Indices& indices) {
  return {values_at(scene.bands(), indices), indices, static_cast<Index>(scene.bands().size()),
          "of " + scene.name() + " that are used", scene.name()};
}

// Takes the bands that a scene lacks (positions among those chosen) out of the choice.
static void drop_bands(const std::set<Index>& lacking, ChosenBands& chosen) {
  Indices kept;
  for (std::size_t i = 0; i < chosen.bands.size(); ++i) {
    if (lacking.contains(static_cast<Index>(i))) {
      chosen.dropped.push_back({chosen.bands[i], "not in every scene"});
    } else {
      kept.push_back(chosen.bands[i]);
    }
  }
  std::ranges::sort(chosen.dropped, [](const auto& a, const auto& b) { return a.band < b.band; });
  chosen.bands = kept;
}

// Whatever the spelling of the paths. A path that is no file may be a part of one, as an array of HDF5 is.
static bool is_same(const InputScene& a, const InputScene& b) {
  std::error_code failure;
  return a.input.path == b.input.path ||
         (std::filesystem::exists(a.input.path, failure) && std::filesystem::exists(b.input.path, failure) &&
          std::filesystem::equivalent(a.description.files.front(), b.description.files.front(), failure) && !failure);
}

// Equal for copies of files, whatever their names.
static std::string content_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    add_all(files, files_of_input(path));
  }
  return sampled_digest(files.empty() ? paths : files);
}

ChosenBands choose_scene_bands(const InputScene& scene, const BandChoice& choice, Listener& listener) {
  const SceneSource& source = *scene.source;
  check_bad_bands(scene, choice);
  ChosenBands chosen = choose_bands(source.bands(), choice, source.name());
  for (const auto& [reason, bands] : bands_by_reason(chosen.dropped)) {
    if (reason == "marked as bad") {
      listener.message("bands left out because the scene marks them as bad: " + band_list(bands));
    }
  }
  if (!chosen.bad.empty()) {
    listener.message("bands used because --bands names them, though the scene marks them as bad: " +
                     band_list(chosen.bad));
  }
  return chosen;
}

TrainingScenes::TrainingScenes(InputScene& first, const TrainOptions& options, Listener& listener)
    : options_(options),
      first_(first),
      resampled_(options.further_scenes.size() + 1),
      where_({{first.input.path, first.source->grid()}}) {
  for (const TrainingScene& entry : options.further_scenes) {
    SceneInput input = entry.scene;
    input.nodata = options.scene.nodata;
    input.bands_by_position = options.scene.bands_by_position;
    further_.push_back(std::make_unique<InputScene>(open_input_scene(input, listener)));
    warn_of_own_output(input.path, listener);
    for (std::size_t i = 0; i + 1 < count(); ++i) {
      if (is_same(scene(i), *further_.back())) {
        throw ConfigError("scene '" + entry.scene.path +
                          "' is given twice; --labels may name further labels of the same scene");
      }
    }
  }
}

const LabelInput& TrainingScenes::labels_of(std::size_t i) const {
  return i == 0 ? options_.labels : options_.further_scenes[i - 1].labels;
}

std::vector<SceneLabels> TrainingScenes::read_labels() const {
  std::vector<SceneLabels> all;
  for (std::size_t i = 0; i < count(); ++i) {
    // Labels of all scenes are read on their own grids and joined later by stack_labels(), which also joins their
    // classes.
    LabelInput input = labels_of(i);
    input.options.separate_parts = true;
    SceneSource& source = *scene(i).source;
    LabelledPixels labels = read_label_input(input, source);
    if (!labels.has_regions) {
      find_regions(labels, source.grid().width);
    }
    all.push_back({std::move(labels), separated(input.files, ", "), content_of(input.files)});
  }
  find_cells(all);
  return all;
}

// A copy of a scene, a second flight line or a second date shows the same ground again. Pixels are compared by the
// cells of the ground that they lie in, and those of scenes without a place on the map by their numbers, where the
// files of the scenes are the same.
void TrainingScenes::find_cells(std::vector<SceneLabels>& labels) const {
  std::vector<GridPixels> parts(count());
  for (std::size_t i = 0; i < count(); ++i) {
    parts[i] = {scene(i).source->grid(), pixels_of(places_of(labels[i].labels))};
    if (GeometryLookup* const lookup = scene(i).source->lookup()) {
      parts[i] = {lookup->grid(), map_pixels(*lookup, parts[i].pixels)};
    }
  }
  const std::vector<std::optional<GroundCell>> cells = ground_cells(parts);
  auto cell = cells.begin();
  std::map<std::string, std::uint32_t> by_content;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto own = static_cast<std::uint32_t>(i);
    const std::uint32_t copy = by_content.emplace(content_of({scene(i).input.path}), own).first->second;
    const Index width = scene(i).source->grid().width;
    for (const LabelledPixel& pixel : labels[i].labels.pixels) {
      labels[i].cells.push_back(cell++->value_or(GroundCell{copy, static_cast<std::int32_t>(pixel.pixel / width),
                                                            static_cast<std::int32_t>(pixel.pixel % width)}));
    }
  }
}

Indices TrainingScenes::find_bands(std::size_t i, const ChosenBands& chosen, Listener& listener) {
  InputScene& other = scene(i);
  check_bad_bands(other, options_.bands);
  const BandTable& offered = other.source->bands();
  const std::string name = other.source->name();
  WantedBands wanted = wanted_of(*first_.source, chosen.bands);
  wanted.by_position = options_.scene.bands_by_position;
  // The bands of the first scene are looked for in the other one. A band that the other scene marks as bad counts as
  // lacking, unless the user names the bands.
  BandMatch match = match_bands(wanted, offered, name);
  if (!match.note.empty()) {
    listener.message(match.note);
  }
  const bool may_be_bad = !options_.bands.use.empty();
  for (Index& band : match.found) {
    band = band != kNoBand && offered[static_cast<std::size_t>(band)].bad && !may_be_bad ? kNoBand : band;
  }
  const Indices lacking = unmatched(match);
  if (lacking.empty()) {
    return match.found;
  }
  if (options_.resample) {
    // If any band is lacking, all bands of this scene are computed by resampling, not only the lacking ones: measured
    // and computed bands would have different widths. The resampled scene has exactly the wanted bands, in their order.
    const SpectralResampling plan =
        plan_resampling(wanted, offered, may_be_bad ? consecutive(std::ssize(offered)) : good_bands(offered), name);
    other.source = resample_scene(std::move(other.source), plan, wanted.bands);
    resampled_[i] = plan.facts;
    listener.message(resampling_text(plan.facts));
    return consecutive(std::ssize(wanted.bands));
  }
  if (lacking.size() == wanted.bands.size()) {
    throw DataError((match.misfit.empty() ? name + " marks all bands " + wanted.user + " as bad" : match.misfit) +
                    "; --resample may compute them from the bands that there are");
  }
  listener.note("bands-left-out", "bands left out because " + name + " does not have them, or marks them as bad: " +
                                      band_list(values_at(chosen.bands, lacking)) + "; --resample may compute them");
  return match.found;
}

std::vector<std::pair<std::string, RasterGrid>> TrainingScenes::paths_and_grids() const {
  return mapped<std::pair<std::string, RasterGrid>>(consecutive(static_cast<Index>(count())), [&](Index i) {
    const InputScene& one = scene(static_cast<std::size_t>(i));
    return std::pair(one.input.path, one.source->grid());
  });
}

ChosenBands TrainingScenes::prepare(ChosenBands chosen, Listener& listener) {
  if (!several()) {
    return chosen;
  }
  // Labels are read before bands are fitted: find_bands() may replace a scene by its resampled form, whose grid is the
  // same.
  const std::vector<SceneLabels> labels = read_labels();
  const std::string first_name = first_.source->name();
  const BandTable bands = first_.source->bands();
  // All scenes are stacked below each other to one source with the bands of the first scene. For each scene the stack
  // needs the position of each of these bands, or kNoBand. A band that any scene lacks is dropped for all of them.
  std::vector<StackedScene> stacked = {{first_.source.get(), consecutive(std::ssize(bands))}};
  std::set<Index> lacking;
  for (std::size_t i = 1; i < count(); ++i) {
    const Indices found = find_bands(i, chosen, listener);
    stacked.push_back({scene(i).source.get(), Indices(bands.size(), kNoBand)});
    for (std::size_t k = 0; k < found.size(); ++k) {
      stacked.back().bands[static_cast<std::size_t>(chosen.bands[k])] = found[k];
      if (found[k] == kNoBand) {
        lacking.insert(static_cast<Index>(k));
      }
    }
  }
  drop_bands(lacking, chosen);
  if (chosen.bands.empty()) {
    throw DataError("no band of " + first_name + " that is used is in every other scene; --resample may compute them");
  }
  stack_ = std::make_unique<SceneStack>(std::move(stacked), bands);
  where_ = ScenePositions(paths_and_grids(), stack_.get());
  labels_ = stack_labels(labels, *stack_);
  if (!labels_.places.empty()) {
    listener.note(
        "overlapping-scenes",
        std::to_string(labels_.overlapping.size()) + " of " + std::to_string(count()) +
            " scenes overlap: " + std::to_string(labels_.places.size()) +
            " of their labelled pixels show places on the ground that several of them show; these pixels, and "
            "their regions, stay together in folds");
  }
  return chosen;
}

void TrainingScenes::check_samples(SampleSet& samples) const {
  std::vector<Indices> rows(count());
  for (std::size_t k = 0; k < samples.places.size(); ++k) {
    SamplePlace& place = samples.places[k];
    rows[where_.locate(place.pixel).scene].push_back(static_cast<Index>(k));
    if (const auto ground = labels_.places.find(place.pixel); ground != labels_.places.end()) {
      place.ground = ground->second;
    }
  }
  const auto size_of = [&](std::size_t i) {
    return rows[i].empty() ? 0 : usual_size(samples.spectra(rows[i], Eigen::all));
  };
  for (std::size_t i = 1; i < count(); ++i) {
    check_units(size_of(0), scene(0).source->name(), size_of(i), scene(i).source->name());
  }
}

SceneSource& TrainingScenes::source() const { return stack_ ? static_cast<SceneSource&>(*stack_) : *first_.source; }

std::vector<TrainingSceneRecord> TrainingScenes::records(const SampleSet& samples) const {
  std::vector<TrainingSceneRecord> records;
  for (std::size_t i = 0; i < count(); ++i) {
    const SceneInput& input = scene(i).input;
    records.push_back({input.path, labels_of(i).files, input.mask, 0, resampled_[i]});
  }
  for (const SamplePlace& place : samples.places) {
    if (place.in_scene()) {
      ++records[where_.locate(place.pixel).scene].pixels;
    }
  }
  return records;
}

std::vector<TrainedScene> TrainingScenes::trained(const SampleSet& samples) const {
  std::vector<Indices> rows;
  std::vector<GridPixels> parts = where_.by_scene(pixels_of(samples.places), rows);
  std::vector<TrainedScene> trained;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto& [grid, pixels] = parts[i];
    if (!pixels.empty()) {
      std::ranges::sort(pixels);
      trained.push_back(
          {scene(i).input.path, grid.width, grid.height, grid.geotransform, grid.crs, pixel_runs(pixels)});
    }
  }
  return trained;
}

std::int64_t TrainingScenes::bytes_of(const std::string& path) const {
  for (std::size_t i = 0; i < count(); ++i) {
    if (scene(i).input.path == path) {
      return scene(i).description.bytes;
    }
  }
  return bytes_of_file(path).value_or(0);
}

}  // namespace parsimap
