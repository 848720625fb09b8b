// The bytes of MATLAB files; scipy.io.loadmat has read the same (docs/linear-analysis.md).

#include "results/mat_file.h"

#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

namespace monocoque {
namespace {

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST(MatFile, MatrixAsMatlabWritesIt) {
  MatFile file("test");
  MatX m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  file.add("abc", m);
  const std::string& b = file.bytes();
  EXPECT_EQ(b.substr(0, 26), "MATLAB 5.0 MAT-file, test ");
  EXPECT_EQ(b.substr(124, 4), std::string("\x00\x01IM", 4));
  EXPECT_EQ(word(b, 128), 14u);             // miMATRIX
  EXPECT_EQ(word(b, 132), b.size() - 136);  // to the end
  EXPECT_EQ(word(b, 136), 6u);              // flags: miUINT32, 8 bytes, class double
  EXPECT_EQ(word(b, 140), 8u);
  EXPECT_EQ(word(b, 144), 6u);
  EXPECT_EQ(word(b, 152), 5u);  // sizes: miINT32
  EXPECT_EQ(word(b, 160), 2u);
  EXPECT_EQ(word(b, 164), 3u);
  EXPECT_EQ(word(b, 168), 1u);  // name: miINT8, padded to eight
  EXPECT_EQ(word(b, 172), 3u);
  EXPECT_EQ(b.substr(176, 3), "abc");
  EXPECT_EQ(word(b, 184), 9u);  // values: miDOUBLE, by columns
  EXPECT_EQ(word(b, 188), 48u);
  double values[6];
  std::memcpy(values, b.data() + 192, sizeof values);
  EXPECT_EQ(values[1], 4);
  EXPECT_EQ(values[5], 6);
  EXPECT_EQ(b.size(), 240u);
}

TEST(MatFile, ListOfTexts) {
  MatFile file("");
  file.add("n", std::vector<std::string>{"a", "", "Stoß"});
  const std::string& b = file.bytes();
  EXPECT_EQ(word(b, 144), 1u);  // class cell
  EXPECT_EQ(word(b, 160), 3u);
  EXPECT_EQ(word(b, 164), 1u);
  EXPECT_EQ(b.size() % 8, 0u);
  EXPECT_NE(b.find(std::string("S\0t\0o\0\xdf\0", 8)), std::string::npos);  // 16-bit characters
}

}  // namespace
}  // namespace monocoque
