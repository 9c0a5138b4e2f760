#define PARSIMAP_EIGEN_PRODUCTS template
#include "eigen_products.hpp"
