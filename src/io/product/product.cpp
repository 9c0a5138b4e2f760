#include "parsimap/io/product/product.hpp"

#include <array>

#include "kinds.hpp"

namespace parsimap {
namespace {

using OpenProduct = std::optional<OpenScene> (*)(const std::string& path);

// Each gives nothing for what is not its kind of product.
constexpr std::array<OpenProduct, 3> kKinds{open_emit, open_prisma, open_envi_with_lookup};

}  // namespace

std::optional<OpenScene> open_product(const std::string& path) {
  for (const OpenProduct open : kKinds) {
    if (std::optional<OpenScene> scene = open(path)) {
      return scene;
    }
  }
  return std::nullopt;
}

}  // namespace parsimap
