#include "parsimap/report/model_card.hpp"

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/samples/class_colours.hpp"
#include "parsimap/samples/class_table.hpp"

#include "page_parts.hpp"

namespace parsimap {

DataDescription describe_model(const Model& model) {
  DataDescription description;
  description.name = "Training";
  description.bands = static_cast<Index>(model.bands.size());
  description.wavelengths = wavelengths_of(model.band_table, consecutive(std::ssize(model.band_table)));
  description.training_samples = model.provenance.training_pixels;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    // A model holds the class means in scaled bands.
    const Vector mean = model.scaling.undo(model.novelty[c].gaussian.mean.transpose()).transpose();
    ClassDescription entry;
    entry.name = model.classes[c].name;
    entry.samples = model.classifiers[c].samples;
    entry.mean.assign(mean.begin(), mean.end());
    description.classes.push_back(std::move(entry));
  }
  return description;
}

std::vector<Section> model_sections(const Model& model) {
  std::vector<Section> sections = training_sections(model, {});
  // These figures need the training samples, which are not part of a model file.
  std::erase_if(sections, [](const Section& section) { return section.id == "deviations" || section.id == "scree"; });
  return sections;
}

Table training_input_table(const Model& model) {
  Table table{"What the model was trained on, by parsimap " + model.provenance.program_version, {"file", "bytes"}, {}};
  for (const InputFile& input : model.provenance.inputs) {
    table.rows.push_back({input.path, input.bytes == 0 ? "-" : std::to_string(input.bytes)});
  }
  return table;
}

CommandPage model_page(const Model& model) {
  CommandPage page;
  page.title = "Model of " + counted(static_cast<std::int64_t>(model.classes.size()), "class");
  page.verdict = training_verdict(model);
  page.lead = training_lead(model);
  page.sections = model_sections(model);
  add_origin(page, {},
             {.options_title = "Options of the training",
              .options = model.provenance.options,
              .tables = {training_input_table(model)}});
  return page;
}

namespace {

constexpr std::size_t kMostPoints = 200;

// From a range of values to one of the drawing.
class Axis {
 public:
  Axis(const std::vector<double>& values, Index from, Index to) : from_(from), to_(to) {
    for (const double value : values) {
      if (std::isfinite(value)) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
      }
    }
    if (!(low_ < high_)) {  // one value is drawn in the middle of a range about it
      // Without any finite value the range becomes -1 to 1, so that the transformation below stays defined.
      const double half = std::isfinite(low_) && low_ != 0 ? std::abs(low_) / 2 : 1;
      low_ = (std::isfinite(low_) ? low_ : 0) - half;
      high_ = low_ + 2 * half;
    }
  }

  // Linear map of [low, high] to [from, to]. Values and bounds are halved before they are subtracted: the difference of
  // two numbers near the largest double overflows, that of their halves does not.
  [[nodiscard]] Index at(double value) const {
    return from_ + std::lround((value / 2 - low_ / 2) / (high_ / 2 - low_ / 2) * static_cast<double>(to_ - from_));
  }

  // At multiples of 1, 2 or 5 times a power of ten, `most` of them at most.
  [[nodiscard]] std::vector<DrawnTick> ticks(int most) const {
    // The smallest admissible distance of ticks is (high - low) / most, again computed without overflow. The power of
    // ten below it is multiplied by the smallest of 1, 2, 5 and 10 that reaches it. A range that is too small or too
    // large for a normal number has no ticks.
    const double least = 2 * (high_ / 2 / most - low_ / 2 / most);
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
      step = factor * power >= least ? factor * power : step;
    }
    std::vector<DrawnTick> ticks;
    if (!std::isnormal(step)) {
      return ticks;
    }
    for (double i = std::ceil(low_ / step) + 0.0; i <= high_ / step; ++i) {  // never -0
      ticks.push_back({at(i * step), short_number(i * step)});
    }
    return ticks;
  }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  Index from_;
  Index to_;
};

// Whether the line is broken before a band: bands between were left out, or the scene has none there.
std::vector<bool> breaks_of(const std::vector<double>& places, const Indices& bands) {
  // A step that is much longer than the median step is a gap of the spectrum, such as between two detectors. Four
  // medians leave the changing sampling distance of usual instruments unbroken. A negative step occurs where the bands
  // of two detectors overlap, and would draw a line backwards.
  constexpr double kGap = 4;  // usual steps
  std::vector<double> steps;
  for (std::size_t i = 1; i < places.size(); ++i) {
    steps.push_back(places[i] - places[i - 1]);
  }
  std::vector<double> sorted = steps;
  std::ranges::sort(sorted);
  std::vector<bool> breaks(places.size(), false);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    breaks[i + 1] = bands[i + 1] - bands[i] > 1 || steps[i] > kGap * sorted[sorted.size() / 2] || steps[i] < 0;
  }
  return breaks;
}

struct Point {
  Index x = 0;
  Index y = 0;
};

std::string pair_of(Index x, Index y) { return std::to_string(x) + (y < 0 ? "" : " ") + std::to_string(y); }

// Whole steps from point to point take the fewest letters; a move starts a part of the line.
std::string path_of(const std::vector<std::vector<Point>>& parts) {
  // A path of SVG: M is an absolute move, l is followed by relative steps. A minus sign separates two numbers by
  // itself, which saves the blank.
  std::string path;
  for (const std::vector<Point>& part : parts) {
    Point last = part.front();
    path += "M" + pair_of(last.x, last.y) + "l";
    // A part of one point is a dot, by the round ends of lines.
    path += part.size() == 1 ? "0 0" : "";
    for (std::size_t i = 1; i < part.size(); ++i) {
      const std::string step = pair_of(part[i].x - last.x, part[i].y - last.y);
      path += (i == 1 || step.front() == '-' ? "" : " ") + step;
      last = part[i];
    }
  }
  return path;
}

std::vector<std::vector<Point>> parts_of(const std::vector<double>& mean, const std::vector<double>& places,
                                         const std::vector<bool>& breaks, const Axis& across, const Axis& upright) {
  // At most kMostPoints points are drawn for each class. The stride is counted from the last point that was drawn, and
  // the first point after a gap is always drawn, so that short parts between gaps remain visible.
  const std::size_t stride = (mean.size() + kMostPoints - 1) / kMostPoints;
  std::vector<std::vector<Point>> parts;
  bool broken = true;
  std::size_t last = 0;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    broken = broken || breaks[i];
    if (!std::isfinite(mean[i])) {
      broken = true;
    } else if (broken || i - last >= stride) {
      if (broken) {
        parts.emplace_back();
      }
      parts.back().push_back({across.at(places[i]), upright.at(mean[i])});
      broken = false;
      last = i;
    }
  }
  return parts;
}

std::vector<double> places_of(const DataDescription& samples, const Indices& bands) {
  return samples.wavelengths.empty() ? mapped<double>(bands, [](Index band) { return static_cast<double>(band + 1); })
                                     : samples.wavelengths;
}

}  // namespace

SpectraDrawing draw_spectra(const DataDescription& samples, const Indices& bands, const std::vector<Colour>& colours) {
  constexpr int kTicksAcross = 8;
  constexpr int kTicksUpright = 5;
  const std::vector<double> places = places_of(samples, bands);
  std::vector<double> values;
  for (const ClassDescription& one : samples.classes) {
    // One scale for all classes, from the smallest to the largest mean of any band.
    add_all(values, one.mean);
  }
  const Axis across(places, SpectraDrawing::kLeft, SpectraDrawing::kRight);
  const Axis upright(values, SpectraDrawing::kBottom, SpectraDrawing::kTop);
  const std::vector<bool> breaks = breaks_of(places, bands);
  SpectraDrawing drawing;
  drawing.places = samples.wavelengths.empty() ? "band" : "wavelength (nm)";
  drawing.across = across.ticks(kTicksAcross);
  drawing.upright = upright.ticks(kTicksUpright);
  for (std::size_t c = 0; c < samples.classes.size(); ++c) {
    const std::vector<std::vector<Point>> parts = parts_of(samples.classes[c].mean, places, breaks, across, upright);
    if (!parts.empty()) {
      drawing.lines.push_back({samples.classes[c].name, css_colour(colours[c]), path_of(parts)});
    }
  }
  return drawing;
}

namespace mustache = kainjow::mustache;

// The units that were left out together to test the pixels of a class.
static std::string unit_text(const Model& model, std::size_t c) {
  return model.provenance.left_out.by_region[c] ? "regions" : "pixels";
}

static mustache::list class_rows(const Model& model, const std::vector<Colour>& colours) {
  const std::vector<ClassSummary> summaries = class_summaries(model);
  mustache::list rows;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const ClassSummary& summary = summaries[c];
    const std::string confused =
        summary.confused_with ? *summary.confused_with + " (" + percent(summary.confused_share) + " %)" : "-";
    rows.push_back(mustache::object{{"name", summary.name},
                                    {"code", std::to_string(model.classes[c].code)},
                                    {"colour", css_colour(colours[c])},
                                    {"pixels", std::to_string(summary.pixels)},
                                    {"regions", summary.regions ? std::to_string(*summary.regions) : "-"},
                                    {"accuracy", percent(summary.accuracy)},
                                    {"unit", unit_text(model, c)},
                                    {"confused", confused}});
  }
  return rows;
}

static mustache::list tick_list(const std::vector<DrawnTick>& ticks) {
  return mapped<mustache::data>(ticks, [](const DrawnTick& tick) {
    return mustache::object{{"at", std::to_string(tick.at)}, {"text", tick.text}};
  });
}

static mustache::data drawing_data(const SpectraDrawing& drawing) {
  const mustache::list lines = mapped<mustache::data>(drawing.lines, [](const DrawnLine& line) {
    return mustache::object{{"name", line.name}, {"colour", line.colour}, {"path", line.path}};
  });
  return mustache::object{{"width", std::to_string(SpectraDrawing::kWidth)},
                          {"height", std::to_string(SpectraDrawing::kHeight)},
                          {"left", std::to_string(SpectraDrawing::kLeft)},
                          {"right", std::to_string(SpectraDrawing::kRight)},
                          {"top", std::to_string(SpectraDrawing::kTop)},
                          {"bottom", std::to_string(SpectraDrawing::kBottom)},
                          {"places", drawing.places},
                          {"across", tick_list(drawing.across)},
                          {"upright", tick_list(drawing.upright)},
                          {"lines", lines}};
}

// What was left out together, where the verdict does not say so itself.
static mustache::list notes_of(const std::vector<std::string>& verdict) {
  mustache::list notes;
  if (verdict.size() > 1) {
    notes.push_back(mustache::object{{"text", verdict.back()}});
  }
  return notes;
}

std::string model_card(const Model& model) {
  const std::vector<Colour> colours = class_colours(model.classes);
  const std::vector<std::string> verdict = training_verdict(model);
  const SpectraDrawing drawing = draw_spectra(describe_model(model), model.bands, colours);
  mustache::data content;
  // The first sentence is the accuracy; the last one says how it was estimated. The pairs in between have no room on a
  // card.
  content["verdict"] = verdict.front();
  content["lead"] = training_lead(model);
  content["notes"] = notes_of(verdict);
  content["classes"] = class_rows(model, colours);
  if (!drawing.lines.empty()) {
    content["drawing"] = drawing_data(drawing);
  }
  mustache::mustache html{std::string(page_parts().card)};
  return html.render(content);
}

}  // namespace parsimap
