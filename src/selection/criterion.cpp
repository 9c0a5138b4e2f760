#include "parsimap/selection/criterion.hpp"

#include "parsimap/core/text.hpp"

namespace parsimap {

static const Names<CriterionKind>& criterion_names() {
  static const Names<CriterionKind> names = {{CriterionKind::leave_one_out, "leave-one-out"},
                                             {CriterionKind::radius_margin, "radius-margin"}};
  return names;
}

CriterionKind parse_criterion(const std::string& text) { return parse_name("criterion", text, criterion_names()); }

std::string to_string(CriterionKind kind) { return name_among(kind, criterion_names()); }

}  // namespace parsimap
