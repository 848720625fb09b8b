// Replays the seeds of the fuzz target, and every prefix of them, in the ordinary test run.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "support/paths.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

TEST(Fuzz, CorpusIsAnsweredWithoutACrash) {
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(monocoque::source_dir() + "/tests/fuzz/corpus")) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (std::size_t n = 0; n <= text.size(); ++n)
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), n);
    ++files;
  }
  EXPECT_GT(files, 2);
}

}  // namespace
