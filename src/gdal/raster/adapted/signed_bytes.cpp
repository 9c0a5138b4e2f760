#include "signed_bytes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "forwarded.hpp"

namespace parsimap {
namespace {

constexpr int kInt8 = 14;  // GDT_Int8 of GDAL 3.7, which has no name in the headers of earlier versions

// A band of another dataset, which does everything but the conversion.
class SignedBand final : public ForwardedBand {
 public:
  SignedBand(GDALRasterBand& band, bool is_signed) : ForwardedBand(band), signed_(is_signed) {
    eDataType = is_signed ? GDT_Int16 : eDataType;
  }

  [[nodiscard]] bool is_signed() const { return signed_; }

 protected:
  CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data, int columns, int rows,
                   GDALDataType type, GSpacing pixel, GSpacing line, GDALRasterIOExtraArg* extra) override {
    if (!signed_) {
      return band_.RasterIO(flag, x, y, width, height, data, columns, rows, type, pixel, line, extra);
    }
    std::vector<GInt16> values(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    if (band_.RasterIO(flag, x, y, width, height, values.data(), columns, rows, GDT_Int16, 0, 0, extra) != CE_None) {
      return CE_Failure;
    }
    for (GInt16& value : values) {
      value = static_cast<GInt16>(value < 128 ? value : value - 256);  // two's complement
    }
    for (int row = 0; row < rows; ++row) {
      GDALCopyWords(&values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns)], GDT_Int16,
                    sizeof(GInt16), static_cast<GByte*>(data) + row * line, type, static_cast<int>(pixel), columns);
    }
    return CE_None;
  }

  int IGetDataCoverageStatus(int x, int y, int width, int height, int mask, double* percent) override {
    return band_.GetDataCoverageStatus(x, y, width, height, mask, percent);
  }

 private:
  bool signed_;
};

// Bands of datasets of one size, of which the first one stands for all in everything but the bands.
class SignedDataset final : public ForwardedDataset {
 public:
  SignedDataset(std::vector<DatasetPtr> datasets, const std::vector<GDALRasterBand*>& bands,
                const std::vector<bool>& is_signed)
      : ForwardedDataset(std::move(datasets.front())), others_(std::move(datasets)) {
    for (std::size_t i = 0; i < bands.size(); ++i) {
      SetBand(static_cast<int>(i) + 1, new SignedBand(*bands[i], is_signed[i]));
    }
  }

  [[nodiscard]] bool is_joined() const { return others_.size() > 1; }

 protected:
  CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data, int columns, int rows,
                   GDALDataType type, int count, int* bands, GSpacing pixel, GSpacing line, GSpacing band,
                   GDALRasterIOExtraArg* extra) override {
    return BandBasedRasterIO(flag, x, y, width, height, data, columns, rows, type, count, bands, pixel, line, band,
                             extra);
  }

 private:
  std::vector<DatasetPtr> others_;  // beside the first, in whose place there is nothing
};

}  // namespace

bool has_signed_bytes(GDALRasterBand& band) {
  if (static_cast<int>(band.GetRasterDataType()) == kInt8) {
    return true;
  }
  if (const auto* converted = dynamic_cast<SignedBand*>(&band)) {
    return converted->is_signed();
  }
  return EQUAL(metadata_item(band, "PIXELTYPE", "IMAGE_STRUCTURE").c_str(), "SIGNEDBYTE");
}

// Which of the bands are converted.
static std::vector<bool> signed_among(const std::vector<GDALRasterBand*>& bands, bool all) {
  return mapped<bool>(bands, [&](GDALRasterBand* band) {
    return band->GetRasterDataType() == GDT_Byte && (all || has_signed_bytes(*band));
  });
}

DatasetPtr with_signed_bytes(DatasetPtr dataset, bool all) {
  const auto bands = mapped<GDALRasterBand*>(dataset->GetBands(), [](GDALRasterBand* band) { return band; });
  const std::vector<bool> is_signed = signed_among(bands, all);
  if (std::ranges::find(is_signed, true) == is_signed.end()) {
    return dataset;
  }
  std::vector<DatasetPtr> one;
  one.push_back(std::move(dataset));
  return DatasetPtr(new SignedDataset(std::move(one), bands, is_signed));
}

DatasetPtr joined_bands(std::vector<DatasetPtr> datasets, const std::vector<std::string>& names,
                        const std::string& name) {
  std::vector<GDALRasterBand*> bands;
  for (const DatasetPtr& dataset : datasets) {
    for (GDALRasterBand* band : dataset->GetBands()) {
      bands.push_back(band);
    }
  }
  DatasetPtr joined(new SignedDataset(std::move(datasets), bands, signed_among(bands, false)));
  joined->SetDescription(name.c_str());
  for (std::size_t i = 0; i < names.size(); ++i) {
    joined->GetRasterBand(static_cast<int>(i) + 1)->SetDescription(names[i].c_str());
  }
  return joined;
}

bool has_joined_bands(const GDALDataset& dataset) {
  const auto* joined = dynamic_cast<const SignedDataset*>(&dataset);
  return joined != nullptr && joined->is_joined();
}

}  // namespace parsimap
