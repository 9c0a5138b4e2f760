#include "parsimap/samples/spectral_library.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

static bool same_wavelength(const Band& first, const Band& second) {
  constexpr double kTolerance = 0.01;  // nanometres
  return first.wavelength && second.wavelength && std::abs(*first.wavelength - *second.wavelength) <= kTolerance;
}

// The column of the attribute, which is added where there is none.
static std::size_t column_or_new(SpectralLibrary& library, const std::string& name) {
  if (const auto column = attribute_column(library, name)) {
    return *column;
  }
  library.attributes.push_back(name);
  for (std::vector<std::string>& row : library.values) {
    row.emplace_back();
  }
  return library.attributes.size() - 1;
}

std::optional<std::size_t> attribute_column(const SpectralLibrary& library, const std::string& name) {
  return place_of_name(library.attributes, name);
}

bool same_wavelengths(const BandTable& first, const BandTable& second) {
  if (first.size() != second.size()) {
    return false;
  }
  return (std::ranges::none_of(first, has_wavelength) && std::ranges::none_of(second, has_wavelength)) ||
         std::equal(first.begin(), first.end(), second.begin(), same_wavelength);
}

void append(SpectralLibrary& library, const SpectralLibrary& other) {
  // Spectra of two libraries can share one matrix only if their columns mean the same wavelengths.
  if (!same_wavelengths(library.bands, other.bands)) {
    throw DataError(other.path + " has other wavelengths than " + library.path);
  }
  const auto columns =
      mapped<std::size_t>(other.attributes, [&](const std::string& name) { return column_or_new(library, name); });
  // Values go to the columns of the same attribute; attributes that the other library lacks stay empty.
  for (const std::vector<std::string>& row : other.values) {
    std::vector<std::string>& added = library.values.emplace_back(library.attributes.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      added[columns[k]] = row[k];
    }
  }
  add_all(library.names, other.names);
  // The spectra of the other library follow below, and its notes about reading are kept as well. A quantity that is not
  // the same in both is unknown for the result.
  const Index before = library.size();
  library.spectra.conservativeResize(before + other.size(), Eigen::NoChange);
  library.spectra.bottomRows(other.size()) = other.spectra;
  add_all(library.notes, other.notes);
  library.quantity = library.quantity == other.quantity ? library.quantity : "";
}

SpectralLibrary subset(const SpectralLibrary& library, const Indices& rows) {
  SpectralLibrary result = library;
  result.names = values_at(library.names, rows);
  result.values = values_at(library.values, rows);
  result.spectra = library.spectra(rows, Eigen::all);
  return result;
}

void check_library(const SpectralLibrary& library) {
  const auto spectra = static_cast<std::size_t>(library.size());
  if (spectra == 0 || library.bands.empty()) {
    throw DataError(library.path + " holds no spectrum");
  }
  // Every row of values needs a text for each attribute, or columns would shift.
  const bool rows_fit = std::ranges::all_of(
      library.values, [&](const std::vector<std::string>& row) { return row.size() == library.attributes.size(); });
  if (library.names.size() != spectra || library.values.size() != spectra || !rows_fit ||
      library.spectra.cols() != static_cast<Index>(library.bands.size())) {
    throw DataError(library.path + ": its names, attributes and bands do not fit its " + std::to_string(spectra) +
                    " spectra");
  }
}

Spectra in_bands(const SpectralLibrary& library, const WantedBands& wanted) {
  const BandMatch match = match_bands(wanted, library.bands, library.path);
  // Spectra that have all bands are taken as they are; only others are resampled by the widths of the bands.
  if (match.complete()) {
    return library.spectra(Eigen::all, match.found);
  }
  const SpectralResampling plan = plan_resampling(wanted, library.bands, good_bands(library.bands), library.path);
  Spectra spectra(library.size(), static_cast<Index>(wanted.bands.size()));
  for (std::size_t b = 0; b < plan.weights.size(); ++b) {
    // Sums are made in double precision; a spectrum without a value in a band that counts gets none.
    Vector sum = Vector::Zero(library.size());
    for (const BandWeight& entry : plan.weights[b]) {
      sum += entry.weight * library.spectra.col(entry.band).cast<double>();
    }
    spectra.col(static_cast<Index>(b)) = sum.cast<float>();
  }
  return spectra;
}

void append_in_bands(SpectralLibrary& library, const SpectralLibrary& other) {
  // The bands of the library are wanted from the other one, each at its own place.
  WantedBands wanted{library.bands, {}, static_cast<Index>(library.bands.size()), "of the first library", library.path};
  wanted.places = consecutive(wanted.scene_bands);
  SpectralLibrary resampled = other;
  resampled.spectra = in_bands(other, wanted);
  resampled.bands = library.bands;
  append(library, resampled);
}

namespace {

constexpr double kWidthOfSigma = 2.3548200450309493;  // FWHM of a Gaussian of standard deviation 1: 2 sqrt(2 log 2)
constexpr double kCut = 4;                            // standard deviations
constexpr double kLargestGap = 50;                    // nanometres between bands that a line is drawn between, and
                                                      // of the width of a band that does not know its own
constexpr double kGapWidths = 3;                      // the same, in widths of the bands
constexpr double kLargestMargin = 5;                  // nanometres beyond a band
constexpr double kLeastCovered = 0.5;                 // of a response

// A band of the scene: a knot of the line.
struct Knot {
  double centre = 0;
  double width = 0;
  Index band = 0;
};

double wavelength(const BandTable& bands, Index band) { return *bands[static_cast<std::size_t>(band)].wavelength; }

// The width of each of `members`, which are ascending by wavelength; `places` says where each band of the table stands
// in its scene, since bands between them may be left out.
std::vector<double> widths_of(const BandTable& bands, const Indices& members, const Indices& places) {
  const auto step = [&](std::size_t a, std::size_t b) {
    const auto place = [&](std::size_t i) { return places[static_cast<std::size_t>(members[i])]; };
    const Index apart = std::max<Index>(1, std::abs(place(b) - place(a)));
    return std::abs(wavelength(bands, members[b]) - wavelength(bands, members[a])) / static_cast<double>(apart);
  };
  std::vector<double> widths;
  for (std::size_t i = 0; i < members.size(); ++i) {
    // A band that does not know its width is as wide as the way to its nearest neighbour. Bands that were left out
    // between two members count as steps, so that a gap does not widen the bands beside it.
    double width = kLargestGap;
    width = i > 0 ? std::min(width, step(i - 1, i)) : width;
    width = i + 1 < members.size() ? std::min(width, step(i, i + 1)) : width;
    width = members.size() > 1 ? width : 0;
    widths.push_back(bands[static_cast<std::size_t>(members[i])].fwhm.value_or(width));
  }
  return widths;
}

Indices by_wavelength(const BandTable& bands, const Indices& members) {
  Indices sorted = members;
  std::ranges::stable_sort(sorted, [&](Index a, Index b) { return wavelength(bands, a) < wavelength(bands, b); });
  return sorted;
}

// Two bands at the same wavelength leave no line between them, and one does not tell what the other would be.
void refuse_dates(const BandTable& bands, const Indices& sorted, const Indices& places, const std::string& name) {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double centre = wavelength(bands, sorted[i]);
    if (centre - wavelength(bands, sorted[i - 1]) <= kWavelengthRounding) {
      throw DataError(name + ": bands " + std::to_string(places[static_cast<std::size_t>(sorted[i - 1])] + 1) +
                      " and " + std::to_string(places[static_cast<std::size_t>(sorted[i])] + 1) + " are both at " +
                      nanometres_text(centre) +
                      "; a stack of several spectra, such as of several dates, cannot be resampled");
    }
  }
}

std::vector<Knot> knots_of(const BandTable& offered, const Indices& usable, const std::string& name) {
  // Only bands of known wavelength can be knots, in ascending order.
  const Indices known =
      filtered(usable, [&](Index band) { return has_wavelength(offered[static_cast<std::size_t>(band)]); });
  if (known.empty()) {
    throw DataError(name + " does not state the wavelengths of its bands, which resampling needs");
  }
  const Indices sorted = by_wavelength(offered, known);
  const Indices places = consecutive(std::ssize(offered));
  refuse_dates(offered, sorted, places, name);
  const std::vector<double> widths = widths_of(offered, sorted, places);
  std::vector<Knot> knots;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    knots.push_back({wavelength(offered, sorted[i]), widths[i], sorted[i]});
  }
  return knots;
}

void check_wavelengths(const WantedBands& wanted) {
  const auto lacks = [&](std::size_t i) { return !wanted.bands[i].wavelength; };
  const Indices unknown = values_at(wanted.places, indices_where(wanted.bands.size(), lacks));
  if (!unknown.empty()) {
    throw DataError("resampling needs wavelengths, which of the bands " + wanted.user + " are not known for " +
                    std::to_string(unknown.size()) + " of " + std::to_string(wanted.bands.size()) + "; of " +
                    wanted.scene + " these are the bands " + band_list(unknown));
  }
}

// The line through the knots, and what follows from it for a band of the width `width` at `centre`.
class Line {
 public:
  explicit Line(std::vector<Knot> knots) : knots_(std::move(knots)) {}

  // The share of the band's response at wavelengths that the knots cover.
  [[nodiscard]] double covered(double centre, double width) const {
    // The share of a Gaussian response of this width below a wavelength is
    // 1/2 erfc((centre - wavelength) / (sigma sqrt(2))).
    const double sigma = std::max(width, kWavelengthRounding) / kWidthOfSigma;
    const auto below = [&](double place) { return 0.5 * std::erfc((centre - place) / (sigma * std::sqrt(2.0))); };
    // The response of the band is a Gaussian, of which the parts beyond the first and the last band and in gaps
    // between bands are not covered.
    double open = below(knots_.front().centre - margin(0)) + 1 - below(knots_.back().centre + margin(last()));
    for (std::size_t i = 0; i < last(); ++i) {
      // Two neighbouring bands leave a gap if their centres are farther apart than all of these: the mean of their
      // widths, at which they touch; three widths of the wider one, but at most 50 nm, over which spectra are close to
      // a line; and the width of the band that is computed. Each band covers its own width beyond its centre, at most 5
      // nm.
      const double touching = (knots_[i].width + knots_[i + 1].width) / 2;
      const double near = std::min(kGapWidths * std::max(knots_[i].width, knots_[i + 1].width), kLargestGap);
      if (knots_[i + 1].centre - knots_[i].centre > std::max({touching, near, width}) + kWavelengthRounding) {
        open += below(knots_[i + 1].centre - margin(i + 1)) - below(knots_[i].centre + margin(i));
      }
    }
    return 1 - open;
  }

  // The width of the scene's bands at a wavelength, linear between its bands.
  [[nodiscard]] double width_at(double centre) const {
    const auto [left, share] = place_of(centre);
    return share > 0 ? (1 - share) * knots_[left].width + share * knots_[left + 1].width : knots_[left].width;
  }

  [[nodiscard]] double distance(double centre) const {
    const auto [left, share] = place_of(centre);
    const double to_left = std::abs(centre - knots_[left].centre);
    return share > 0 ? std::min(to_left, knots_[left + 1].centre - centre) : to_left;
  }

  [[nodiscard]] std::vector<BandWeight> weights(double centre, double width) const {
    // The bands of the scene have widened the spectrum by their own width already, and widths of Gaussians that follow
    // each other add up in squares: the rest is sqrt(F^2 - f^2).
    const double own = width_at(centre);
    const double sigma = std::sqrt(std::max(0.0, width * width - own * own)) / kWidthOfSigma;
    // The window [c - R, c + R] is symmetric, so that linear spectra are preserved: R is 4 sigma, or the distance from
    // the first or last band, if that is smaller. At the ends of the scene and for bands that are not wider than its
    // own the value of the line at the centre remains.
    const double reach = std::min({kCut * sigma, centre - knots_.front().centre, knots_.back().centre - centre});
    std::vector<double> shares(knots_.size(), 0.0);
    if (reach > kLeastReach) {
      add_mean(centre, sigma, reach, shares);
    } else {
      add_point(centre, shares);
    }
    return without_zeros(shares);
  }

 private:
  static constexpr double kLeastReach = 1e-3;  // nanometres: a Gaussian that reaches no farther is a point

  [[nodiscard]] std::size_t last() const { return knots_.size() - 1; }

  [[nodiscard]] double margin(std::size_t i) const {
    return std::clamp(knots_[i].width, kWavelengthRounding, kLargestMargin);
  }

  // The knot to the left of a wavelength, and how far it is on the way to the next: in [0, 1), 0 outside of all knots.
  [[nodiscard]] std::pair<std::size_t, double> place_of(double centre) const {
    // Outside of all bands the nearest one counts alone.
    const auto next = std::ranges::upper_bound(knots_, centre, {}, &Knot::centre);
    if (next == knots_.begin() || next == knots_.end()) {
      return {next == knots_.begin() ? 0 : last(), 0.0};
    }
    const auto left = static_cast<std::size_t>(next - knots_.begin()) - 1;
    return {left, (centre - knots_[left].centre) / (next->centre - knots_[left].centre)};
  }

  void add_point(double centre, std::vector<double>& shares) const {
    const auto [left, share] = place_of(centre);
    shares[left] = 1 - share;
    if (share > 0) {
      shares[left + 1] = share;
    }
  }

  // On every piece of the line its two knots count by the integrals, over the Gaussian, of the hat functions that fall
  // from 1 at the one knot to 0 at the other. With z = (x - centre) / sigma, the Gaussian has the mass Phi(z) and the
  // first moment -sigma phi(z) up to x.
  void add_mean(double centre, double sigma, double reach, std::vector<double>& shares) const {
    const auto phi = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * M_PI); };
    const auto cumulated = [](double z) { return 0.5 * std::erf(z / std::sqrt(2.0)); };
    for (std::size_t i = 0; i < last(); ++i) {
      const double begin = std::max(knots_[i].centre, centre - reach);
      const double end = std::min(knots_[i + 1].centre, centre + reach);
      if (!(begin < end)) {
        continue;
      }
      const double low = (begin - centre) / sigma;
      const double high = (end - centre) / sigma;
      // On [x_i, x_i + h] the line is s_i + (s_(i+1) - s_i) (x - x_i) / h. Its integral over the Gaussian gives s_(i+1)
      // the weight (m' + m (c - x_i)) / h, with the mass m and the first moment m' about the centre c, and s_i the
      // remainder of m (docs/method.md, "Resampling spectra").
      const double mass = cumulated(high) - cumulated(low);
      const double moment = sigma * (phi(low) - phi(high));  // about the centre
      const double right = (moment + mass * (centre - knots_[i].centre)) / (knots_[i + 1].centre - knots_[i].centre);
      shares[i] += mass - right;
      shares[i + 1] += right;
    }
    // The window is cut at `reach`, so that the mass is below 1: divided by it, weights add up to 1 and constant
    // spectra stay what they are.
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) {
      share /= sum;
    }
  }

  [[nodiscard]] std::vector<BandWeight> without_zeros(const std::vector<double>& shares) const {
    std::vector<BandWeight> weights;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] != 0) {
        weights.push_back({knots_[i].band, shares[i]});
      }
    }
    return weights;
  }

  std::vector<Knot> knots_;  // ascending by centre, one at least
};

[[noreturn]] void refuse_uncovered(const WantedBands& wanted, const Indices& uncovered, const std::string& name) {
  const std::string list =
      shortened(uncovered, 20, [&](Index band) { return nanometres_text(wavelength(wanted.bands, band)); });
  throw DataError(name + " cannot be resampled: it has no bands near enough for " + std::to_string(uncovered.size()) +
                  " of the " + std::to_string(wanted.bands.size()) + " bands " + wanted.user + ", at " + list +
                  "; training can do without them (--exclude-bands)");
}

}  // namespace

std::string resampling_text(const ResamplingFacts& facts) {
  std::string text = std::to_string(facts.used_bands) + " of the " + std::to_string(facts.scene_bands) + " bands of " +
                     facts.scene + " were resampled to " + std::to_string(facts.bands) + " by their widths, at most " +
                     number_text(facts.largest_distance, 3) + " nm from the nearest of them";
  if (facts.narrower > 0) {
    text += "; " + std::to_string(facts.narrower) + " are narrower than those of " + facts.scene +
            ", whose width they have now";
  }
  return text;
}

SpectralResampling plan_resampling(const WantedBands& wanted, const BandTable& offered, const Indices& usable,
                                   const std::string& name) {
  check_wavelengths(wanted);
  // A band is computed if the bands of the scene cover at least half of its response. Bands that are not are collected,
  // so that one message names all of them.
  const Line line(knots_of(offered, usable, name));
  const Indices order = by_wavelength(wanted.bands, consecutive(std::ssize(wanted.bands)));
  refuse_dates(wanted.bands, order, wanted.places, wanted.scene);
  const std::vector<double> widths = widths_of(wanted.bands, order, wanted.places);
  SpectralResampling resampling;
  resampling.weights.resize(wanted.bands.size());
  ResamplingFacts& facts = resampling.facts;
  facts = {name, static_cast<Index>(offered.size()), 0, static_cast<Index>(wanted.bands.size()), 0, 0};
  std::set<Index> used;
  Indices uncovered;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double centre = wavelength(wanted.bands, order[i]);
    if (line.covered(centre, widths[i]) < kLeastCovered - kWavelengthRounding) {
      uncovered.push_back(order[i]);
      continue;
    }
    std::vector<BandWeight>& weights = resampling.weights[static_cast<std::size_t>(order[i])];
    weights = line.weights(centre, widths[i]);
    for (const BandWeight& entry : weights) {
      used.insert(entry.band);
    }
    // Files state widths with few digits, so that a difference of 1 % does not count.
    facts.narrower += widths[i] < 0.99 * line.width_at(centre) ? 1 : 0;
    facts.largest_distance = std::max(facts.largest_distance, line.distance(centre));
  }
  if (!uncovered.empty()) {
    refuse_uncovered(wanted, uncovered, name);
  }
  facts.used_bands = static_cast<Index>(used.size());
  return resampling;
}

}  // namespace parsimap
