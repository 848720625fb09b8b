// MATLAB files read back; scipy.io.loadmat has read the same (docs/linear-analysis.md).

#include "results/mat_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>
#include <matio.h>
#include <unistd.h>

#include "core/error.h"

namespace monocoque {
namespace {

class MatFiles : public testing::Test {
 protected:
  std::string path() const {
    return (std::filesystem::temp_directory_path() / ("monocoque_" + std::to_string(getpid()) + ".mat"))
        .string();
  }
  void TearDown() override { std::filesystem::remove(path()); }
  std::shared_ptr<matvar_t> read(const char* name) const {
    mat_t* file = Mat_Open(path().c_str(), MAT_ACC_RDONLY);
    if (file == nullptr) return nullptr;
    EXPECT_EQ(Mat_GetVersion(file), MAT_FT_MAT5);
    matvar_t* variable = Mat_VarRead(file, name);
    Mat_Close(file);
    if (variable == nullptr) return nullptr;
    return {variable, Mat_VarFree};
  }
};

TEST_F(MatFiles, Matrices) {
  MatFile file("test");
  MatX m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  file.add("abc", m);
  file.add("none", MatX(0, 3));
  file.write(path());
  std::string header(26, ' ');
  std::ifstream(path(), std::ios::binary).read(header.data(), 26);
  EXPECT_EQ(header.substr(0, 25), "MATLAB 5.0 MAT-file, test");
  const auto abc = read("abc"), none = read("none");
  ASSERT_TRUE(abc && none);
  EXPECT_EQ(abc->class_type, MAT_C_DOUBLE);
  EXPECT_EQ(abc->dims[0], 2U);
  EXPECT_EQ(abc->dims[1], 3U);
  EXPECT_EQ(Eigen::Map<const MatX>(static_cast<const double*>(abc->data), 2, 3), m);
  EXPECT_EQ(none->dims[0], 0U);
  EXPECT_EQ(none->dims[1], 3U);
}

TEST_F(MatFiles, Texts) {
  MatFile file("");
  file.add("t", std::string("car"));
  file.add("n", std::vector<std::string>{"a", "", "Stoß"});
  file.write(path());
  const auto text = read("t"), list = read("n");
  ASSERT_TRUE(text && list);
  EXPECT_EQ(text->class_type, MAT_C_CHAR);
  EXPECT_EQ(text->dims[1], 3U);
  ASSERT_EQ(list->class_type, MAT_C_CELL);
  EXPECT_EQ(list->dims[0], 3U);
  EXPECT_EQ(list->dims[1], 1U);
  const matvar_t* word = Mat_VarGetCell(list.get(), 2);
  EXPECT_EQ(Mat_VarGetCell(list.get(), 1)->dims[1], 0U);
  ASSERT_EQ(word->dims[1], 4U);  // characters, not bytes
  ASSERT_EQ(word->data_size, 2);
  EXPECT_EQ(static_cast<const std::uint16_t*>(word->data)[3], 0xDF);
}

TEST_F(MatFiles, AFolderThatIsNotThere) {
  MatFile file("");
  EXPECT_THROW(file.write(path() + "/x.mat"), Error);
}

}  // namespace
}  // namespace monocoque
