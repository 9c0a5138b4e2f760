#include "netcdf_cube.hpp"

#include <cpl_conv.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/samples/band.hpp"

#include "../band_table.hpp"
#include "cube_reader.hpp"
#include "signed_bytes.hpp"

namespace parsimap {
namespace {

using Array = std::shared_ptr<GDALMDArray>;
using Dimension = std::shared_ptr<GDALDimension>;

struct Variable {
  std::string source;  // as which it can be opened
  DatasetPtr dataset;
  std::vector<std::string> names;  // of its bands
  RasterGrid grid;
};

struct Cube {
  DatasetPtr whole;  // which dimensions of Zarr need to find their coordinates
  Array array;
  std::vector<Dimension> dimensions;
  std::optional<std::size_t> x;  // places in `dimensions`
  std::optional<std::size_t> y;
  std::optional<std::size_t> spectral;
  std::vector<double> wavelengths;  // along it, nanometres
};

std::string attribute(const GDALMDArray& array, const char* name) {
  const auto found = array.GetAttribute(name);
  const char* text = found == nullptr ? nullptr : found->ReadAsString();
  return text == nullptr ? "" : text;
}

bool is_wavelength(const GDALMDArray& array) {
  const std::string name = lower_case(array.GetName());
  const bool called = name == "wvl" || name == "wl" || name == "lambda" || name.starts_with("wavelength");
  const bool width = name.find("fwhm") != std::string::npos || name.find("bound") != std::string::npos ||
                     name.find("bnds") != std::string::npos || name.find("width") != std::string::npos;
  return attribute(array, "standard_name").find("radiation_wavelength") != std::string::npos ||
         (!width && (called || lower_case(attribute(array, "long_name")).starts_with("wavelength")));
}

// Nothing where they cannot be read.
std::vector<double> numbers_of(const GDALMDArray& array, std::size_t count) {
  std::vector<double> values(count);
  const GUInt64 first = 0;
  const auto type = GDALExtendedDataType::Create(GDT_Float64);
  return array.Read(&first, &count, nullptr, nullptr, type, values.data()) ? values : std::vector<double>{};
}

// Nothing unless all of `count` are wavelengths.
std::vector<double> in_nanometres(std::vector<double> values, const std::string& unit, std::size_t count) {
  for (double& value : values) {
    value = wavelength_nanometres(value, unit == "m" ? "metres" : unit).value_or(0);  // m is the unit of CF
  }
  const bool usable = values.size() == count && std::ranges::all_of(values, [](double value) { return value > 0; });
  return usable ? values : std::vector<double>{};
}

// Dimensions without names are numbered, as dim0 by GDAL and phony_dim_0 by netCDF.
bool is_unnamed(const GDALDimension& dimension) {
  return dimension.GetName().starts_with("dim") || dimension.GetName().starts_with("phony_dim");
}

bool same_dimension(const GDALDimension& first, const GDALDimension& second) {
  return first.GetSize() == second.GetSize() && (first.GetName() == second.GetName() || is_unnamed(second));
}

constexpr int kDeepest = 5;

// The arrays of the group, and of groups in it down to the deepest level.
std::vector<Array> arrays_in(const GDALGroup& group, int depth = 0) {
  std::vector<Array> found;
  for (const std::string& name : group.GetMDArrayNames()) {
    found.push_back(group.OpenMDArray(name));
  }
  for (const std::string& name : depth < kDeepest ? group.GetGroupNames() : std::vector<std::string>()) {
    if (const auto inner = group.OpenGroup(name); inner != nullptr) {
      add_all(found, arrays_in(*inner, depth + 1));
    }
  }
  std::erase(found, nullptr);
  return found;
}

// The wavelengths along a dimension of the cube: those of its own coordinates, else of an array that is called so, as
// plainly as may be, else of an attribute of the cube.
std::vector<double> wavelengths_along(const GDALGroup& root, const GDALMDArray& cube, const GDALDimension& dimension) {
  std::vector<Array> found = filtered(arrays_in(root), [&](const Array& array) {
    return array->GetDimensionCount() == 1 && same_dimension(*array->GetDimensions()[0], dimension) &&
           is_wavelength(*array);
  });
  const auto rank = [&](const Array& array) {
    const std::string name = lower_case(array->GetName());
    const bool plain = name == "wavelength" || name == "wavelengths" || name == "wvl" || name == "wl";
    return array->GetFullName() == dimension.GetFullName() ? 0 : plain ? 1 : 2;
  };
  std::ranges::stable_sort(found, {}, rank);
  const auto count = static_cast<std::size_t>(dimension.GetSize());
  Array chosen;
  std::vector<double> values;
  for (const Array& array : found) {
    const std::string unit = array->GetUnit().empty() ? attribute(*array, "units") : array->GetUnit();
    const std::vector<double> next = in_nanometres(numbers_of(*array->GetUnscaled(), count), unit, count);
    if (chosen == nullptr && !next.empty()) {
      chosen = array;
      values = next;
    } else if (!next.empty() && rank(array) == rank(chosen) && next != values) {
      throw DataError(cube.GetFullName() + ": both " + chosen->GetFullName() + " and " + array->GetFullName() +
                      " are wavelengths along the dimension '" + dimension.GetName() +
                      "', and differ; keep one, or call it wavelength");
    }
  }
  for (const char* name : {"wavelengths", "wavelength"}) {
    if (const auto list = cube.GetAttribute(name); values.empty() && list != nullptr) {
      values = in_nanometres(list->ReadAsDoubleArray(), "", count);
    }
  }
  return values;
}

bool is_called(const std::string& name, std::string_view names) {
  return names.find(" " + lower_case(name) + " ") != names.npos;
}

// Names in blanks.
constexpr std::string_view kColumns =
    " x xc lon longitude easting col column columns sample samples nx width crosstrack ";
constexpr std::string_view kRows = " y yc lat latitude northing row rows line lines ny height downtrack ";

bool is_of(GDALDataset& dataset, const char* driver) { return EQUAL(dataset.GetDriverName(), driver); }

// The only array of three dimensions in a store of Zarr, which GDAL opens without bands: those in groups, such as
// pyramids of overviews, count where there is none outside of them.
std::string only_cube(const GDALGroup& group, const std::string& store) {
  const auto is_cube = [](const Array& array) { return array->GetDimensionCount() == 3; };
  auto cubes = filtered(arrays_in(group, kDeepest), is_cube);
  cubes = cubes.empty() ? filtered(arrays_in(group), is_cube) : cubes;
  if (cubes.size() > 1) {
    const auto path = [&](const Array& array) { return store + array->GetFullName(); };
    throw DataError(store + " has several arrays of three dimensions; name one: " + separated(cubes, ", ", path));
  }
  return cubes.empty() ? "" : cubes.front()->GetFullName();
}

// The file and the variable of a dataset that the driver netCDF, HDF5Image or Zarr has opened: NETCDF:"file":variable,
// HDF5:"file"://variable, ZARR:"file":/variable, or a file.
std::pair<std::string, std::string> parts_of(GDALDataset& dataset) {
  std::string name = dataset.GetDescription();
  if (STARTS_WITH_CI(name.c_str(), "NETCDF:") || STARTS_WITH_CI(name.c_str(), "HDF5:") ||
      STARTS_WITH_CI(name.c_str(), "ZARR:")) {
    name.erase(0, name.find(':') + 1);
    std::erase(name, '"');
    const std::size_t colon = name.rfind(':');
    const std::string variable = colon == std::string::npos ? "" : name.substr(colon + 1);
    return {name.substr(0, colon), variable.starts_with("//") ? variable.substr(1) : variable};
  }
  return {name, dataset.GetRasterCount() > 0 ? metadata_item(*dataset.GetRasterBand(1), "NETCDF_VARNAME") : ""};
}

// Where the bands are known by their number alone, which is that of rows or columns as well, they are not known.
void forget_ambiguous(Cube& cube) {
  const auto same = [&](const Dimension& other) {
    return is_unnamed(*cube.dimensions[*cube.spectral]) &&
           other->GetSize() == cube.dimensions[*cube.spectral]->GetSize();
  };
  if (cube.spectral && std::ranges::count_if(cube.dimensions, same) > 1) {
    cube.spectral.reset();
  }
}

std::optional<Cube> cube_of(GDALDataset& dataset) {
  const bool zarr = is_of(dataset, "Zarr");
  if (!is_of(dataset, "netCDF") && !zarr && !is_of(dataset, "HDF5Image")) {
    return std::nullopt;
  }
  const ErrorCollector ignored;
  auto [file, variable] = parts_of(dataset);
  Cube cube;
  // Not by GDAL's driver HDF5, which mixes up values that are read in another order than they are stored.
  const std::string store = zarr ? file : "NETCDF:\"" + file + "\"";
  cube.whole.reset(GDALDataset::Open(store.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY));
  const auto root = cube.whole == nullptr ? nullptr : cube.whole->GetRootGroup();
  variable = root != nullptr && zarr && dataset.GetRasterCount() == 0 ? only_cube(*root, file) : variable;
  // GDAL names the only variable of a file without its group.
  cube.array = root == nullptr || variable.empty() ? nullptr : root->ResolveMDArray(variable, "");
  if (cube.array == nullptr) {
    return std::nullopt;
  }
  cube.dimensions = cube.array->GetDimensions();
  for (std::size_t i = 0; i < cube.dimensions.size(); ++i) {
    // A name says more than the type of an axis, which programs derive from the order, and a wavelength is no axis.
    const GDALDimension& dimension = *cube.dimensions[i];
    if (is_called(dimension.GetName(), kColumns)) {
      cube.x = i;
    } else if (is_called(dimension.GetName(), kRows)) {
      cube.y = i;
    } else if (auto values = wavelengths_along(*root, *cube.array, dimension); !cube.spectral && !values.empty()) {
      cube.spectral = i;
      cube.wavelengths = std::move(values);
    } else if (dimension.GetType() == GDAL_DIM_TYPE_HORIZONTAL_X) {
      cube.x = cube.x.value_or(i);
    } else if (dimension.GetType() == GDAL_DIM_TYPE_HORIZONTAL_Y) {
      cube.y = cube.y.value_or(i);
    }
  }
  forget_ambiguous(cube);
  return cube;
}

// Beside a wavelength, the other two of three dimensions are rows and columns.
void complete(Cube& cube) {
  if (cube.dimensions.size() != 3 || !cube.spectral) {
    return;
  }
  std::vector<std::size_t> others = {0, 1, 2};
  std::erase(others, *cube.spectral);
  cube.x = cube.x.value_or(cube.y == others[1] ? others[0] : others[1]);
  cube.y = cube.y.value_or(cube.x == others[0] ? others[1] : others[0]);
}

// GDAL's driver netCDF turns the rows upside down where it knows no coordinates that say which of them is in the north,
// such as those of a rotated pole: it writes them so itself, and then says that it did. Others begin with the first
// row, as in the other orders of dimensions.
bool is_turned(GDALDataset& dataset) {
  std::array<double, 6> transform{};
  return dataset.GetGeoTransform(transform.data()) != CE_None && dataset.GetMetadataItem("NC_GLOBAL#GDAL") == nullptr;
}

// GDAL compares only a few coordinates with even spacing, and a gap, as where parts of a scene were joined, would move
// all pixels behind it. Longitudes may begin again at -180 or 0.
void check_spacing(const GDALDimension& dimension, const std::string& path) {
  const Array array = dimension.GetIndexingVariable();
  const auto at =
      array == nullptr ? std::vector<double>{} : numbers_of(*array, static_cast<std::size_t>(dimension.GetSize()));
  double least = HUGE_VAL;
  double most = 0;
  bool even = true;
  for (std::size_t i = 1; i < at.size(); ++i) {
    least = std::min(least, std::abs(at[i] - at[i - 1]));
    most = std::max(most, std::abs(at[i] - at[i - 1]));
    const double step = (at.back() - at.front()) / static_cast<double>(at.size() - 1);
    even = even && std::abs(at[i] - at.front() - static_cast<double>(i) * step) <= std::abs(step) / 2;
  }
  if (!even && !(most > 180 && array->GetUnit().starts_with("degree"))) {
    throw DataError(path + ": the coordinates '" + dimension.GetName() + "' are not evenly spaced but by " +
                    CPLSPrintf("%.7g to %.7g", least, most) +
                    ", so that pixels have no place on a grid; fill the gaps, or choose a part without");
  }
}

// GDAL takes coordinates as they are stored for those of the map, but for scales together with offsets in the usual
// order of dimensions, and for kilometres where the reference system is not given in WKT. `begin` and `step` are those
// of the pixels along the dimension.
void check_units(GDALDataset& grid, const GDALDimension& dimension, double begin, double step,
                 const std::string& path) {
  const Array array = dimension.GetIndexingVariable();
  if (array == nullptr) {
    return;
  }
  const auto count = static_cast<std::size_t>(dimension.GetSize());
  const auto are_at = [&](const GDALMDArray& coordinates) {
    const std::vector<double> at = numbers_of(coordinates, count);
    const double end = begin + static_cast<double>(count) * step;
    return !at.empty() && std::abs(std::min(at.front(), at.back()) - std::min(begin, end)) < std::abs(step) &&
           std::abs(std::max(at.front(), at.back()) - std::max(begin, end)) < std::abs(step);
  };
  if (are_at(*array) && !are_at(*array->GetUnscaled())) {
    throw DataError(path + ": the coordinates '" + dimension.GetName() +
                    "' have a scale_factor or add_offset, which GDAL does not apply here; store the coordinates "
                    "themselves");
  }
  const OGRSpatialReference* crs = grid.GetSpatialRef();
  const std::string unit = array->GetUnit();
  if ((unit == "km" || unit.starts_with("kilomet")) && crs != nullptr && crs->IsProjected() &&
      crs->GetLinearUnits() < 999) {
    throw DataError(path + ": the coordinates '" + dimension.GetName() + "' are in " + unit +
                    ", but the reference system counts in units of " + CPLSPrintf("%.7g", crs->GetLinearUnits()) +
                    " m; store both in the same unit");
  }
}

// The wavelength of each band: bands go over all other dimensions, of which the last is the fastest.
std::vector<double> of_bands(const Cube& cube, std::size_t bands, std::size_t x, std::size_t y) {
  if (!cube.spectral || cube.spectral == x || cube.spectral == y) {
    return {};
  }
  std::size_t step = 1;
  for (std::size_t i = *cube.spectral + 1; i < cube.dimensions.size(); ++i) {
    step *= i == x || i == y ? 1 : static_cast<std::size_t>(cube.dimensions[i]->GetSize());
  }
  return mapped<double>(consecutive(static_cast<Index>(bands)), [&](Index b) {
    return cube.wavelengths[static_cast<std::size_t>(b) / step % cube.wavelengths.size()];
  });
}

// Of the dataset of a cube with one dimension of bands, or none. `same_rows` as in GdalCube.
DatasetPtr with_reader(DatasetPtr dataset, Cube& cube, std::size_t x, std::size_t y, bool same_rows) {
  GdalCube array{nullptr, cube.array, x, y, std::nullopt, same_rows};
  for (std::size_t i = 0; i < cube.dimensions.size(); ++i) {
    if (i != x && i != y && cube.dimensions[i]->GetSize() > 1 && std::exchange(array.band, i)) {
      return dataset;
    }
  }
  array.file = std::move(cube.whole);
  return read_at_once(std::move(dataset), std::move(array));
}

// NEON states the place of its arrays in a text, for grid_of().
void take_place(const Cube& cube, GDALDataset& oriented) {
  const std::string group = CPLGetPath(cube.array->GetFullName().c_str());
  const Array place = cube.whole->GetRootGroup()->ResolveMDArray("Map_Info", group);
  if (place != nullptr && place->GetDataType().GetClass() == GEDTC_STRING && place->GetTotalElementsCount() == 1) {
    char* text = nullptr;
    const GUInt64 first = 0;
    const std::size_t one = 1;
    place->Read(&first, &one, nullptr, nullptr, GDALExtendedDataType::CreateString(), &text);
    oriented.GetRasterBand(1)->SetMetadataItem("Map_Info", text, "ENVI");
    CPLFree(text);
  }
}

}  // namespace

DatasetPtr oriented_cube(DatasetPtr dataset, const std::string& path) {
  std::optional<Cube> cube = cube_of(*dataset);
  const std::size_t count = cube ? cube->dimensions.size() : 0;
  if (count < 2) {
    return dataset;
  }
  complete(*cube);
  const std::size_t last = count - 1;
  const auto check_grid = [&](GDALDataset& grid) {
    if (std::array<double, 6> transform{}; grid.GetGeoTransform(transform.data()) == CE_None) {
      const GDALDimension& x = *cube->dimensions[cube->x.value_or(last)];
      const GDALDimension& y = *cube->dimensions[cube->y.value_or(last - 1)];
      check_spacing(x, path);
      check_spacing(y, path);
      check_units(grid, x, transform[0], transform[1], path);
      check_units(grid, y, transform[3], transform[5], path);
    }
  };
  // The driver takes the last two for rows and columns, which holds where nothing says otherwise.
  if (cube->x.value_or(last) == last && cube->y.value_or(last - 1) == last - 1) {
    if (is_of(*dataset, "HDF5Image") || (!is_of(*dataset, "Zarr") && !is_turned(*dataset))) {
      check_grid(*dataset);
      return dataset->GetRasterCount() > 1 ? with_reader(std::move(dataset), *cube, last, last - 1, false)
                                           : std::move(dataset);
    }
    cube->x = last;
    cube->y = last - 1;
  }
  const ErrorCollector errors;
  const std::string file = parts_of(*dataset).first;
  DatasetPtr oriented(cube->x && cube->y ? cube->array->AsClassicDataset(*cube->x, *cube->y) : nullptr);
  if (oriented == nullptr) {
    const std::string names = separated(cube->dimensions, ", ", [](const Dimension& dimension) {
      return dimension->GetName() + " (" + std::to_string(dimension->GetSize()) + ")";
    });
    throw DataError(path + ": the variable '" + cube->array->GetName() + "' has the dimensions " + names +
                    "; which of them are rows, columns and bands is not known: call them y, x and wavelength (or lat "
                    "and lon), or bring them into the order of bands, rows and columns");
  }
  check_grid(*oriented);
  const auto wavelengths = of_bands(*cube, static_cast<std::size_t>(oriented->GetRasterCount()), *cube->x, *cube->y);
  set_wavelengths(*oriented, mapped<Band>(wavelengths, [](double wavelength) { return Band{{}, wavelength}; }));
  // NEON states what values are divided by. The file of the dataset is known by its description.
  oriented->GetRasterBand(1)->SetMetadataItem("reflectance_scale_factor",
                                              attribute(*cube->array, "Scale_Factor").c_str(), "ENVI");
  take_place(*cube, *oriented);
  oriented->SetDescription(file.c_str());
  return with_reader(std::move(oriented), *cube, *cube->x, *cube->y, true);
}

// The name of a variable of one band; that and the date of each of several bands, whose times GDAL states with them;
// nothing for other variables.
static std::vector<std::string> names_of_bands(GDALDataset& variable, const std::string& name) {
  if (variable.GetRasterCount() == 1) {
    // Band1 of GDAL and band_1 of rioxarray are numbers, beside which a title may be that of the band.
    const bool numbered = lower_case(name).starts_with("band") && name.find_first_not_of("_0123456789", 4) == name.npos;
    const std::string title = numbered ? metadata_item(*variable.GetRasterBand(1), "long_name") : name;
    return {title.starts_with("GDAL Band") ? "" : title};
  }
  const std::string time = separated(list_members(metadata_item(variable, "NETCDF_DIM_EXTRA")), ",");
  const std::string unit = metadata_item(variable, (time + "#units").c_str());
  const std::string calendar = metadata_item(variable, (time + "#calendar").c_str());
  const std::size_t since = std::min(unit.find(" since "), unit.size());
  static const std::map<std::string, double> kSeconds{
      {"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
  const auto seconds = kSeconds.find(unit.substr(0, since));
  OGRField start{};
  if (!is_called(calendar, "  standard gregorian proleptic_gregorian ") || seconds == kSeconds.end() ||
      since == unit.size() || OGRParseDate(unit.substr(since + 7).c_str(), &start, 0) == 0) {
    return {};
  }
  const double begin = 3600.0 * start.Date.Hour + 60.0 * start.Date.Minute + start.Date.Second;
  const std::chrono::sys_days first = std::chrono::year(start.Date.Year) / start.Date.Month / start.Date.Day;
  return mapped<std::string>(variable.GetBands(), [&](GDALRasterBand* band) {
    const double value = CPLAtof(metadata_item(*band, ("NETCDF_DIM_" + time).c_str()).c_str());
    const double days = std::floor((begin + value * seconds->second) / 86400);
    const std::chrono::year_month_day date(first + std::chrono::days(std::lround(days)));
    return name + CPLSPrintf(" %04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                             static_cast<unsigned>(date.day()));
  });
}

DatasetPtr joined_variables(DatasetPtr dataset, const std::string& path) {
  if (!(is_of(*dataset, "netCDF") || is_of(*dataset, "Zarr")) || dataset->GetRasterCount() > 0) {
    return dataset;
  }
  std::vector<Variable> variables;
  std::vector<std::string> sources = subdataset_names(*dataset);
  if (is_of(*dataset, "Zarr")) {
    // They are in the order of the files in the folder, which is any. Band10 comes behind Band2.
    std::ranges::sort(sources, {}, [](const std::string& source) { return std::pair(source.size(), source); });
  }
  for (const std::string& source : sources) {
    const ErrorCollector ignored;
    DatasetPtr variable(GDALDataset::Open(source.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
    std::string called = variable == nullptr ? "" : parts_of(*variable).second;
    called.erase(0, called.find_first_not_of('/'));  // as /B02 of Zarr
    if (called.empty() || is_called(called, " lat lon latitude longitude x y ")) {
      continue;
    }
    std::vector<std::string> names = names_of_bands(*variable, called);
    if (names.empty()) {
      return dataset;
    }
    variable = oriented_cube(std::move(variable), source);
    RasterGrid grid = grid_of(*variable);
    variables.push_back({source, std::move(variable), std::move(names), std::move(grid)});
  }
  const auto is_placed = [](const Variable& variable) { return variable.grid.geotransform.has_value(); };
  if (std::ranges::any_of(variables, is_placed)) {
    std::erase_if(variables, std::not_fn(is_placed));
  }
  if (variables.empty()) {
    return dataset;
  }
  std::vector<DatasetPtr> datasets;
  std::vector<std::string> names;
  for (Variable& variable : variables) {
    check_same_grid(variable.grid, variable.source, variables.front().grid, variables.front().source,
                    path +
                        " holds no raster bands; name one of its subdatasets, or bring all to one grid (gdalwarp -tr) "
                        "and stack them (gdal_merge.py -separate)");
    datasets.push_back(std::move(variable.dataset));
    add_all(names, variable.names);
  }
  return joined_bands(std::move(datasets), names, dataset->GetDescription());
}

std::vector<double> cube_wavelengths(GDALDataset& dataset) {
  const std::optional<Cube> cube = cube_of(dataset);
  const std::size_t count = cube ? cube->dimensions.size() : 0;
  return count < 3 ? std::vector<double>{}
                   : of_bands(*cube, static_cast<std::size_t>(dataset.GetRasterCount()), count - 1, count - 2);
}

}  // namespace parsimap
