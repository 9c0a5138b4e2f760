#include "segment_outlines.hpp"

#include <algorithm>

#include "parsimap/gdal/vector/vector_output.hpp"

namespace parsimap {
namespace {

std::vector<FieldValue> values_of(const ClassifiedSegment& segment, const ClassTable& classes) {
  FieldValue name;
  FieldValue code;
  if (!segment.rejected) {
    const ClassEntry& entry = classes[static_cast<std::size_t>(segment.label)];
    name = entry.name;
    code = static_cast<std::int64_t>(entry.code);
  }
  return {segment.number, name, code, static_cast<double>(segment.confidence), segment.pixels};
}

}  // namespace

void write_segment_outlines(const StagedOutput& output, const RasterGrid& grid, SegmentSource& segments,
                            const ClassTable& classes, const std::vector<ClassifiedSegment>& classified) {
  const auto sink = create_outlines(output, grid,
                                    {{"segment", FieldKind::integer},
                                     {"class", FieldKind::text},
                                     {"code", FieldKind::integer},
                                     {"confidence", FieldKind::real},
                                     {"pixels", FieldKind::integer}});
  std::vector<std::int64_t> numbers;
  std::vector<std::uint8_t> mask;
  for (const ClassifiedSegment& segment : classified) {
    segments.read(segment.window, numbers);
    mask.resize(numbers.size());
    std::transform(numbers.begin(), numbers.end(), mask.begin(),
                   [&](std::int64_t number) { return number == segment.number ? 1 : 0; });
    sink->add(segment.window, mask, values_of(segment, classes));
  }
  sink->close();
}

}  // namespace parsimap
