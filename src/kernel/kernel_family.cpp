#include "parsimap/kernel/kernel_family.hpp"

#include "parsimap/core/error.hpp"

namespace parsimap {

KernelFamily parse_kernel_family(const std::string& text) {
  if (text == "hdda") {
    return KernelFamily::hdda;
  }
  if (text == "pca") {
    return KernelFamily::pca;
  }
  if (text == "gaussian") {
    return KernelFamily::gaussian;
  }
  throw ConfigError("kernel '" + text + "' is unknown; it must be hdda, pca or gaussian");
}

std::string to_string(KernelFamily family) {
  switch (family) {
    case KernelFamily::hdda:
      return "hdda";
    case KernelFamily::pca:
      return "pca";
    case KernelFamily::gaussian:
      return "gaussian";
  }
  return {};
}

}  // namespace parsimap
