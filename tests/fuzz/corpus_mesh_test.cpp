// Replays the seeds of fuzz_mesh, every prefix of them, and each seed with single bytes changed.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "support/paths.h"

int fuzz_mesh(const std::uint8_t* data, std::size_t size);

namespace {

TEST(Fuzz, MeshCorpusIsAnsweredWithoutACrash) {
  int files = 0;
  std::mt19937 dice(1);
  const auto run = [](const std::string& text, std::size_t n) {
    fuzz_mesh(reinterpret_cast<const std::uint8_t*>(text.data()), n);
  };
  for (const auto& file :
       std::filesystem::directory_iterator(monocoque::source_dir() + "/tests/fuzz/corpus_mesh")) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (std::size_t n = 0; n <= text.size(); ++n) run(text, n);
    constexpr std::string_view bytes = "0123456789+-.,*$&=@ \n\t\"'eEdDxAB\0\xff";
    for (int i = 0; i < 3000; ++i) {
      std::string changed = text;
      for (int k = 0; k < 1 + i % 4; ++k)
        changed[1 + dice() % (text.size() - 1)] = bytes[dice() % bytes.size()];
      run(changed, changed.size());
    }
    ++files;
  }
  EXPECT_GE(files, 5);
}

}  // namespace
