// Reading of OpenCRG files: what is understood, and what is said about damage.

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/files/text_source.h"
#include "io/road/opencrg.h"
#include "support/reference_files.h"

namespace monocoque::io {
namespace {

const std::string kHeader =
    "$CT\nA road\n$\n"
    "$ROAD_CRG   ! parameters\n"
    "* a comment\n"
    "Reference_Line_Increment = 0.5   ! m\n"
    "LONG_SECTION_V_RIGHT = -1\nLONG_SECTION_V_LEFT = 1\n"
    "$!****\n";

std::string definition(const std::string& format,
                       const std::string& columns = "D:long section 1,m\nD:long section 2,m\n") {
  return "$KD_Definition\n#:" + format + "\nU:reference line u,m,0,1\n" + columns + "$\n$$$$$$$$10$$$$\n";
}

std::string crg_complaint(const std::string& text, const std::string& file = "a.crg") {
  try {
    read_crg_text(text, file);
  } catch (const Error& e) {
    return e.what();
  }
  return "no complaint";
}

#define EXPECT_COMPLAINT(text, part) \
  EXPECT_NE(crg_complaint(text).find(part), std::string::npos) << crg_complaint(text)

/// Binary data, filled up with missing numbers to records of 80 bytes.
template <class Bits, class Number>
std::string big_end_first(std::vector<double> values) {
  while (values.size() * sizeof(Bits) % 80 != 0) values.push_back(std::nan(""));
  std::string s;
  for (const double v : values) {
    const Bits bits = std::bit_cast<Bits>(static_cast<Number>(v));
    for (int shift = static_cast<int>(8 * sizeof(Bits)) - 8; shift >= 0; shift -= 8)
      s += static_cast<char>(static_cast<unsigned char>(bits >> shift));
  }
  return s;
}

TEST(OpenCrg, ReadsTheFourFormatsAlike) {
  const std::vector<double> z{0.25, 0.5, 0.125, -0.75, 1, 2};
  const CrgFile a = read_crg_text(
      kHeader + definition("LRFI") + " 0.2500000 0.5000000\n 0.1250000-0.7500000\n 1.0       2.0\n", "a");
  const CrgFile b = read_crg_text(
      kHeader + definition("LDFI") +
          "                0.25                 0.5\r\n               0.125              -75d-2\r\n"
          "                   1                   2\r\n",
      "b");
  for (const CrgFile& f :
       {a, b, read_crg_text(kHeader + definition("KRBI") + big_end_first<std::uint32_t, float>(z), "c"),
        read_crg_text(kHeader + definition("KDBI") + big_end_first<std::uint64_t, double>(z), "d")}) {
    EXPECT_EQ(f.rows, 3u) << f.file;
    EXPECT_EQ(f.z, z) << f.file;
    EXPECT_EQ(f.v, (std::vector<double>{-1, 1}));
    EXPECT_EQ(f.header.increment, 0.5);
    EXPECT_EQ(f.comment, "A road");
    EXPECT_FALSE(f.modifiers);
    EXPECT_TRUE(f.warnings.empty());
  }
}

TEST(OpenCrg, SortsSectionsAndWrapsLongRows) {
  std::string columns;
  for (int j = 9; j >= 1; --j) columns += fmt::format("D:long section at v = {},m\n", j);
  std::string data;
  for (int i = 0; i < 2; ++i) {
    for (int j = 9; j >= 2; --j) data += fmt::format("{:10}", j + 10 * i);
    data += i == 0 ? "\n *missing*\n" : "\n        11\n";
  }
  const CrgFile f = read_crg_text(kHeader + definition("LRFI", columns) + data, "a");
  ASSERT_EQ(f.v.size(), 9u);
  EXPECT_TRUE(f.explicit_v);
  EXPECT_EQ(f.v.front(), 1);
  EXPECT_TRUE(std::isnan(f.z[0]));
  EXPECT_EQ(f.z[8], 9);
  EXPECT_EQ(f.z[9], 11);
}

TEST(OpenCrg, ReadsOptionsModifiersAndUnknownKeys) {
  const CrgFile f = read_crg_text(
      kHeader +
          "$ROAD_CRG_OPTS\n border_mode_u = 3\nBORDER_OFFSET_V = -0.5\nREFLINE_CONTINUATION = 1\n"
          "WARN_MSGS = -1\nNEW_OPTION = 3\n$\n$ROAD_CRG_MODS\nSCALE_LENGTH = 2\nGRID_NAN_MODE = 1\n$\n"
          "$ROAD_CRG_MPRO\nPROJ_NM = UTM\n$\n" +
          definition("LRFI") + "       0.1       0.2\n       0.1       0.2\n",
      "a");
  EXPECT_EQ(f.options.border_mode_u, 3);
  EXPECT_EQ(f.options.border_offset_v, -0.5);
  EXPECT_TRUE(f.options.close_track);
  ASSERT_TRUE(f.modifiers);
  EXPECT_EQ(f.modifiers->scale_length, 2);
  EXPECT_EQ(f.modifiers->nan_mode, 1);
  ASSERT_EQ(f.warnings.size(), 1u);
  EXPECT_NE(f.warnings[0].problem.find("NEW_OPTION"), std::string::npos);
}

TEST(OpenCrg, SaysWhatIsWrongAndWhere) {
  const std::string rows = "       0.1       0.2\n       0.1       0.2\n", text = definition("LRFI") + rows;
  EXPECT_COMPLAINT("", "a.crg: the line $$ that divides header and data is missing");
  EXPECT_COMPLAINT("no road at all\n", "is missing");
  EXPECT_COMPLAINT(kHeader, "$$");
  EXPECT_COMPLAINT("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = x1\n$\n" + text,
                   "a.crg:2: REFERENCE_LINE_INCREMENT is 'x1', that is no number");
  EXPECT_COMPLAINT("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = nan\n$\n" + text, "a.crg:2:");
  EXPECT_COMPLAINT("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1e300\n$\n" + text,
                   "a.crg:2: REFERENCE_LINE_INCREMENT is 1e+300");
  for (const char* step : {"0", "-1", "1e-9", "1e8"})
    EXPECT_COMPLAINT(fmt::format("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = {}\n$\n{}", step, text),
                     "it must be within");
  EXPECT_COMPLAINT("$ROAD_CRG\n$\n" + text, "REFERENCE_LINE_INCREMENT is missing");
  EXPECT_COMPLAINT("$ROAD_CRG\nhello\n$\n" + text, "a.crg:2: 'hello' is no assignment");
  EXPECT_COMPLAINT(kHeader + definition("XXXX") + rows, "the format of the data is 'XXXX'");
  EXPECT_COMPLAINT(kHeader + definition("LRFI", "D:long section 1,m\n") + rows,
                   "1 long sections, at least 2");
  EXPECT_COMPLAINT(kHeader + definition("LRFI", "D:long section 1,m\nD:long section 3,m\n") + rows,
                   "numbered 3 where 2");
  EXPECT_COMPLAINT(
      kHeader + definition("LRFI", "D:long section 1,m\nD:long section 2,mm/s\nD:long section 3,kg\n") + rows,
      "unit");
  EXPECT_COMPLAINT(
      kHeader + definition("LRFI", "D:long section at v = 1,m\nD:long section at v = 1,m\n") + rows,
      "two long sections");
  EXPECT_COMPLAINT(kHeader + definition("LRFI", "D:long section at v = 1,m\nD:long section 2,m\n") + rows,
                   "by number and by position");
  EXPECT_COMPLAINT("$ROAD_CRG_OPTS\nBORDER_MODE_U = 7\n$\n" + kHeader + text, "a.crg:2: BORDER_MODE_U is 7");
  EXPECT_COMPLAINT("$ROAD_CRG_MODS\nSCALE_WIDTH = 0\n$\n" + kHeader + text, "SCALE_WIDTH is 0");
}

TEST(OpenCrg, SaysWhereTheDataAreDamaged) {
  const std::string head = kHeader + definition("LRFI");
  const int line = static_cast<int>(std::count(head.begin(), head.end(), '\n'));
  EXPECT_COMPLAINT(head, "0 rows of data");
  EXPECT_COMPLAINT(head + "       0.1       0.2\n", "1 rows of data are there, at least 2");
  EXPECT_COMPLAINT(head + "       0.1       0.2\n       0.1\n",
                   fmt::format("a.crg:{}: row 2 ends after 1 of 2 numbers", line + 2));
  EXPECT_COMPLAINT(head + "       0.1       0.2\n       0.1       abc\n",
                   fmt::format("a.crg:{}: column 2 is 'abc'", line + 2));
  EXPECT_COMPLAINT(head + "       0.1       0.2\n       0.1      1e38\n",
                   "row 2, column 2: the height is 1e+38 m");
  EXPECT_COMPLAINT(head + " *missing* *missing*\n *missing* *missing*\n", "all numbers are missing");
  EXPECT_COMPLAINT(head + "       0.1       0.2\n *missing* *missing*\n", "the first is number 2");
  const std::string phi =
      kHeader + definition("LRFI", "D:reference line phi,rad\nD:long section 1,m\nD:long section 2,m\n");
  EXPECT_COMPLAINT(phi + "**unused**       0.1       0.2\n *missing*       0.1       0.2\n",
                   "row 2, column 1: the number of the reference line is nan");

  std::string promised = kHeader;
  promised.insert(promised.find("LONG"), "REFERENCE_LINE_END_U = 1e9\n");
  EXPECT_COMPLAINT(promised + definition("LRFI") + "       0.1       0.2\n       0.1       0.2\n",
                   "2 rows of data are there, REFERENCE_LINE_END_U");
  const std::string bytes = big_end_first<std::uint32_t, float>({0.25, 0.5, 0.125, -0.75});
  EXPECT_COMPLAINT(promised + definition("KRBI") + bytes, "ends within row 11 of 2000000001");
  std::string infinite = kHeader + definition("KRBI");
  const std::size_t at = infinite.size();
  infinite += big_end_first<std::uint32_t, float>({0.25, 0.5, 0.125, INFINITY});
  EXPECT_COMPLAINT(infinite, fmt::format("byte {}: row 2, column 2: the height is inf", at + 12));
}

class OpenCrgFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("monocoque_crg_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "data");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  static std::string complaint(const std::string& path) {
    try {
      read_crg(path);
    } catch (const Error& e) {
      return e.what();
    }
    return "no complaint";
  }
  std::filesystem::path folder_;
};

TEST_F(OpenCrgFolder, FollowsReferencesAndReplacesSections) {
  write("data/road.crg", kHeader +
                             "$ROAD_CRG_OPTS\nBORDER_MODE_U = 3\n$\n$ROAD_CRG_MODS\nSCALE_LENGTH = 2\n$\n" +
                             definition("LRFI") + "       0.1       0.2\n       0.1       0.2\n");
  const std::string path = write(
      "top.crg", "$CT\n$\n$ROAD_CRG_FILE\n* comment\n  data/ro   ! in two\n  ad.crg\n$\n$ROAD_CRG_MODS\n$\n");
  const CrgFile f = read_crg(path);
  EXPECT_EQ(f.options.border_mode_u, 3);
  ASSERT_TRUE(f.modifiers);
  EXPECT_FALSE(f.modifiers->scale_length);
  EXPECT_NE(f.file.find("road.crg"), std::string::npos);
  ::setenv("MONOCOQUE_TEST_CRG", (folder_ / "data").c_str(), 1);
  EXPECT_EQ(read_crg(write("env.crg", "$ROAD_CRG_FILE\n $MONOCOQUE_TEST_CRG/road.crg\n$\n")).rows, 2u);
  EXPECT_NE(
      complaint(write("env.crg", "$ROAD_CRG_FILE\n $MONOCOQUE_NO_SUCH/road.crg\n$\n")).find("is not set"),
      std::string::npos);
}

TEST_F(OpenCrgFolder, RefusesMissingReferencesAndLoops) {
  EXPECT_NE(complaint(write("a.crg", "$ROAD_CRG_FILE\nnowhere.crg\n$\n"))
                .find("a.crg:2: $ROAD_CRG_FILE names 'nowhere.crg', there is no such file"),
            std::string::npos);
  const std::string a = write("a.crg", "$ROAD_CRG_FILE\nb.crg\n$\n");
  write("b.crg", "$ROAD_CRG_FILE\n./data/../a.crg\n$\n");
  EXPECT_NE(complaint(a).find("leads back to itself"), std::string::npos) << complaint(a);
  for (int i = 0; i < 20; ++i)
    write(fmt::format("c{}.crg", i), fmt::format("$ROAD_CRG_FILE\nc{}.crg\n$\n", i + 1));
  write("c20.crg", kHeader + definition("LRFI") + "       0.1       0.2\n       0.1       0.2\n");
  EXPECT_NE(complaint((folder_ / "c0.crg").string()).find("more than 8 files"), std::string::npos);
  EXPECT_NE(complaint((folder_ / "data").string()).find("not an ordinary file"), std::string::npos);
}

TEST(OpenCrg, RefusesEveryCutOfTheSamples) {
  for (const char* name : {"handmade_curved.crg", "handmade_curved_krbi.crg", "handmade_curved_kdbi.crg"}) {
    const std::string path = monocoque::test::reference(std::string("opencrg/") + name);
    MONOCOQUE_NEEDS(path);
    const std::string text = read_text_file(path);
    // Filling at the end of binary data may be lost without harm, and so may the last line end or zeros of a
    // number.
    for (std::size_t n = 0; n + 90 < text.size(); n += 7)
      EXPECT_THROW(read_crg_text(text.substr(0, n), path), Error) << name << " " << n;
  }
}

TEST(OpenCrg, RefusesTheDamagedSample) {
  const std::string corrupt = monocoque::test::reference("opencrg/belgian_block_corrupt.crg");
  MONOCOQUE_NEEDS(corrupt);
  try {
    read_crg(corrupt);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("byte 262682: row 186, column 67: the height is"), std::string::npos)
        << e.what();
  }
}

TEST(OpenCrg, RefusesAMissingReference) {
  const std::string lost = monocoque::test::reference("opencrg/fileref.crg");
  MONOCOQUE_NEEDS(lost);
  try {
    read_crg(lost);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("handmade_curved_banked_sloped.crg"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace monocoque::io
