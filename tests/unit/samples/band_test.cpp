#include "parsimap/samples/band.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap::test {

TEST_CASE("a list of bands counts from one and joins neighbours") {
  CHECK(band_list({}).empty());
  CHECK(band_list({0}) == "1");
  CHECK(band_list({0, 1}) == "1-2");
  CHECK(band_list({2, 6, 7, 8, 11}) == "3, 7-9, 12");
}

TEST_CASE("dropped bands by reason") {
  CHECK(bands_by_reason({}).empty());
  const auto groups = bands_by_reason({{0, "constant"}, {3, "no data"}, {4, "constant"}});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0] == std::pair<std::string, Indices>{"constant", {0, 4}});
  CHECK(groups[1] == std::pair<std::string, Indices>{"no data", {3}});
}

TEST_CASE("good bands are those without a mark") {
  CHECK(good_bands({}).empty());
  CHECK(good_bands({{}, {.bad = true}, {}}) == Indices{0, 2});
}

TEST_CASE("wavelengths of bands are known for all of them or for none") {
  const BandTable table = {{.wavelength = 450}, {.wavelength = 550}, {}};
  CHECK(wavelengths_of(table, {1, 0}) == std::vector<double>{550, 450});
  CHECK(wavelengths_of(table, {0, 2}).empty());
}

TEST_CASE("the known values of a property leave out the bands without it") {
  const BandTable table = {{.wavelength = 450}, {}, {.wavelength = 550, .fwhm = 10}};
  CHECK(known_values(table, &Band::wavelength) == std::vector<double>{450, 550});
  CHECK(known_values(table, &Band::fwhm) == std::vector<double>{10});
}

TEST_CASE("wavelengths become nanometres") {
  CHECK(wavelength_nanometres(450, "Nanometers") == 450.0);
  CHECK(wavelength_nanometres(450, "nm") == 450.0);
  CHECK(*wavelength_nanometres(0.45, "Micrometers") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(0.45, "um") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(0.45, "\xc2\xb5m") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(0.45, "") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(4.5e-7, "") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(1.4e-5, "m") == doctest::Approx(14000));
  CHECK(wavelength_nanometres(2400, "Unknown") == 2400.0);
  CHECK(*wavelength_nanometres(4500, "Angstroms") == doctest::Approx(450));
  CHECK_FALSE(wavelength_nanometres(1000, "Wavenumber").has_value());
  CHECK_FALSE(wavelength_nanometres(1, "GHz").has_value());
}

namespace {

BandTable at(const std::vector<double>& wavelengths) {
  BandTable bands;
  for (const double wavelength : wavelengths) {
    bands.push_back({.wavelength = wavelength});
  }
  return bands;
}

}  // namespace

TEST_CASE("bands of one scene in another: those without a partner are reported, the others found") {
  const WantedBands wanted{at({400, 410, 430}), {2, 3, 5}, 9, "of a.tif that are used", "a.tif"};
  const BandMatch match = match_bands(wanted, at({431, 402}), "b.tif");
  CHECK(match.found == Indices{1, kNoBand, 0});
  CHECK_FALSE(match.complete());
  CHECK(matched(match) == Indices{0, 2});
  CHECK(unmatched(match) == Indices{1});
  CHECK(match.misfit ==
        "b.tif lacks 1 of the 3 bands of a.tif that are used (a band of its own within 5 nm); of a.tif these are the "
        "bands 4 (410 nm)");
  CHECK(match_bands(wanted, at({430, 410, 400}), "b.tif").complete());
}

TEST_CASE("of two bands of one wavelength the name or the place must tell which is meant") {
  const WantedBands wanted{at({400, 410}), {0, 1}, 4, "that the model uses", "the training scene"};
  const BandTable dates = at({400, 410, 400, 410});
  CHECK(match_bands(wanted, dates, "b.tif").found == Indices{0, 1});  // as many bands as in the scene of training
  const BandTable more = at({400, 410, 400, 410, 500});
  CHECK_THROWS_WITH_AS(match_bands(wanted, more, "b.tif"),
                       "b.tif has several bands of 400 nm, such as 1 and 3, and nothing tells which of them belongs to "
                       "the bands that the model uses; make a scene of those that are meant (gdal_translate -b)",
                       DataError);
  WantedBands named = wanted;
  named.bands[0].name = "blue";
  named.bands[1].name = "green";
  BandTable names = more;
  names[2].name = "blue";
  names[1].name = "green";
  CHECK(match_bands(named, names, "b.tif").found == Indices{2, 1});
  BandTable marked = more;
  marked[2].bad = marked[3].bad = true;
  CHECK(match_bands(wanted, marked, "b.tif").found == Indices{0, 1});
  // A model of both dates takes both.
  const WantedBands both{dates, {0, 1, 2, 3}, 6, "that the model uses", "the training scene"};
  CHECK(match_bands(both, more, "b.tif").found == Indices{0, 1, 2, 3});
}

TEST_CASE("another number of bands finds none of them") {
  const WantedBands wanted{BandTable(2), {0, 3}, 4, "of a.tif that are used", "a.tif"};
  const BandMatch match = match_bands(wanted, BandTable(5), "b.tif");
  CHECK(matched(match).empty());
  CHECK(match.misfit ==
        "b.tif has 5 bands, but a.tif has 4 bands; without wavelengths or names in both they must be the same bands");
  CHECK(match_bands(wanted, BandTable(4), "b.tif").found == Indices{0, 3});
}

TEST_CASE("bands are found by names in upper and lower case, where only one is meant") {
  const auto named = [](const std::vector<std::string>& names) {
    return mapped<Band>(names, [](const std::string& name) { return Band{name}; });
  };
  const WantedBands wanted{named({"b1", "b2"}), {0, 1}, 2, "that the model uses", "the training scene"};
  CHECK(match_bands(wanted, named({"B2", "x", "B1"}), "b.tif").found == Indices{2, 0});
  CHECK_FALSE(match_bands(wanted, named({"B2", "B1", "B1"}), "b.tif").complete());
  const WantedBands both{named({"b", "B"}), {0, 1}, 2, "that the model uses", "the training scene"};
  CHECK(match_bands(both, named({"B", "b"}), "b.tif").found == Indices{1, 0});
  CHECK_FALSE(match_bands(both, named({"b", "c"}), "b.tif").complete());
  // Names in other case do not contradict wavelengths.
  WantedBands waves = wanted;
  waves.bands[0].wavelength = 450;
  waves.bands[1].wavelength = 550;
  BandTable offered = named({"B1", "B2"});
  offered[0].wavelength = 450;
  offered[1].wavelength = 550;
  CHECK(match_bands(waves, offered, "b.tif").note.empty());
}

TEST_CASE("bands are not taken by position where one side alone has another order") {
  const auto table = [](std::vector<std::string> names, const std::vector<double>& wavelengths) {
    BandTable bands(3);
    for (std::size_t i = 0; i < names.size(); ++i) {
      bands[i].name = names[i];
    }
    for (std::size_t i = 0; i < wavelengths.size(); ++i) {
      bands[i].wavelength = wavelengths[i];
    }
    return bands;
  };
  const auto match = [](const BandTable& own, const BandTable& offered, bool by_position = false) {
    WantedBands wanted{own, {0, 1, 2}, 3, "that the model uses", "the training scene"};
    wanted.by_position = by_position;
    return match_bands(wanted, offered, "b.tif");
  };
  const BandTable none = table({}, {});
  const BandTable waves = table({}, {450, 550, 650});
  const BandTable named = table({"B1", "B10", "B2"}, {});
  const BandMatch plain = match(none, none);
  CHECK(plain.found == Indices{0, 1, 2});
  CHECK(plain.note.starts_with("the bands of b.tif are taken by their position"));
  // Wavelengths of one side alone are said with both lists.
  CHECK(match(waves, none).found == Indices{0, 1, 2});
  CHECK(match(waves, none).note.find("1 (450 nm), 2 (550 nm), 3 (650 nm); bands of b.tif: 1, 2, 3;") !=
        std::string::npos);
  CHECK(match(none, waves).by_position);
  // Names that are there several times are in the same order where each band has the name of the other at its place.
  const BandTable repeated = table({"B2", "B3", "B2"}, {});
  CHECK(match(repeated, repeated).found == Indices{0, 1, 2});
  CHECK(match(repeated, repeated).by_position);
  CHECK(match(repeated, table({"B3", "B2", "B2"}, {})).misfit.starts_with("b.tif and the training scene do not both"));
  CHECK_FALSE(match(table({"red", "nir", "red"}, {}), table({"nir", "red", "red"}, {})).complete());
  CHECK(match(table({"red", "nir", "red"}, {}), table({"a", "b", "a"}, {})).by_position);
  const WantedBands two{{repeated[1], repeated[2]}, {1, 2}, 3, "that the model uses", "the training scene"};
  CHECK(match_bands(two, repeated, "b.tif").found == Indices{1, 2});
  CHECK(match_bands(two, table({"B2", "B2", "B3"}, {}), "b.tif").misfit.starts_with("b.tif has 2 bands named 'B2'"));
  const BandTable mixed = table({}, {450, 1000, 500});
  for (const auto& [own, offered] : {std::pair(mixed, none),
                                     {none, mixed},
                                     {none, named},
                                     {named, none},
                                     {waves, named},
                                     {waves, table({"B8A", "B11", "B2"}, {})}}) {
    const BandMatch refused = match(own, offered);
    CHECK(refused.misfit.find("--bands-by-position") != std::string::npos);
    CHECK(matched(refused).empty());
    CHECK(match(own, offered, true).found == Indices{0, 1, 2});
  }
  // Wavelengths of both decide; names that contradict them are said.
  const BandTable both = table({"B1", "B2", "B3"}, {450, 550, 650});
  CHECK(match(both, both).note.empty());
  const BandMatch contradicted = match(both, table({"B1", "B3", "B2"}, {450, 550, 650}));
  CHECK(contradicted.found == Indices{0, 1, 2});
  CHECK(contradicted.note.find("band 2 (550 nm) is called 'B3' and taken for 'B2' of the training scene") !=
        std::string::npos);
  CHECK(match(both, table({"B1", "B2", "B4"}, {450, 550, 650})).note.empty());
  // Names that both have decide, whatever their order and the wavelengths of one side.
  CHECK(match(table({"B1", "B2", "B10"}, {450, 550, 650}), named).found == Indices{0, 2, 1});
  CHECK(match(table({"B1", "B2", "B10"}, {}), named).note.empty());
  // Names in no other order than that of their numbers contradict nothing.
  for (const BandTable& numbered :
       {table({"B1", "B2", "B3"}, {}), table({"Band 07", "Band 08", "Band 09"}, {}), table({"B2", "B3", "B4a"}, {}),
        table({"B8", "B8A", "B9"}, {}), table({"blue", "green", "red"}, {})}) {
    CHECK(match(numbered, none).found == Indices{0, 1, 2});
    CHECK(match(none, numbered).by_position);
  }
  CHECK_FALSE(match(table({"B1", "B2", "B3"}, {}), named).complete());
  CHECK(match(table({"B1", "B2", "B3"}, {}), named, true).found == Indices{0, 1, 2});
}

}  // namespace parsimap::test
