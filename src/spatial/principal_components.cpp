#include "parsimap/spatial/principal_components.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {
namespace {

// Eigenvalues below this share of the largest one are rounding.
constexpr double kNothing = 1e-12;

// Sums over spectra, about a spectrum among them: sums about zero would lose the digits of what varies little.
class Moments {
 public:
  void add(const Spectra& spectra) {
    if (count_ == 0) {
      origin_ = spectra.row(0).cast<double>();
      sum_ = Vector::Zero(spectra.cols());
      products_ = Matrix::Zero(spectra.cols(), spectra.cols());
    }
    const Matrix moved = spectra.cast<double>().rowwise() - origin_;
    count_ += moved.rows();
    sum_ += moved.colwise().sum().transpose();
    products_.selfadjointView<Eigen::Lower>().rankUpdate(moved.transpose());
  }

  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] Vector mean() const { return origin_.transpose() + sum_ / static_cast<double>(count_); }
  // The lower triangle.
  // With sums about the origin o: S = (sum (x - o)(x - o)' - s s'/n) / n, where s = sum (x - o).
  [[nodiscard]] Matrix covariance() const {
    const auto n = static_cast<double>(count_);
    return (products_ - sum_ * sum_.transpose() / n) / n;
  }

 private:
  Index count_ = 0;
  Eigen::RowVectorXd origin_;
  Vector sum_;
  Matrix products_;
};

}  // namespace

PrincipalComponents principal_components(SceneSource& scene, const Indices& bands, Index most) {
  Moments moments;
  for_sampled_windows(scene, bands, [&](ValidSpectra&& input) { moments.add(input.spectra); });
  if (moments.count() == 0) {
    throw DataError(scene.name() + ": no pixel has a value in every band used, so there are no principal components");
  }
  const auto [variances, directions] = eigendecomposition(moments.covariance());
  const Index varying = (variances.array() > kNothing * variances(0) && variances.array() > 0).count();
  if (varying == 0) {
    throw DataError(scene.name() + ": all its pixels have the same values, so there are no principal components");
  }
  const Index found = std::min(most, varying);
  return {moments.mean(), directions.leftCols(found), variances.head(found).cwiseSqrt()};
}

}  // namespace parsimap
