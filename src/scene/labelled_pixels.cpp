#include "parsimap/scene/labelled_pixels.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

void relabel(const std::vector<int>& label_of, LabelledPixels& labels) {
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = label_of[static_cast<std::size_t>(pixel.label)];
  }
  std::erase_if(labels.pixels, [](const LabelledPixel& pixel) { return pixel.label < 0; });
}

// Takes the classes for which is_out(index) holds out of the table, with their pixels; the others keep their order.
template <typename Out>
static void take_out(LabelledPixels& labels, const Out& is_out) {
  std::vector<int> label_of;
  ClassTable kept;
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    label_of.push_back(is_out(c) ? -1 : static_cast<int>(kept.size()));
    if (label_of[c] >= 0) {
      kept.push_back(labels.classes[c]);
    }
  }
  labels.classes = std::move(kept);
  relabel(label_of, labels);
}

std::string zeros_text(const std::string& path, const std::string& things, std::int64_t count, bool has_option) {
  return path + ": " + things + " of the class 0 that count as unlabelled: " + std::to_string(count) + "; " +
         (has_option ? "--zero-class" : "another number") + " makes a class of them";
}

bool may_be_fill(const ClassEntry& entry) {
  return (entry.code == 255 || entry.code == 65535) && entry.name == std::to_string(entry.code);
}

void leave_out_fill(LabelledPixels& labels, const std::string& path) {
  const auto entry = std::ranges::find_if(labels.classes, may_be_fill);
  if (entry == labels.classes.end() || labels.classes.size() < 3) {
    return;
  }
  const auto fill = static_cast<std::size_t>(entry - labels.classes.begin());
  const Index pixels = class_sizes(labels)[fill];
  const std::string found = path + ": the value " + entry->name + ", with which many rasters fill, has no name and " +
                            std::to_string(pixels) + " pixels, ";
  if (2 * pixels <= std::ssize(labels.pixels)) {
    labels.messages.push_back(found + "and is a class; if it means unlabelled, declare it as the nodata value");
    return;
  }
  labels.messages.push_back(found +
                            "more than all classes; they count as unlabelled, and a name makes a class of them");
  take_out(labels, [&](std::size_t c) { return c == fill; });
}

// Claims are ascending by pixel. A pixel is kept if all of its claims agree on the class, with the region of the first
// claim; otherwise it is dropped and counted.
void settle_claims(const std::vector<LabelledPixel>& claims, LabelledPixels& labels) {
  for (auto first = claims.begin(); first != claims.end();) {
    const auto next = std::find_if(first, claims.end(), [&](const auto& claim) { return claim.pixel != first->pixel; });
    if (std::all_of(first, next, [&](const auto& claim) { return claim.label == first->label; })) {
      labels.pixels.push_back(*first);
    } else {
      ++labels.conflicting;
    }
    first = next;
  }
}

// Connected areas of equal labels, over edges. One pass over the ascending pixels joins each with its upper and its
// left neighbour; a second pass numbers the sets from 1, in the order of their first pixels.
void find_regions(LabelledPixels& labels, Index width) {
  std::vector<LabelledPixel>& pixels = labels.pixels;
  std::vector<std::uint8_t> ranks(pixels.size());
  std::vector<std::size_t> parents(pixels.size());
  boost::disjoint_sets sets(ranks.data(), parents.data());
  // The first pixel that is not before the upper neighbour of the current one: it only moves on.
  std::size_t above = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    sets.make_set(i);
    pixels[i].region = 0;
    while (pixels[above].pixel < pixels[i].pixel - width) {
      ++above;
    }
    // The pixel at a place is a neighbour only if it is labelled, and with the same class.
    const auto join_at = [&](std::size_t other, std::int64_t pixel) {
      if (pixels[other].pixel == pixel && pixels[other].label == pixels[i].label) {
        sets.union_set(i, other);
      }
    };
    join_at(above, pixels[i].pixel - width);
    if (i > 0 && pixels[i].pixel % width > 0) {
      join_at(i - 1, pixels[i].pixel - 1);
    }
  }
  std::int64_t regions = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    std::int64_t& region = pixels[sets.find_set(i)].region;  // kept by the pixel that stands for the set
    region = region == 0 ? ++regions : region;
    pixels[i].region = region;
  }
  labels.has_regions = true;
}

std::vector<int> class_labels(const LabelledPixels& labels) {
  return mapped<int>(labels.pixels, &LabelledPixel::label);
}

std::vector<SamplePlace> places_of(const LabelledPixels& labels) {
  return mapped<SamplePlace>(labels.pixels, [&](const LabelledPixel& pixel) {
    return SamplePlace{pixel.pixel, pixel.region, labels.unit_of(pixel.region)};
  });
}

std::vector<Index> class_sizes(const LabelledPixels& labels) {
  return class_counts(class_labels(labels), labels.classes.size());
}

static std::map<std::string, std::int64_t> outside_by_class(const LabelledPixels& labels) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [feature, name] : labels.outside_features) {
    counts[name] += name.empty() ? 0 : 1;  // empty: unlabelled by a rule
  }
  counts.erase("");
  return counts;
}

std::string outside_text(const LabelledPixels& labels) {
  const std::string text = separated(outside_by_class(labels), ", ", [](const auto& class_count) {
    return "class '" + class_count.first + "': " + std::to_string(class_count.second);
  });
  return std::to_string(labels.outside) + (text.empty() ? "" : " (" + text + ")");
}

std::vector<std::string> classes_outside(const LabelledPixels& labels) {
  const std::vector<Index> sizes = class_sizes(labels);
  std::vector<std::string> names;
  for (const auto& [name, count] : outside_by_class(labels)) {
    const int index = find_class(labels.classes, name, true);
    if (index < 0 || sizes[static_cast<std::size_t>(index)] == 0) {
      names.push_back(name);
    }
  }
  return names;
}

void apply_class_rules(LabelledPixels& labels, const ClassRules& rules, const std::string& name) {
  RenamedClasses renamed = rename_classes(labels.classes, rules, labels.named_by_text, name);
  labels.classes = std::move(renamed.classes);
  add_all(labels.notes, renamed.notes);
  relabel(renamed.label_of, labels);
}

std::vector<SmallClass> drop_small_classes(LabelledPixels& labels, const std::vector<Index>& sizes, Index least) {
  const auto is_small = [&](std::size_t c) { return sizes[c] < least; };
  const auto dropped = mapped<SmallClass>(indices_where(sizes.size(), is_small), [&](Index c) {
    const auto place = static_cast<std::size_t>(c);
    return SmallClass{labels.classes[place].name, sizes[place]};
  });
  take_out(labels, is_small);
  return dropped;
}

namespace {

// Labelled pixels that are read together, as positions in LabelledPixels::pixels.
struct ReadGroup {
  std::vector<std::size_t> members;
  Window window;
};

class ReadPlan {
 public:
  // Windows have up to `largest_window` pixels, those of several storage blocks up to `largest_joined`.
  ReadPlan(const SceneSource& scene, const std::vector<LabelledPixel>& pixels, Index largest_window,
           Index largest_joined)
      : width_(scene.grid().width),
        pixels_(pixels),
        largest_window_(largest_window),
        largest_joined_(std::min(largest_window, largest_joined)) {
    // Storage blocks are decoded as a whole, so the labelled pixels of a block are read together. The map is ordered
    // by row and column of the block, as they lie in the file.
    std::map<std::pair<Index, Index>, std::vector<std::size_t>> blocks;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      blocks[{row(i) / scene.block_height(), column(i) / scene.block_width()}].push_back(i);
    }
    for (auto& [block, members] : blocks) {
      add(std::move(members));
    }
  }

  [[nodiscard]] const std::vector<ReadGroup>& groups() const { return groups_; }
  // The row that member `i` has among the values read from `window`.
  [[nodiscard]] Index row_in(const Window& window, std::size_t i) const {
    return (row(i) - window.row) * window.width + column(i) - window.column;
  }

 private:
  [[nodiscard]] Index row(std::size_t i) const { return pixels_[i].pixel / width_; }
  [[nodiscard]] Index column(std::size_t i) const { return pixels_[i].pixel % width_; }

  [[nodiscard]] Window window_around(const std::vector<std::size_t>& members) const {
    return bounds_of(mapped<Index>(members, [&](std::size_t i) { return pixels_[i].pixel; }), width_).window();
  }

  // Joins the members to the last group where that reads hardly more than both apart: lines of a scene stored by lines.
  void add(std::vector<std::size_t> members) {
    const Window window = window_around(members);
    if (window.pixels() > largest_window_) {
      split(std::move(members), window);
      return;
    }
    if (!groups_.empty()) {
      ReadGroup& last = groups_.back();
      // A joined window of up to twice the pixels is worth one request in place of two. The bound on the window keeps
      // memory within what was given.
      const Window joined = around(last.window, window);
      if (joined.pixels() <= largest_joined_ && joined.pixels() <= 2 * (last.window.pixels() + window.pixels())) {
        add_all(last.members, members);
        last.window = joined;
        return;
      }
    }
    groups_.push_back({std::move(members), window});
  }

  // Halves the window across its rows, or along its only row: both halves hold members, since the window is the
  // smallest.
  void split(std::vector<std::size_t> members, const Window& window) {
    const auto second = std::partition(members.begin(), members.end(), [&](std::size_t i) {
      return window.height > 1 ? row(i) < window.row + window.height / 2 : column(i) < window.column + window.width / 2;
    });
    add({members.begin(), second});
    add({second, members.end()});
  }

  Index width_;
  const std::vector<LabelledPixel>& pixels_;
  Index largest_window_;
  Index largest_joined_;
  std::vector<ReadGroup> groups_;
};

// The labelled pixels, in their order, in `bands`; NaN where there is no value.
Spectra read_spectra(SceneSource& scene, const LabelledPixels& labels, const Indices& bands, std::int64_t ram_bytes,
                     const Progress& progress) {
  const auto pixel_bytes = static_cast<Index>(bands.size() * sizeof(float));
  // Spectra of a window are held in single precision, all candidate bands at once. Storage blocks are joined to less
  // than the memory would hold, so that the progress shows something.
  constexpr std::int64_t kJoinedBytes = std::int64_t{64} << 20U;
  const ReadPlan plan(scene, labels.pixels, std::max<Index>(1, ram_bytes / pixel_bytes), kJoinedBytes / pixel_bytes);
  // The rows of the result follow the labelled pixels, whatever the order in which the storage is read.
  Spectra spectra(static_cast<Index>(labels.pixels.size()), static_cast<Index>(bands.size()));
  Spectra block;
  std::size_t done = 0;
  for (const ReadGroup& group : plan.groups()) {
    scene.read(group.window, bands, block);
    for (const std::size_t i : group.members) {
      spectra.row(static_cast<Index>(i)) = block.row(plan.row_in(group.window, i));
    }
    done += group.members.size();
    report_done(progress, done, labels.pixels.size());
  }
  scene.check_unchanged();
  return spectra;
}

// Pixels with a value in every one of `columns`, ascending.
Indices valid_rows(const Spectra& spectra, const Indices& columns) {
  return indices_where(spectra.rows(), [&](Index i) {
    return std::ranges::all_of(columns, [&](Index band) { return std::isfinite(spectra(i, band)); });
  });
}

// Moves the bands for which `drop` holds to `dropped`.
template <typename Predicate>
void drop_bands(Indices& bands, Indices& dropped, const Predicate& drop) {
  // The partition keeps the order of the bands on both sides.
  const auto first = std::stable_partition(bands.begin(), bands.end(), [&](Index band) { return !drop(band); });
  dropped.insert(dropped.end(), first, bands.end());
  bands.erase(first, bands.end());
}

bool constant(const Spectra& spectra, const Indices& rows, Index band) {
  return std::ranges::all_of(rows, [&](Index row) { return spectra(row, band) == spectra(rows.front(), band); });
}

// Columns of spectra: the ones to use, and the two kinds that are dropped.
struct Columns {
  Indices used;
  Indices constant;
  Indices empty;
};

Columns sort_out(const Spectra& spectra) {
  Columns columns;
  columns.used = consecutive(spectra.cols());
  // Bands without any value are dropped first, since with them no pixel would have a value in every band; then bands
  // of one value, which tell nothing about the classes.
  drop_bands(columns.used, columns.empty, [&](Index band) { return valid_rows(spectra, {band}).empty(); });
  drop_bands(columns.used, columns.constant,
             [&](Index band) { return constant(spectra, valid_rows(spectra, {band}), band); });
  // A band may be constant in the pixels that the other bands leave over.
  const Indices left = valid_rows(spectra, columns.used);
  if (left.size() > 1) {
    drop_bands(columns.used, columns.constant, [&](Index band) { return constant(spectra, left, band); });
    std::ranges::sort(columns.constant);
  }
  return columns;
}

// Fills the samples from the pixels with a value in every one of `columns`.
void take_pixels(const Spectra& spectra, const Indices& columns, const LabelledPixels& labels, Extraction& result) {
  const Indices rows = valid_rows(spectra, columns);
  result.invalid_pixels = spectra.rows() - static_cast<std::int64_t>(rows.size());
  result.partial.bands = result.bands;
  if (result.invalid_pixels > 0) {
    count_partial(spectra(Eigen::all, columns), result.partial);
  }
  result.samples.classes = labels.classes;
  result.samples.spectra = spectra(rows, columns).cast<double>();
  result.samples.labels = values_at(class_labels(labels), rows);
  result.samples.places = values_at(places_of(labels), rows);
}

std::string conflicts_text(const LabelledPixels& labels) {
  return labels.conflicting == 0
             ? ""
             : "; pixels that another class claims as well belong to none: " + std::to_string(labels.conflicting);
}

void check_usable(SceneSource& scene, const LabelledPixels& labels, const Extraction& extraction, Index least) {
  // A class may lose all of its pixels where a band has no value; it cannot be trained then, and leaving it out
  // silently would change the map.
  const std::vector<Index> labelled = class_sizes(labels);
  const std::vector<Index> usable = class_counts(extraction.samples);
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    if (usable[c] < least) {
      throw DataError("class " + labels.classes[c].name + " has " + std::to_string(usable[c]) + " usable pixels of " +
                      std::to_string(labelled[c]) + " labelled ones in " + scene.name() +
                      (labelled[c] > usable[c]
                           ? std::string(" (the others have a band without value") +
                                 (scene.masked() != nullptr ? ", or lie outside of the mask or region" : "") +
                                 (extraction.partial.count > 0 ? ": " + missing_bands_text(extraction.partial) : "") +
                                 ")"
                           : "") +
                      (labelled[c] == 0 ? conflicts_text(labels) : "") + "; at least " + std::to_string(least) +
                      (least == 1 ? " is needed" : " are needed"));
    }
  }
}

}  // namespace

void check_two_classes(const LabelledPixels& labels, const std::string& scene) {
  if (labels.classes.size() < 2) {
    throw DataError("the labels of " + scene + " have " + std::to_string(labels.classes.size()) +
                    (labels.classes.empty() ? " classes" : " class (" + labels.classes.front().name + ")") +
                    "; at least two are needed");
  }
}

Extraction extract_samples(SceneSource& scene, const LabelledPixels& labels, const Indices& candidates,
                           std::int64_t ram_bytes, const Progress& progress, Index least) {
  if (least > 0) {
    check_two_classes(labels, scene.name());
  }
  const Spectra spectra = read_spectra(scene, labels, candidates, ram_bytes, progress);
  if (spectra.rows() == 0) {
    throw DataError(scene.name() + " has no labelled pixel" + conflicts_text(labels));
  }
  const Columns columns = sort_out(spectra);
  if (columns.used.empty()) {
    throw DataError(scene.name() + ": no band can be used: over the labelled pixels " +
                    std::to_string(columns.empty.size()) + " of " + std::to_string(spectra.cols()) +
                    " bands have no value" +
                    (scene.masked() != nullptr ? " (outside of the mask or region none has)" : "") + " and " +
                    std::to_string(columns.constant.size()) + " are constant");
  }
  Extraction result;
  result.bands = values_at(candidates, columns.used);
  result.constant_bands = values_at(candidates, columns.constant);
  result.empty_bands = values_at(candidates, columns.empty);
  take_pixels(spectra, columns.used, labels, result);
  check_usable(scene, labels, result, least);
  return result;
}

// For a model, whose bands are fixed: none is dropped, and pixels without a value in one of them are left out.
Extraction extract_samples_of_bands(SceneSource& scene, const LabelledPixels& labels, const Indices& bands,
                                    std::int64_t ram_bytes, const Progress& progress) {
  Extraction result;
  result.bands = bands;
  take_pixels(read_spectra(scene, labels, bands, ram_bytes, progress), consecutive(std::ssize(bands)), labels, result);
  return result;
}

}  // namespace parsimap
