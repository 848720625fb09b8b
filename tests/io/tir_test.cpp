// Tyre property files: units, versions, gaps, and what is refused.

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "io/tire/tir.h"
#include "support/paths.h"
#include "support/reference_files.h"

namespace monocoque::io {
namespace {

const std::string kFolder = source_dir() + "/models/tires/";

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

/// The line of the touring tyre that begins with the key, replaced.
std::string touring_with(const std::string& key, const std::string& line) {
  std::string text = text_of(kFolder + "touring.tir");
  const std::size_t begin = text.find("\n" + key + " ") + 1, end = text.find('\n', begin);
  EXPECT_NE(begin, 0u) << key;
  return text.replace(begin, end - begin, line);
}

std::string tir_complaint(const std::string& text) {
  try {
    read_tir_text(text, "x.tir");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Tir, ReadsAFileOfMf61) {
  const TirFile f = read_tir(kFolder + "touring.tir");
  EXPECT_EQ(f.fittyp, 61);
  EXPECT_EQ(f.version, TirVersion::mf61);
  EXPECT_EQ(f.side, TireSide::left);
  EXPECT_EQ(f.values.PKY1, -19.2);
  EXPECT_EQ(f.values.UNLOADED_RADIUS, 0.319);
  EXPECT_TRUE(f.given("QSX11"));
  EXPECT_EQ(f.entries.at("PCX1").section, "LONGITUDINAL_COEFFICIENTS");
  EXPECT_FALSE(f.given("MASS")) << "the unit of mass is no mass";
  EXPECT_TRUE(f.warnings.list().empty()) << f.warnings.text();
  // QSX12 to QSX14 are left out and used.
  ASSERT_EQ(f.assumed.size(), 3u);
  EXPECT_EQ(f.assumed[0].line(), "assumed: QSX12 = 0 because the file leaves it out");
}

TEST(Tir, UnitsBecomeSi) {
  const TirFile f = read_tir(kFolder + "van.tir");
  EXPECT_EQ(f.version, TirVersion::mf52);
  EXPECT_DOUBLE_EQ(f.values.UNLOADED_RADIUS, 0.326);
  EXPECT_DOUBLE_EQ(f.values.VERTICAL_STIFFNESS, 260e3);
  EXPECT_DOUBLE_EQ(f.values.VERTICAL_DAMPING, 400);
  EXPECT_DOUBLE_EQ(f.values.LONGVL, 16.7);
  EXPECT_NEAR(f.values.ALPMAX, 80 * 0.017453292519943295, 1e-15);
  EXPECT_EQ(f.values.PKY1, -19.2) << "coefficients have no unit";
  ASSERT_EQ(f.deflection_load[0].size(), 5u);
  EXPECT_DOUBLE_EQ(f.deflection_load[0][2], 0.012);
  EXPECT_EQ(f.deflection_load[1][2], 2900);
  EXPECT_EQ(f.tables.at("SHAPE").size(), 3u);
}

TEST(Tir, PressureHasItsOwnUnitOrThatOfForceAndLength) {
  std::string text = replaced(text_of(kFolder + "touring.tir"), "TIME                 = 'second'",
                              "TIME = 'second'\nPRESSURE = 'bar'");
  for (const char* number : {"232000", "220000", "140000", "340000"})
    text = replaced(text, number, std::string(number, 1) + "." + std::string(number + 1, 2));
  EXPECT_NEAR(read_tir_text(text, "x.tir").values.INFLPRES, 232000, 1e-9);
}

TEST(Tir, KeysOfAnyCaseCommentsQuotesAndLineEnds) {
  std::string text = text_of(kFolder + "touring.tir");
  text = replaced(text, "PCX1                 = 1.59", "  pcx1=+1.59d0 $ with = and 'quotes'");
  text = replaced(text, "PDX1                 = 1.11", "! PDX1 = 7\nPDX1 = 1.11! text");
  text = replaced(text, "[MODEL]", "[Model]  $ section");
  std::string windows;
  for (char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& t : {text, windows}) {
    const TirFile f = read_tir_text(t, "x.tir");
    EXPECT_EQ(f.values.PCX1, 1.59);
    EXPECT_EQ(f.values.PDX1, 1.11);
    EXPECT_EQ(f.entries.at("FITTYP").section, "MODEL");
  }
}

TEST(Tir, VersionsByFittyp) {
  const std::pair<int, TirVersion> list[] = {
      {5, TirVersion::mf52},  {6, TirVersion::mf52},  {21, TirVersion::mf52}, {52, TirVersion::mf61},
      {60, TirVersion::mf61}, {61, TirVersion::mf61}, {62, TirVersion::mf62}};
  for (const auto& [number, version] : list)
    EXPECT_EQ(read_tir_text(touring_with("FITTYP", "FITTYP = " + std::to_string(number)), "x.tir").version,
              version);
  EXPECT_TRUE(contains(tir_complaint(touring_with("FITTYP", "FITTYP = 7")),
                       "x.tir:14: MODEL: FITTYP is 7, it must be 5, 6"));
  EXPECT_TRUE(contains(tir_complaint(touring_with("FITTYP", "$")), "FITTYP is missing"));
}

TEST(Tir, UnknownKeysAreKeptAndHintedAt) {
  const TirFile f = read_tir_text(touring_with("PVX2", "PVX22 = 3\nPKX33 = 'text'"), "x.tir");
  EXPECT_EQ(f.entries.at("PVX22").number, 3);
  const std::string w = f.warnings.text();
  EXPECT_TRUE(contains(w, "PVX22 is unknown and not used; did you mean 'PVX2'?")) << w;
  EXPECT_TRUE(contains(w, "PKX33 is unknown and not used; did you mean 'PKX3'?")) << w;
  EXPECT_EQ(f.assumed.front().key, "PVX2");
}

TEST(Tir, GapsAreFilledAndReported) {
  const TirFile f =
      read_tir_text(replaced(touring_with("INFLPRES", "$"), "LATERAL_STIFFNESS    = 121000", "$"), "x.tir");
  EXPECT_EQ(f.values.INFLPRES, 220000);
  EXPECT_EQ(f.assumed.front().line(),
            "assumed: INFLPRES = 220000 because the file leaves it out (NOMPRES is taken)");
  EXPECT_EQ(f.values.LATERAL_STIFFNESS, 100000);
}

TEST(Tir, NumbersThatNothingUsesAreListed) {
  const std::string text =
      touring_with("LMY", "LMY = 1\nLGYR = 1.2\nLGAX = 0.9\nLMUV = 0.1\nLCZ = 1.1\nFREQ_LONG = 77");
  EXPECT_EQ(
      read_tir_text(text, "x.tir").unused,
      (std::vector<std::string>{"FILE_VERSION", "ASPECT_RATIO", "RIM_WIDTH", "FREQ_LONG", "LGAX", "LGYR"}));
}

TEST(Tir, AbsurdValuesAreRefusedWithPlaceValueRuleAndRemedy) {
  const std::pair<const char*, const char*> list[] = {{"FNOMIN", "FNOMIN = -3"},
                                                      {"FNOMIN", "FNOMIN = 0"},
                                                      {"UNLOADED_RADIUS", "UNLOADED_RADIUS = 0"},
                                                      {"KPUMIN", "KPUMIN = 2"},
                                                      {"ALPMIN", "ALPMIN = 1.4"},
                                                      {"CAMMIN", "CAMMIN = 1"},
                                                      {"FZMIN", "FZMIN = 2e4"},
                                                      {"PRESMIN", "PRESMIN = 9e5"},
                                                      {"PCY1", "PCY1 = nan"},
                                                      {"PCY1", "PCY1 = inf"},
                                                      {"PCY1", "PCY1 = 1e400"},
                                                      {"PCY1", "PCY1 = much"},
                                                      {"PCY1", "PCY1 = 'text'"},
                                                      {"PCY1", "PCY1 = "},
                                                      {"PCY1", "PCY1"},
                                                      {"PCY1", "PCY1 = 1.2 1.3"},
                                                      {"PCY1", "PCY1 = 1\nPCY1 = 2"},
                                                      {"PCY1", "PCY1 = 1e13"},
                                                      {"TYRESIDE", "TYRESIDE = 'UP'"},
                                                      {"LENGTH", "LENGTH = 'parsec'"},
                                                      {"PKY2", "PKY2 = 0"},
                                                      {"Q_FZ2", "Q_FZ2 = 99"},
                                                      {"RIM_RADIUS", "RIM_RADIUS = 1"},
                                                      {"VXLOW", "VXLOW = 0"},
                                                      {"PCY1", "[PCY1 = 1"},
                                                      {"PKY1", "$"},
                                                      {"QDZ1", "$"},
                                                      {"UNLOADED_RADIUS", "$"}};
  for (const auto& [key, line] : list) {
    const std::string text = tir_complaint(touring_with(key, line));
    EXPECT_TRUE(contains(text, "x.tir")) << line << ": " << text;
    EXPECT_TRUE(contains(text, std::string(key))) << line << ": " << text;
    EXPECT_TRUE(contains(text, ";")) << "no remedy: " << text;
    EXPECT_FALSE(contains(text, "\n")) << "one fault, one line: " << text;
  }
  EXPECT_EQ(tir_complaint(touring_with("FNOMIN", "FNOMIN = -3")),
            "x.tir:28: VERTICAL: FNOMIN is -3, it must be > 0; correct the value and the [UNITS]");
}

TEST(Tir, UnlikelyCoefficientsAreWarnedOf) {
  const auto warning = [](const std::string& key, const std::string& line) {
    return read_tir_text(touring_with(key, line), "x.tir").warnings.text();
  };
  EXPECT_TRUE(
      contains(warning("PDX1", "PDX1 = 1e6"), "x.tir:100: warning: PDX1 gives a friction of 1e+06 at"))
      << warning("PDX1", "PDX1 = 1e6");
  EXPECT_TRUE(
      contains(warning("PDY1", "PDY1 = 0"), "PDY1 gives a friction of 0 at the nominal load; tires have"));
  EXPECT_TRUE(
      contains(warning("PKX1", "PKX1 = -23"), "PKX1 is -23: Fx acts against the slip; it is above zero"));
  EXPECT_TRUE(
      contains(warning("PKY1", "PKY1 = 19"), "PKY1 is 19: Fy acts along the sliding; it is below zero"));
  EXPECT_EQ(warning("PDY1", "PDY1 = -0.98"), "") << "the sign of the peak cancels";
}

TEST(Tir, ACutOffFileIsRefused) {
  const std::string text = text_of(kFolder + "touring.tir");
  const std::size_t last_needed = text.find("QDZ1 ");
  for (std::size_t n = 0; n < last_needed + 22; n += 7) EXPECT_NE(tir_complaint(text.substr(0, n)), "") << n;
}

TEST(Tir, TheSameKeyTwiceWithOneValueIsOnlyAWarning) {
  const TirFile f = read_tir_text(touring_with("PCY1", "PCY1 = 1.34\nPCY1 = 1.340"), "x.tir");
  EXPECT_TRUE(contains(f.warnings.text(), "PCY1 = 1.340 stands here again"));
}

class TirReference : public testing::TestWithParam<std::string> {};

TEST_P(TirReference, IsReadWithoutComplaint) {
  const std::string file = monocoque::test::reference("tire/" + GetParam() + ".tir");
  MONOCOQUE_NEEDS(file);
  const TirFile f = read_tir(file);
  EXPECT_GT(f.entries.size(), 100u);
  for (const Diagnostic& d : f.warnings.list()) EXPECT_FALSE(contains(d.text(), "unknown")) << d.text();
}

INSTANTIATE_TEST_SUITE_P(Files, TirReference,
                         testing::Values("MFeval_MagicFormula52_Parameters",
                                         "MFeval_MagicFormula61_Parameters", "pacejka2006_205_60R15"),
                         [](const auto& info) { return info.param; });

TEST(Tir, AMissingFileIsNamed) {
  EXPECT_THROW(read_tir(kFolder + "none.tir"), Error);
}

}  // namespace
}  // namespace monocoque::io
