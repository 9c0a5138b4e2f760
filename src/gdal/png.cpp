#include "parsimap/gdal/png.hpp"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include <atomic>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/settings.hpp"

#include "dataset.hpp"

namespace parsimap {
namespace {

constexpr int kBands = 4;

struct FreeMemory {
  void operator()(void* memory) const { VSIFree(memory); }
};

DatasetPtr picture(Index width, Index height, const std::vector<std::uint8_t>& rgba) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("MEM");
  const int columns = static_cast<int>(width);
  const int rows = static_cast<int>(height);
  DatasetPtr dataset(driver != nullptr ? driver->Create("", columns, rows, kBands, GDT_Byte, nullptr) : nullptr);
  // The pixels are only read, but RasterIO takes them as it would for reading into.
  if (dataset == nullptr ||
      dataset->RasterIO(GF_Write, 0, 0, columns, rows, const_cast<std::uint8_t*>(rgba.data()), columns, rows, GDT_Byte,
                        kBands, nullptr, kBands, GSpacing{kBands} * columns, 1, nullptr) != CE_None) {
    return nullptr;
  }
  dataset->GetRasterBand(kBands)->SetColorInterpretation(GCI_AlphaBand);
  return dataset;
}

// A name in GDAL's memory that no other picture has.
std::string memory_name() {
  static std::atomic<int> count = 0;
  return "/vsimem/parsimap-picture-" + std::to_string(++count) + ".png";
}

}  // namespace

std::string png_data_uri(Index width, Index height, const std::vector<std::uint8_t>& rgba) {
  initialise_gdal();
  const ErrorCollector errors;
  const DatasetPtr source = picture(width, height, rgba);
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("PNG");
  const std::string name = memory_name();
  DatasetPtr written(source != nullptr && driver != nullptr
                         ? driver->CreateCopy(name.c_str(), source.get(), FALSE, nullptr, nullptr, nullptr)
                         : nullptr);
  const bool made = written != nullptr;
  written.reset();
  vsi_l_offset size = 0;
  const std::unique_ptr<GByte, FreeMemory> bytes(VSIGetMemFileBuffer(name.c_str(), &size, TRUE));
  if (!made || bytes == nullptr) {
    throw IoError("a picture cannot be made as PNG: " + errors.text());
  }
  const std::unique_ptr<char, FreeMemory> text(CPLBase64Encode(static_cast<int>(size), bytes.get()));
  return std::string("data:image/png;base64,") + text.get();
}

}  // namespace parsimap
