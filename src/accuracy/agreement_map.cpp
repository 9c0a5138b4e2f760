#include "parsimap/accuracy/agreement_map.hpp"

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

AgreementMap::AgreementMap(ClassMapSource& first, ClassMapSource& second)
    : first_(first),
      second_(second),
      name_("the agreement of " + first.name() + " and " + second.name()),
      classes_({{1, "the maps agree", {}}, {2, kMapsDiffer, {}}, {3, "the second map is unclassified", {}}}) {
  const auto list = [](const ClassMapSource& map) { return ClassList{map.classes(), false, map.name()}; };
  check_agreement(list(second), list(first), "maps are compared whose classes are the same");
  const std::vector<int> pairs = pair_classes(list(first), list(second)).index;
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    same_.resize(static_cast<std::size_t>(first.classes()[c].code) + 1, 0);
    same_.back() = pairs[c] < 0 ? 0 : second.classes()[static_cast<std::size_t>(pairs[c])].code;
  }
}

void AgreementMap::read(const Window& window, std::vector<std::uint16_t>& codes) {
  first_.read(window, codes);
  second_.read(window, others_);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int agreement = others_[i] == 0 ? 3 : same_[codes[i]] == others_[i] ? 1 : 2;
    codes[i] = static_cast<std::uint16_t>(codes[i] == 0 ? 0 : agreement);
  }
}

void AgreementMap::check_unchanged() const {
  first_.check_unchanged();
  second_.check_unchanged();
}

}  // namespace parsimap
