#include "commands/sample_draw.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/samples/sampling.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

// 5000 pixels of class 0 and 300 of class 1.
LabelledPixels fully_labelled() {
  LabelledPixels labelled;
  labelled.classes = {{1, "a", {}}, {7, "b", {}}};
  for (std::int64_t i = 0; i < 5300; ++i) {
    labelled.pixels.push_back({i, i % 53 < 50 ? 0 : 1, 0});
  }
  return labelled;
}

// The samples of the pixels for which `usable` holds, spectrum = pixel.
template <typename Usable>
SampleSet samples_of(const LabelledPixels& labelled, Usable usable) {
  SampleSet samples;
  samples.classes = labelled.classes;
  for (const LabelledPixel& pixel : labelled.pixels) {
    if (usable(pixel.pixel)) {
      samples.labels.push_back(pixel.label);
      samples.pixels.push_back(pixel.pixel);
      samples.regions.push_back(0);
      samples.groups.push_back(0);
    }
  }
  samples.spectra = Matrix::Zero(static_cast<Index>(samples.labels.size()), 1);
  return samples;
}

std::vector<Index> drawn(const std::string& rule, LabelledPixels labelled) {
  SampleDraw draw(parse_sampling_rule(rule), labelled.classes, 3);
  draw.choose_candidates(labelled);
  SampleSet samples = samples_of(labelled, [](std::int64_t pixel) { return pixel % 2 == 0; });
  draw.draw(samples);
  return class_counts(samples);
}

}  // namespace

TEST_CASE("draws when half of the pixels have no spectrum") {
  const LabelledPixels labelled = fully_labelled();
  CHECK(drawn("all", labelled) == std::vector<Index>{2500, 150});
  CHECK(drawn("constant:40", labelled) == std::vector<Index>{40, 40});
  CHECK(drawn("smallest", labelled) == std::vector<Index>{150, 150});
  CHECK(drawn("percent:10", labelled) == std::vector<Index>{250, 15});
  CHECK(drawn("total:53", labelled) == std::vector<Index>{50, 3});
  // Of 5000 pixels 2000 are candidates: what they stand for is estimated.
  const std::vector<Index> few = drawn("percent:2", labelled);
  CHECK(std::abs(few[0] - 50) <= 3);
  CHECK(few[1] == 3);
}

TEST_CASE("the samples of a class do not depend on the others, nor on candidates") {
  LabelledPixels labelled = fully_labelled();
  SampleDraw draw(parse_sampling_rule("constant:20"), labelled.classes, 3);
  LabelledPixels candidates = labelled;
  draw.choose_candidates(candidates);
  CHECK(candidates.pixels.size() == 400 + 300);
  const auto all = [](std::int64_t) { return true; };
  SampleSet samples = samples_of(candidates, all);
  draw.draw(samples);
  std::erase_if(labelled.pixels, [](const LabelledPixel& pixel) { return pixel.label == 0 && pixel.pixel > 3000; });
  SampleDraw other(parse_sampling_rule("constant:20"), labelled.classes, 3);
  other.choose_candidates(labelled);
  SampleSet others = samples_of(labelled, all);
  other.draw(others);
  const auto second_class = [](const SampleSet& set) {
    std::vector<std::int64_t> pixels;
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
      if (set.labels[i] == 1) {
        pixels.push_back(set.pixels[i]);
      }
    }
    return pixels;
  };
  CHECK(second_class(samples).size() == 20);
  CHECK(second_class(samples) == second_class(others));
}

TEST_CASE("candidates tell whether a class reaches a size") {
  LabelledPixels labelled = fully_labelled();
  SampleDraw draw(parse_sampling_rule("constant:5"), labelled.classes, 3);
  draw.choose_candidates(labelled, 20);
  CHECK(labelled.pixels.size() == 400 + 300);
  // One pixel in nine: 300 labelled pixels are read to the last, 5000 are estimated.
  const SampleSet samples = samples_of(labelled, [](std::int64_t pixel) { return pixel % 9 == 0; });
  const std::vector<Index> sizes = draw.sizes(samples);
  CHECK(std::abs(sizes[0] - 556) < 200);
  CHECK(sizes[1] == class_counts(samples)[1]);
}

TEST_CASE("a table also holds for a part of the classes") {
  const TemporaryFolder folder;
  write_file(folder.file("counts.csv"), "a,30\nb,20\n");
  LabelledPixels labelled = fully_labelled();
  SampleDraw draw(parse_sampling_rule("byclass:" + folder.file("counts.csv")), labelled.classes, 3);
  labelled.classes.erase(labelled.classes.begin());
  std::erase_if(labelled.pixels, [](const LabelledPixel& pixel) { return pixel.label == 0; });
  for (LabelledPixel& pixel : labelled.pixels) {
    pixel.label = 0;
  }
  draw.choose_candidates(labelled);
  SampleSet samples = samples_of(labelled, [](std::int64_t) { return true; });
  draw.draw(samples);
  CHECK(class_counts(samples) == std::vector<Index>{20});
}

TEST_CASE("a table says how many of every class, by name or by code") {
  const TemporaryFolder folder;
  const std::string path = folder.file("counts.csv");
  const ClassTable classes = {{1, "oak", {}}, {7, "pine", {}}};
  const auto counts = [&](const std::string& content) {
    write_file(path, content);
    return class_table_counts(parse_sampling_rule("byclass:" + path), classes);
  };
  CHECK(counts("pine,30\n1,20\n") == std::vector<Index>{20, 30});
  CHECK(class_table_counts({}, classes).empty());
  CHECK(message_of([&] { counts("pine,30\n"); }) == path + ": class 'oak' of the labels is missing");
  CHECK(message_of([&] { counts("pine,30\noak,20\nelm,5\n"); }) == path + ": there is no class 'elm' in the labels");
  CHECK(message_of([&] { counts("pine,30\noak,0\n"); }) ==
        path + ": class 'oak' is to have 0 pixels; training takes 1 or more");
}

}  // namespace parsimap
