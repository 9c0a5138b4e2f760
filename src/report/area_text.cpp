#include "area_text.hpp"

#include "parsimap/report/text_table.hpp"

#include "matrix_text.hpp"

namespace parsimap {
namespace {

std::string interval_of(const std::optional<Estimate>& estimate) {
  return estimate ? percent_interval(estimate->interval) : "";
}

std::string value_of(const std::optional<Estimate>& estimate) {
  return percent(estimate ? std::optional(estimate->value) : std::nullopt);
}

std::string areas_text(const AreaAssessment& areas, const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  constexpr Alignment left = Alignment::left;
  constexpr Alignment right = Alignment::right;
  TextTable table({right, left, right, right, right, left, right, left, right, left});
  table.add_row({"", "class", "mapped " + unit.name, "estimated " + unit.name, "std. error", "", "producer's %", "",
                 "user's %", ""});
  for (std::size_t c = 0; c < names.size(); ++c) {
    const ClassEstimate& entry = areas.estimate.classes[c];
    std::string interval;
    if (const auto& share = entry.share.interval) {
      interval = "(" + short_number(share->low * unit.factor) + " to " + short_number(share->high * unit.factor) + ")";
    }
    table.add_row({std::to_string(c + 1), names[c], short_number(entry.mapped_share * unit.factor),
                   short_number(entry.share.value * unit.factor),
                   short_number(entry.share.standard_error * unit.factor), interval, value_of(entry.producers_accuracy),
                   interval_of(entry.producers_accuracy), value_of(entry.users_accuracy),
                   interval_of(entry.users_accuracy)});
  }
  return table.text();
}

std::string overall_text(const AreaEstimate& estimate) {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_row({"overall accuracy %", percent(estimate.overall_accuracy.value),
                 percent_interval(estimate.overall_accuracy.interval)});
  table.add_row({"quantity disagreement %", percent(estimate.disagreement.quantity), ""});
  table.add_row({"allocation disagreement %", percent(estimate.disagreement.allocation), ""});
  return table.text();
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "'" : ", '") + name + "'";
  }
  return list;
}

std::string notes_text(const AreaAssessment& areas) {
  std::string text = "  In brackets: 95 % intervals, +- 1.96 standard errors; none where the sample units all agree.\n";
  if (areas.unclassified_pixels > 0) {
    text += "  Left out as unclassified in the map: " + std::to_string(areas.unclassified_pixels) + " pixels.\n";
  }
  if (areas.pixels_outside_strata > 0) {
    text += "  Left out as outside the strata: " + std::to_string(areas.pixels_outside_strata) + " pixels.\n";
  }
  if (!areas.merged_strata.empty()) {
    text += "  Made one for having too few sample units: " + quoted_list(areas.merged_strata) + ".\n";
  }
  if (!areas.estimate.single_unit_strata.empty()) {
    text += "  Strata of one sample unit, which shows no variance and counts with the largest possible: " +
            quoted_list(areas.estimate.single_unit_strata) + ".\n";
  }
  return text;
}

}  // namespace

std::string area_text(const AreaAssessment& areas, const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  const std::string strata = areas.strata ? "strata of " + *areas.strata : std::string("the map's classes as strata");
  const std::string size = unit.name == "pixels" ? "" : " (" + short_number(unit.factor) + " " + unit.name + ")";
  return "Areas and accuracy of all " + std::to_string(areas.estimate.pixels) + " classified pixels" + size +
         ",\nestimated from a " + to_string(areas.design) + " random sample with " + strata + "\n\n" +
         areas_text(areas, names) + "\n" + overall_text(areas.estimate) +
         "\nEstimated shares of the area in percent: rows are reference, columns are map.\n\n" +
         matrix_text(names, areas.estimate.shares, [](double share) { return percent(share); }) + "\n" +
         notes_text(areas);
}

}  // namespace parsimap
