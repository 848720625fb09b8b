// Replays the seeds of fuzz_tir, every prefix of them, and each seed with single bytes changed. Whatever the
// reader accepts must make a law with finite answers, however absurd the coefficients.

#include <cmath>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "elements/tires/magic_formula.h"
#include "support/paths.h"

int fuzz_tir(const std::uint8_t* data, std::size_t size);

namespace monocoque {
namespace {

void evaluate(const std::string& text) {
  try {
    MagicFormulaOptions options;
    options.turn_slip = text.size() % 2 == 0;
    const MagicFormula law(io::read_tir_text(text, "seed.tir"), options);
    TireForces f;
    TireJacobian by;
    for (const double Vx : {0.0, 0.3, -20.0, 30.0})
      for (const double slip : {0.0, 0.1, 2.0}) {
        TireInput in;
        in.Fz = 3000;
        in.kappa = -slip;
        in.tan_alpha = slip;
        in.gamma = 0.05;
        in.turn_slip = 0.01;
        in.Vx = Vx;
        law.forces(in, f, by);
        ASSERT_TRUE(by.allFinite() && std::isfinite(f.Fx + f.Fy + f.Mx + f.My + f.Mz));
        law.forces(in, f);
        ASSERT_TRUE(std::isfinite(f.Fx + f.Fy + f.Mx + f.My + f.Mz));
      }
    TireVerticalDerivatives v;
    ASSERT_TRUE(std::isfinite(law.vertical({0.02, 0.1, 60, 500, 700, 0.05, 0}, v)));
    ASSERT_TRUE(std::isfinite(law.effective_radius({3000, 0.3, 60, 0})));
    law.relaxation(3000, 0.05);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): an Error is a good answer
  }
}

TEST(Fuzz, TirCorpusIsAnsweredWithoutACrash) {
  int files = 0;
  std::mt19937 dice(1);
  for (const auto& file :
       std::filesystem::directory_iterator(monocoque::source_dir() + "/tests/fuzz/corpus_tir")) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (std::size_t n = 0; n <= text.size(); ++n)
      fuzz_tir(reinterpret_cast<const std::uint8_t*>(text.data()), n);
    evaluate(text);
    constexpr std::string_view bytes = "0123456789+-.=$!'\"[]{} \n\reEdDXY";
    for (int i = 0; i < 1000; ++i) {
      std::string changed = text;
      for (int k = 0; k < 1 + i % 4; ++k) changed[dice() % text.size()] = bytes[dice() % bytes.size()];
      evaluate(changed);
    }
    ++files;
  }
  EXPECT_GE(files, 5);
}

}  // namespace
}  // namespace monocoque
