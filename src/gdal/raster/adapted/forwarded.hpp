// Bands and datasets that leave to others what they do not change.
#pragma once

#include <gdal_proxy.h>

#include "../dataset.hpp"

namespace parsimap {

class ForwardedBand : public GDALProxyRasterBand {
 public:
  explicit ForwardedBand(GDALRasterBand& band) : band_(band) {
    SetDescription(band.GetDescription());  // which is not forwarded
    nRasterXSize = band.GetXSize();
    nRasterYSize = band.GetYSize();
    eDataType = band.GetRasterDataType();
    band.GetBlockSize(&nBlockXSize, &nBlockYSize);
  }

 protected:
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
  [[nodiscard]] GDALRasterBand* RefUnderlyingRasterBand(bool) const override { return &band_; }
#else
  [[nodiscard]] GDALRasterBand* RefUnderlyingRasterBand() const override { return &band_; }
#endif

  GDALRasterBand& band_;
};

// Its bands are set by the class that is derived from it.
class ForwardedDataset : public GDALProxyDataset {
 protected:
  explicit ForwardedDataset(DatasetPtr dataset) : dataset_(std::move(dataset)) {
    nRasterXSize = dataset_->GetRasterXSize();
    nRasterYSize = dataset_->GetRasterYSize();
    SetDescription(dataset_->GetDescription());
    poDriver = dataset_->GetDriver();  // whose name is asked for, by a function that is not forwarded
  }

  [[nodiscard]] GDALDataset* RefUnderlyingDataset() const override { return dataset_.get(); }

  DatasetPtr dataset_;
};

}  // namespace parsimap
