#include "parsimap/svm/solution.hpp"

namespace parsimap {

std::string to_string(SolverStop stop) {
  switch (stop) {
    case SolverStop::optimal:
      return "optimal";
    case SolverStop::iteration_limit:
      return "iteration limit";
    case SolverStop::not_positive:
      return "kernel matrix not positive definite";
  }
  return {};
}

}  // namespace parsimap
