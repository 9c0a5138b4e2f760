// The kernels of the paper: k(x, z) = exp(-1/2 [ sum_i w_i (q_i'(x - z))^2 + w_0 |x - z|^2 ]).
#pragma once

#include <string>

namespace parsimap {

enum class KernelFamily {
  hdda,     // all of it: directions q_i of the class subspace, and w_0 for what is left
  pca,      // w_0 = 0
  gaussian  // no directions
};

// "hdda", "pca", "gaussian" and back; another text is a ConfigError that lists them.
KernelFamily parse_kernel_family(const std::string& text);
std::string to_string(KernelFamily family);

}  // namespace parsimap
