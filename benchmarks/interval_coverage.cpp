// How often the 95 % intervals of `assess` contain the true value, for reference regions of uneven sizes: the
// simulation of docs/accuracy.md.
//
//   interval_coverage [DRAWS]
//
// A draw is a reference of M regions. A region has one of four classes, a lognormal number of pixels (median 20), a
// share of correct pixels of its own, and one class to which its errors go, mostly the next one. Most regions are
// almost correct and some are mostly wrong ("mixed"), or the shares have a skewed beta distribution ("beta"), so that
// errors come in few regions. The true values are those of a very large reference.
//
// Printed for each measure: the mean effective number of regions, the share of the draws whose interval contains the
// true value, the share whose interval lies above it, and that of the intervals from pixels. Draws in which a measure
// is not defined or has no interval do not count.
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/random.hpp"

namespace {

using namespace parsimap;

constexpr Index kClasses = 4;

struct Case {
  std::string errors;  // "mixed" or "beta"
  double spread;       // standard deviation of the logarithm of the size
  int regions;
};

// A number of the beta distribution, by Johnk's method.
double beta(Random& random, double a, double b) {
  while (true) {
    const double x = std::pow(random.uniform(), 1 / a);
    const double y = std::pow(random.uniform(), 1 / b);
    if (x + y <= 1 && x + y > 0) {
      return x / (x + y);
    }
  }
}

double share_correct(Random& random, const std::string& errors) {
  if (errors == "beta") {
    return beta(random, 2.4, 0.4);
  }
  const double kind = random.uniform();
  return kind < 0.6 ? 0.98 : kind < 0.85 ? beta(random, 6, 2) : beta(random, 1, 3);
}

struct Reference {
  ConfusionMatrix confusion = ConfusionMatrix({"a", "b", "c", "d"});
  std::vector<ComparedPixel> pixels;
};

void add_region(Reference& reference, const Case& design, std::int64_t region, Random& random, bool keep_pixels) {
  const Index label = random.index(kClasses);
  const auto size = static_cast<int>(std::max(1.0, std::exp(3 + design.spread * random.normal())));
  const double correct = share_correct(random, design.errors);
  const Index step = random.uniform() < 0.7 ? 1 : 1 + random.index(kClasses - 1);
  for (int i = 0; i < size; ++i) {
    const Index map = random.uniform() < correct ? label : (label + step) % kClasses;
    reference.confusion.add(label, map);
    if (keep_pixels) {
      reference.pixels.push_back({label, map, region});
    }
  }
}

struct Measure {
  std::string name;
  std::function<std::optional<double>(const ConfusionMatrix&)> value;
  std::function<std::optional<Interval>(const AccuracyIntervals&)> interval;
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> list = {
      {"overall", [](const ConfusionMatrix& c) { return c.overall_accuracy(); },
       [](const AccuracyIntervals& i) { return i.overall_accuracy; }},
      {"kappa", [](const ConfusionMatrix& c) { return c.kappa(); }, [](const AccuracyIntervals& i) { return i.kappa; }},
      {"average", [](const ConfusionMatrix& c) { return c.average_accuracy(); },
       [](const AccuracyIntervals& i) { return i.average_accuracy; }},
      {"producer's", [](const ConfusionMatrix& c) { return c.class_accuracy(0).producers_accuracy; },
       [](const AccuracyIntervals& i) { return i.classes[0].producers_accuracy; }},
      {"user's", [](const ConfusionMatrix& c) { return c.class_accuracy(0).users_accuracy; },
       [](const AccuracyIntervals& i) { return i.classes[0].users_accuracy; }},
      {"F1", [](const ConfusionMatrix& c) { return c.class_accuracy(0).f1; },
       [](const AccuracyIntervals& i) { return i.classes[0].f1; }}};
  return list;
}

struct Coverage {
  int intervals = 0;
  int covered = 0;
  int above = 0;
  int covered_by_pixels = 0;
  double regions = 0;

  void add(const Interval& interval, const std::optional<Interval>& of_pixels, double truth) {
    ++intervals;
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    above += interval.low > truth ? 1 : 0;
    covered_by_pixels += of_pixels && of_pixels->low <= truth && truth <= of_pixels->high ? 1 : 0;
    regions += interval.regions.value_or(0);
  }
};

void run(const Case& design, int draws, Random& random) {
  Reference population;
  for (int i = 0; i < 200000; ++i) {
    add_region(population, design, i, random, false);
  }
  std::vector<Coverage> found(measures().size());
  for (int draw = 0; draw < draws; ++draw) {
    Reference reference;
    for (int i = 0; i < design.regions; ++i) {
      add_region(reference, design, i, random, true);
    }
    const AccuracyIntervals by_region = region_intervals(reference.confusion, reference.pixels);
    const AccuracyIntervals by_pixel = pixel_intervals(reference.confusion);
    for (std::size_t m = 0; m < found.size(); ++m) {
      if (const auto interval = measures()[m].interval(by_region)) {
        found[m].add(*interval, measures()[m].interval(by_pixel), measures()[m].value(population.confusion).value());
      }
    }
  }
  for (std::size_t m = 0; m < found.size(); ++m) {
    const double count = found[m].intervals;
    std::cout << std::setw(6) << design.errors << std::setw(5) << design.spread << std::setw(5) << design.regions
              << std::setw(12) << measures()[m].name << std::setw(8) << *measures()[m].value(population.confusion)
              << std::setw(8) << found[m].regions / count << std::setw(8) << 100 * found[m].covered / count
              << std::setw(8) << 100 * found[m].above / count << std::setw(8)
              << 100 * found[m].covered_by_pixels / count << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int draws = argc > 1 ? std::atoi(argv[1]) : 4000;
  Random random(1);
  std::cout << std::fixed << std::setprecision(1)
            << "errors  sd   M     measure   truth regions covered   above  pixels\n";
  for (const std::string errors : {"mixed", "beta"}) {
    for (const double spread : {0.5, 0.8, 1.2}) {
      for (const int regions : {15, 30, 60, 150}) {
        run({errors, spread, regions}, draws, random);
      }
    }
  }
}
