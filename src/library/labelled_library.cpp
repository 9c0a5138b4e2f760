#include "parsimap/library/labelled_library.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/library/library_file.hpp"
#include "parsimap/samples/class_colours.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap {

namespace {

// The class of a spectrum as its library names it.
struct ClassKey {
  std::optional<int> code;
  std::string name;  // empty: unlabelled
};

std::string attributes_text(const SpectralLibrary& library) {
  return library.attributes.empty() ? "it has no attributes" : "it has '" + separated(library.attributes, "', '") + "'";
}

// The texts of the attribute. ConfigError where the library has none of that name.
std::vector<std::string> attribute(const SpectralLibrary& library, const std::string& option, const std::string& name) {
  const auto column = attribute_column(library, name);
  if (!column) {
    throw ConfigError(library.path + ": --" + option + " " + name + " is no attribute of this library; " +
                      attributes_text(library));
  }
  return mapped<std::string>(library.values, [&](const auto& row) { return row[*column]; });
}

// Texts are codes where all are, as in a vector file, and names otherwise. An empty text means unlabelled, and so does
// 0 unless it is a class, which then has the code after the largest.
std::vector<ClassKey> keys_of(const std::vector<std::string>& texts, const LibraryInput& input, const std::string& path,
                              const Warn& say) {
  check_codes({texts.begin(), texts.end()}, path + ": the class of a spectrum");
  std::vector<ClassKey> keys;
  bool codes = true;
  std::int64_t zeros = 0;
  int largest = 0;
  for (const std::string& text : texts) {
    const std::string name = class_name(text);
    const bool zero = code_of_text(name) == 0;
    keys.push_back({code_of_text(name), zero && !input.zero_class ? "" : name});
    codes = codes && (name.empty() || keys.back().code);
    zeros += zero ? 1 : 0;
    largest = std::max(largest, keys.back().code.value_or(0));
  }
  for (ClassKey& key : keys) {
    key.code = codes ? key.code : std::nullopt;
    key.name = codes && !key.name.empty() ? std::to_string(*key.code) : key.name;  // "1.0" is the class 1
    key.code = key.code == 0 ? largest + 1 : key.code;
  }
  if (zeros > 0 && !input.zero_class) {
    say(zeros_text(path, "spectra", zeros));
  }
  return keys;
}

// True for spectra that a training has kept, in whatever format.
bool is_kept(const SpectralLibrary& library) {
  return attribute_column(library, "class") && attribute_column(library, "code") &&
         attribute_column(library, "region") && attribute_column(library, "group");
}

// Names and codes of spectra that a training has kept.
std::vector<ClassKey> kept_keys(const SpectralLibrary& library) {
  const std::vector<std::string> names = attribute(library, "class-field", "class");
  const std::vector<std::string> codes = attribute(library, "class-field", "code");
  std::vector<ClassKey> keys;
  for (std::size_t i = 0; i < names.size(); ++i) {
    keys.push_back({code_of_text(codes[i]), class_name(names[i])});
    if (!names[i].empty() && keys.back().code.value_or(0) == 0) {
      throw DataError(library.path + ": spectrum " + std::to_string(i + 1) + " has the code '" + codes[i] +
                      "'; codes of classes are from 1 to 65535");
    }
  }
  return keys;
}

std::vector<ClassKey> keys_by_table(const SpectralLibrary& library, const LibraryInput& input,
                                    const std::map<std::string, std::string>& classes, const Warn& say) {
  std::vector<std::string> texts;
  std::size_t left_out = 0;
  for (const std::string& name : library.names) {
    const auto found = classes.find(name);
    texts.push_back(found == classes.end() ? "" : found->second);
    left_out += texts.back().empty() ? 1 : 0;
  }
  if (left_out > 0) {
    say(library.path + ": spectra left out because " + *input.classes +
        " does not name them: " + std::to_string(left_out));
  }
  return keys_of(texts, input, library.path, say);
}

std::vector<ClassKey> class_keys(const SpectralLibrary& library, const LibraryInput& input,
                                 const std::map<std::string, std::string>& table, const Warn& say) {
  if (input.classes) {
    return keys_by_table(library, input, table, say);
  }
  // Samples that a training has kept have their classes in the attributes `class` and `code`, whatever --class-field
  // names, unless the library has this attribute as well.
  if (is_kept(library) && (!input.class_field || !attribute_column(library, *input.class_field))) {
    return kept_keys(library);
  }
  if (!input.class_field && !attribute_column(library, "class")) {
    throw ConfigError(library.path +
                      ": name the attribute that holds the class (--class-field), or a table of names "
                      "and classes (--library-classes); " +
                      attributes_text(library));
  }
  const std::vector<std::string> texts = attribute(library, "class-field", input.class_field.value_or("class"));
  const auto empty = std::ranges::count_if(texts, [](const auto& text) { return class_name(text).empty(); });
  if (empty > 0) {
    say(library.path + ": spectra left out because they have no class: " + std::to_string(empty));
  }
  return keys_of(texts, input, library.path, say);
}

// The classes of all keys: those with codes keep them, those by name alone get codes in the order of their bytes.
// Returns the index of every key's class, -1 for none.
std::vector<int> number_classes(const std::vector<ClassKey>& keys, LabelledPixels& labelled, const std::string& path) {
  // First a consistent code for every name, then codes for the names without one, in the order of the map (of bytes),
  // then the classes in ascending order of their codes. Either all classes have codes or none: mixed lists would give
  // new codes that may already mean another class elsewhere.
  std::map<std::string, std::optional<int>> code_of_name;
  for (const ClassKey& key : keys) {
    if (key.name.empty()) {
      continue;
    }
    const auto [known, added] = code_of_name.emplace(key.name, key.code);
    if (!added && known->second != key.code) {
      throw DataError(path + ": the class '" + key.name + "' has two codes, or one and none");
    }
  }
  if (code_of_name.empty()) {
    throw DataError(path + ": none of its " + std::to_string(keys.size()) + " spectra has a class");
  }
  if (code_of_name.size() > static_cast<std::size_t>(kLargestCode)) {
    throw DataError(path + ": " + std::to_string(code_of_name.size()) + " classes; a map holds 1 to 65535");
  }
  labelled.named_by_text =
      std::ranges::none_of(code_of_name, [](const auto& entry) { return entry.second.has_value(); });
  for (const auto& [name, code] : code_of_name) {
    if (!labelled.named_by_text && !code) {
      throw DataError(path + ": the class '" + name + "' has no code, and others have one");
    }
    labelled.classes.push_back({code.value_or(static_cast<int>(labelled.classes.size()) + 1), name, std::nullopt});
  }
  std::ranges::sort(labelled.classes, [](const ClassEntry& a, const ClassEntry& b) { return a.code < b.code; });
  std::map<std::string, int> index;
  for (std::size_t c = 0; c < labelled.classes.size(); ++c) {
    if (c > 0 && labelled.classes[c].code == labelled.classes[c - 1].code) {
      throw DataError(path + ": the classes '" + labelled.classes[c - 1].name + "' and '" + labelled.classes[c].name +
                      "' have the same code " + std::to_string(labelled.classes[c].code));
    }
    index[labelled.classes[c].name] = static_cast<int>(c);
  }
  return mapped<int>(keys, [&](const ClassKey& key) { return key.name.empty() ? -1 : index.at(key.name); });
}

void colour_classes(const SpectralLibrary& library, LabelledPixels& labelled) {
  const auto column = attribute_column(library, "colour");
  if (!column || !is_kept(library)) {
    return;
  }
  for (const LabelledPixel& pixel : labelled.pixels) {
    ClassEntry& entry = labelled.classes[static_cast<std::size_t>(pixel.label)];
    if (!entry.colour) {
      entry.colour = parse_colour(library.values[static_cast<std::size_t>(pixel.pixel)][*column]);
    }
  }
}

// Whole numbers of an attribute of spectra that a training has kept; none where one of them is no number.
std::vector<std::int64_t> kept_numbers(const SpectralLibrary& library, const std::string& name) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : is_kept(library) ? attribute(library, "", name) : std::vector<std::string>()) {
    const auto number = parse_number<std::int64_t>(text);
    if (!number) {
      return {};
    }
    numbers.push_back(*number);
  }
  return numbers;
}

// Regions and units of spectra that a training has kept, else a region for each spectrum; the field's groups.
void number_regions(const LibraryInput& input, LabelledLibrary& labelled) {
  const SpectralLibrary& library = labelled.library;
  const std::vector<std::int64_t> regions = kept_numbers(library, "region");
  std::ranges::transform(kept_numbers(library, "group"), std::back_inserter(labelled.kept), unit_from_file);
  const auto fields =
      input.group_field ? attribute(library, "group-field", *input.group_field) : std::vector<std::string>{};
  std::map<std::string, std::int64_t> group_of;
  for (LabelledPixel& pixel : labelled.labelled.pixels) {
    const auto row = static_cast<std::size_t>(pixel.pixel);
    pixel.region = regions.empty() ? pixel.pixel + 1 : regions[row];
    if (!fields.empty() && !fields[row].empty()) {
      const std::int64_t number = group_of.emplace(fields[row], std::ssize(group_of)).first->second;
      labelled.labelled.region_units.emplace(pixel.region, SampleUnit{number, SampleUnit::Reason::group});
    } else if (!labelled.kept.empty()) {
      labelled.labelled.region_units.emplace(pixel.region, labelled.kept[row]);
    }
  }
  if (input.group_field) {
    labelled.kept.clear();
  }
}

// Whether a rule means a class of the library: beside a scene, rules may be for its labels alone.
bool mean_any(const ClassRules& rules, const LabelledPixels& labelled) {
  return std::ranges::any_of(rules.rules, [&](const ClassRule& rule) {
    return std::ranges::any_of(labelled.classes, [&](const ClassEntry& entry) {
      return class_name(rule.from) == entry.name ||
             (!labelled.named_by_text && rule.from == std::to_string(entry.code));
    });
  });
}

// All libraries joined to the first one, in its bands. Their notes go to `say`.
SpectralLibrary read_libraries(const std::vector<std::string>& files, const Warn& say) {
  SpectralLibrary all = read_library(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    const SpectralLibrary further = read_library(files[i]);
    all.origin = further.origin == all.origin ? all.origin : std::nullopt;
    // Libraries may hold few spectra each, of surfaces that are dark or bright.
    check_units(usual_size(all.spectra.cast<double>()), all.path, usual_size(further.spectra.cast<double>()),
                further.path, 50);
    append_in_bands(all, further);
  }
  std::ranges::for_each(all.notes, say);
  return all;
}

// A column of numbers that holds the classes or groups is no feature. Only features have a name that is that of an
// attribute.
void leave_out_features(SpectralLibrary& library, const std::set<std::string>& fields) {
  const Indices kept = indices_where(std::ssize(library.bands), [&](Index b) {
    const Band& band = library.bands[static_cast<std::size_t>(b)];
    return band.wavelength || !fields.contains(band.name) || !attribute_column(library, band.name);
  });
  if (kept.size() < library.bands.size()) {
    library.bands = values_at(library.bands, kept);
    library.spectra = Spectra(library.spectra(Eigen::all, kept));
  }
}

// Says which features have one whole number for each class, as its code under another name has.
void warn_of_codes(const SpectralLibrary& library, const LabelledPixels& labelled, const Warn& say) {
  const auto is_code = [&](Index b) {
    std::vector<std::optional<float>> values(labelled.classes.size());
    return std::ranges::all_of(labelled.pixels,
                               [&](const LabelledPixel& pixel) {
                                 const float value = library.spectra(pixel.pixel, b);
                                 std::optional<float>& first = values[static_cast<std::size_t>(pixel.label)];
                                 first = first.value_or(value);
                                 return *first == value && value == std::floor(value);
                               }) &&
           distinct(values).size() == values.size();
  };
  for (Index b = 0; labelled.pixels.size() > labelled.classes.size() && b < std::ssize(library.bands); ++b) {
    const Band& band = library.bands[static_cast<std::size_t>(b)];
    if (!library.origin && !band.wavelength && is_code(b)) {
      say(library.path + ": the feature '" + band.name +
          "' has one whole number for each class, as codes of classes have; --exclude-bands leaves it out");
    }
  }
}

}  // namespace

LabelledLibrary read_labelled_libraries(const LibraryInput& input, const Warn& say) {
  LabelledLibrary result{read_libraries(input.files, say), {}};
  const SpectralLibrary& library = result.library;
  LabelledPixels& labelled = result.labelled;
  const auto table = input.classes ? read_library_classes(*input.classes, say) : std::map<std::string, std::string>{};
  leave_out_features(result.library, {input.class_field.value_or("class"), input.group_field.value_or("")});
  const std::vector<int> labels = number_classes(class_keys(library, input, table, say), labelled, library.path);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) {
      labelled.pixels.push_back({static_cast<std::int64_t>(i), labels[i], 0});
    }
  }
  labelled.has_regions = true;
  warn_of_codes(library, labelled, say);
  colour_classes(library, labelled);
  number_regions(input, result);
  if (input.rules && (!input.beside_scene || mean_any(*input.rules, labelled))) {
    apply_class_rules(labelled, *input.rules, library.path);
  }
  check_case(labelled.classes, library.path);
  return result;
}

std::unique_ptr<SceneSource> library_scene(const SpectralLibrary& library) {
  BandTable bands = library.bands;
  Spectra spectra = library.spectra;
  if (library.origin) {
    // Spectra that were kept by a training lie in some bands of a scene. They are put back at the places of these
    // bands, with NaN in all others, so that the new model has the same band numbers as one that is trained on the
    // scene itself.
    bands.assign(static_cast<std::size_t>(library.origin->scene_bands), Band{});
    spectra.setConstant(library.size(), library.origin->scene_bands, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t b = 0; b < library.bands.size(); ++b) {
      const Index place = library.origin->bands[b];
      bands[static_cast<std::size_t>(place)] = library.bands[b];
      spectra.col(place) = library.spectra.col(static_cast<Index>(b));
    }
  }
  return std::make_unique<ArrayScene>(library.path, RasterGrid{1, library.size(), std::nullopt, ""}, std::move(bands),
                                      std::move(spectra));
}

ChosenBands choose_library_bands(const SpectralLibrary& library, const SceneSource& scene, const BandChoice& choice) {
  if (!library.origin) {
    return choose_bands(scene.bands(), choice, scene.name());
  }
  if (choice.use.empty() && choice.exclude.empty()) {
    return {library.origin->bands, library.origin->dropped, {}};
  }
  // The choice of the user applies to the bands that the earlier training used. Bands that it dropped stay dropped,
  // with the reason that was stored, because the library has no values for them.
  BandTable bands = scene.bands();
  // A band that the training has used was chosen in spite of its mark.
  std::ranges::for_each(bands, [](Band& band) { band.bad = false; });
  ChosenBands chosen = choose_bands(bands, choice, scene.name());
  const auto dropped = [&](Index band) {
    return std::ranges::any_of(library.origin->dropped, [&](const DroppedBand& entry) { return entry.band == band; });
  };
  std::erase_if(chosen.bands, dropped);
  std::erase_if(chosen.dropped, [&](const DroppedBand& entry) { return dropped(entry.band); });
  add_all(chosen.dropped, library.origin->dropped);
  std::ranges::sort(chosen.dropped, [](const DroppedBand& a, const DroppedBand& b) { return a.band < b.band; });
  if (chosen.bands.empty()) {
    throw ConfigError(library.path + ": the bands named were all dropped by the training that has kept its spectra");
  }
  return chosen;
}

namespace {

// The smallest code that is not taken; that of the entry where it is free and means something.
int free_code(const std::set<int>& taken, const ClassEntry& entry, bool named_by_text) {
  int code = named_by_text ? 1 : entry.code;
  for (int next = 1; taken.contains(code); ++next) {
    code = next;
  }
  return code;
}

// Adds the classes of the library that the scene lacks. Returns the index of every class of the library. DataError
// where one side has names and the other codes alone: which of them are the same is not known.
std::vector<int> join_classes(SampleSet& samples, const ClassList& of_scene, const LabelledPixels& library,
                              const std::string& path) {
  const ClassList of_library{library.classes, library.named_by_text, path};
  const bool scene_by_text = of_scene.named_by_text;
  for (const auto& [named, other] : {std::pair(&of_library, &of_scene), std::pair(&of_scene, &of_library)}) {
    if (named->named_by_text && !has_names(other->classes)) {
      throw DataError("the classes of " + named->source + " have names and those of " + other->source +
                      " codes alone; --classes FILE gives names to codes" + side_by_side(of_scene, of_library));
    }
  }
  const std::vector<int> match = pair_classes(of_library, of_scene).index;
  ClassTable joined = samples.classes;
  const auto codes = mapped<int>(joined, &ClassEntry::code);
  std::set<int> taken(codes.begin(), codes.end());
  std::vector<std::string> names;  // of the classes of the library, as the joined table has them
  for (std::size_t c = 0; c < match.size(); ++c) {
    ClassEntry entry = match[c] < 0 ? library.classes[c] : samples.classes[static_cast<std::size_t>(match[c])];
    names.push_back(entry.name);
    if (match[c] < 0) {
      entry.code = free_code(taken, entry, library.named_by_text);
      taken.insert(entry.code);
      joined.push_back(entry);
    }
  }
  // Codes of classes that are named by text follow the names.
  const bool by_name = scene_by_text && library.named_by_text;
  std::ranges::sort(
      joined, [&](const ClassEntry& a, const ClassEntry& b) { return by_name ? a.name < b.name : a.code < b.code; });
  for (std::size_t c = 0; by_name && c < joined.size(); ++c) {
    joined[c].code = static_cast<int>(c) + 1;
  }
  const auto places = [&](const std::vector<std::string>& of) {
    return mapped<int>(of, [&](const std::string& name) { return find_class(joined, name, true); });
  };
  const std::vector<int> place = places(class_names(samples.classes));
  for (int& label : samples.labels) {
    label = place[static_cast<std::size_t>(label)];
  }
  std::vector<int> result = places(names);
  samples.classes = std::move(joined);
  return result;
}

// Numbers of regions and units of the library behind those of the scene, so that no fold takes samples of both for one
// unit.
struct Numbering {
  std::int64_t first_region = 0;
  std::int64_t first_group = 0;

  explicit Numbering(const SampleSet& samples) {
    for (const SamplePlace& place : samples.places) {
      const bool grouped =
          place.unit.reason == SampleUnit::Reason::group || place.unit.reason == SampleUnit::Reason::overlap;
      first_region = std::max(first_region, place.region + 1);
      first_group = std::max(first_group, grouped ? place.unit.number + 1 : 0);
    }
  }
  [[nodiscard]] SamplePlace place(std::int64_t region, SampleUnit unit) const {
    unit.number += unit.reason == SampleUnit::Reason::group ? first_group : first_region;
    return {SamplePlace::kNoPixel, first_region + region, unit};
  }
};

}  // namespace

void join_library(const LabelledLibrary& library, const SceneSource& scene, bool named_by_text, Extraction& data,
                  const Warn& say) {
  SampleSet& samples = data.samples;
  const WantedBands wanted{values_at(scene.bands(), data.bands), data.bands, static_cast<Index>(scene.bands().size()),
                           "that the training uses", scene.name()};
  // The spectra are brought to the bands of the scene, by name or wavelength or by resampling. Only those with a value
  // in every band used can be training samples, as with pixels.
  const Spectra spectra = in_bands(library.library, wanted);
  std::vector<LabelledPixel> usable;
  Indices rows;
  for (const LabelledPixel& pixel : library.labelled.pixels) {
    if (spectra.row(pixel.pixel).array().isFinite().all()) {
      usable.push_back(pixel);
      rows.push_back(pixel.pixel);
    }
  }
  if (usable.size() < library.labelled.pixels.size()) {
    say(library.library.path + ": spectra left out because a band has no value there: " +
        std::to_string(library.labelled.pixels.size() - usable.size()));
  }
  if (usable.empty()) {
    throw DataError(library.library.path + ": no spectrum has a value in every band that is used");
  }
  const Matrix added = spectra(rows, Eigen::all).cast<double>();
  check_units(usual_size(samples.spectra), scene.name(), usual_size(added), library.library.path);
  const std::vector<int> label_of =
      join_classes(samples, {samples.classes, named_by_text, scene.name()}, library.labelled, library.library.path);
  const Numbering numbering(samples);
  const Index before = samples.size();
  samples.spectra.conservativeResize(before + added.rows(), Eigen::NoChange);
  samples.spectra.bottomRows(added.rows()) = added;
  for (const LabelledPixel& pixel : usable) {
    samples.labels.push_back(label_of[static_cast<std::size_t>(pixel.label)]);
    samples.places.push_back(numbering.place(pixel.region, library.labelled.unit_of(pixel.region)));
  }
  say("spectra of libraries beside the " + std::to_string(before) +
      " labelled pixels: " + std::to_string(added.rows()));
}

}  // namespace parsimap
