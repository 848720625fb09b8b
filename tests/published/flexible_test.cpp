// Published problems with bodies that bend. The bodies are Ritz models; models/published ships their SID files, and
// the test compares them with what it computes. MONOCOQUE_WRITE_BODIES=1 writes them anew.

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "published/line_body.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

const std::string folder = std::string(MONOCOQUE_SOURCE_DIR) + "/models/published/";

void expect_same(const io::SidTaylor& a, const io::SidTaylor& b, const char* name) {
  const double size = 1 + b.zero.cwiseAbs().maxCoeff();
  EXPECT_LT((a.zero - b.zero).cwiseAbs().maxCoeff(), 1e-12 * size) << name;
  ASSERT_EQ(a.first.size(), b.first.size()) << name;
  for (std::size_t i = 0; i < a.first.size(); ++i)
    EXPECT_LT((a.first[i] - b.first[i]).cwiseAbs().maxCoeff(), 1e-12 * size) << name;
}

/// The shipped file holds this body.
void expect_shipped(const io::Sid& sid, const std::string& file) {
  if (std::getenv("MONOCOQUE_WRITE_BODIES") != nullptr) io::write_sid(sid, folder + file);
  const io::Sid shipped = io::read_sid(folder + file);
  EXPECT_EQ(shipped.nq, sid.nq);
  EXPECT_NEAR(shipped.mass_kg, sid.mass_kg, 1e-12);
  expect_same(shipped.J, sid.J, "J");
  expect_same(shipped.Ct, sid.Ct, "Ct");
  expect_same(shipped.Cr, sid.Cr, "Cr");
  expect_same(shipped.Me, sid.Me, "Me");
  expect_same(shipped.Ge, sid.Ge, "Ge");
  expect_same(shipped.Oe, sid.Oe, "Oe");
  expect_same(shipped.Ke, sid.Ke, "Ke");
}

LineShape sine(double L, int n) {
  const double k = n * M_PI / L;
  return {[=](double x) { return Vec3(0, std::sin(k * x), 0); }, [=](double x) { return Vec3(0, 0, k * std::cos(k * x)); }};
}
LineShape stretch(const std::function<double(double)>& u) {
  return {[=](double x) { return Vec3(u(x), 0, 0); }, [](double) { return Vec3(0, 0, 0); }};
}

io::Sid simeon_rod() {
  const double L = 0.3, side = 0.008, E = 2e11, mass = 0.151104;
  const double EA = E * side * side, EI = E * std::pow(side, 4) / 12;
  const std::vector<LineShape> shapes = {
      sine(L, 1), sine(L, 2), stretch([=](double x) { return 4 * (x / L) * (1 - x / L); }),
      stretch([=](double x) { return (x / L) * (2 * x / L - 1); })};
  LumpedBody body = line_body(L, mass, shapes, 8);
  body.Ke.setZero(4, 4);
  body.De.setZero(4, 4);
  for (int n = 1; n <= 2; ++n) body.Ke(n - 1, n - 1) = EI * std::pow(n * M_PI / L, 4) * L / 2;
  body.Ke(2, 2) = EA / L * 16 / 3;
  body.Ke(3, 3) = EA / L * 7 / 3;
  body.Ke(2, 3) = body.Ke(3, 2) = -EA / L * 8 / 3;
  io::Sid sid = body.sid();
  sid.name = "connecting rod";
  sid.mode_names = {"bending 1", "bending 2", "stretching, middle", "stretching, end"};
  sid.nodes.clear();
  for (const auto& [x, id] : {std::pair{0.0, 1L}, {L / 2, 2L}, {L, 3L}})
    sid.nodes.push_back(line_node(body, shapes, x, id));
  return sid;
}

TEST(FlexibleSliderCrank, TheShippedRodIsTheRitzModel) {
  expect_shipped(simeon_rod(), "flexible-slider-crank-rod.sid");
}

TEST(FlexibleSliderCrank, ReachesThePublishedState) {
  const Values expected = {{"slider/position/x", 0.169737396}, {"rod/elastic/q1", 1.893081e-4},
                           {"rod/elastic/q2", 2.376202e-5},    {"rod/elastic/q3", -5.28100e-6},
                           {"rod/elastic/q4", -8.30335e-6}};
  const Values reached = run(load_model("published/flexible-slider-crank.yaml"), ida(0.1, 1e-11)).final;
  for (const auto& [channel, value] : expected) {
    std::printf("%-20s %.9e published %.9e\n", channel.c_str(), reached.at(channel), value);
    // Stretching vibrates at 10 kHz without damping: 1000 periods of it are the hard part.
    EXPECT_NEAR(reached.at(channel), value, channel[0] == 's' ? 1e-9 : 2e-10) << channel;
  }
}

}  // namespace
}  // namespace monocoque::test
