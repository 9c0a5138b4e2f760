#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

std::string to_string(const MethodName& method) {
  return method.kernel + ", " + method.criterion + (method.dimension.empty() ? "" : ", " + method.dimension);
}

}  // namespace parsimap
