// Eigenvalues of the linearised car against what it does in time: two runs, one of them disturbed along a
// mode, part as exp(s t) says.

#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/QR>

#include "analysis/step_check.h"
#include "integrate/simulation.h"
#include "support/linear.h"

namespace monocoque::test {
namespace {

using Complex = std::complex<double>;
using analysis::VecXc;

/// Amplitude a with Re(a r) nearest to d.
Complex amplitude(const VecXc& r, const VecX& d) {
  MatX columns(r.size(), 2);
  columns << r.real(), -r.imag();
  const Eigen::Vector2d a = columns.colPivHouseholderQr().solve(d);
  return {a[0], a[1]};
}

/// s of a mode as seen in a run over a quarter of its period: the car of the tables is not the same left and
/// right, so its motion straight ahead slowly bends, and with it the eigenvalues.
Complex seen_in_time(Linear& m, const analysis::ModelMode& mode, double step_s) {
  const Complex s = mode.value.s;
  const int steps = static_cast<int>(std::ceil(M_PI / 2 / std::abs(s) / step_s));
  io::SimulationSpec settings = m.loaded.spec.simulation;
  settings.solver = "linearly-implicit-2";
  settings.constraints = settings.stabilisation = "";
  settings.jacobian = "full";
  settings.matrix_steps = 1;
  settings.step_s = step_s;
  settings.end_s = (steps + 1) * step_s;
  settings.output_step_s = settings.end_s;
  settings.outputs.clear();
  Simulation plain(*m.loaded.model, settings), other(*m.loaded.model, settings);
  other.workspace().active = plain.workspace().active;
  plain.state() = m.s;
  other.state() = analysis::disturbed_along(other.workspace(), m.s, m.l, mode, 1e-5);
  plain.integrator().start(plain.state());
  other.integrator().start(other.state());
  const VecXc world = mode.rate(m.l);
  MatX rates(world.size(), 2);
  rates << world.real(), world.imag();
  evaluate(m.ws, m.s);
  analysis::to_body_axes(m.ws, rates);
  const VecXc r = rates.col(0).cast<Complex>() + Complex(0, 1) * rates.col(1).cast<Complex>();
  const Complex first = amplitude(r, other.state().z - plain.state().z);
  for (int k = 1; k <= steps; ++k) {
    EXPECT_EQ(plain.advance(k * step_s), StepStatus::ok);
    EXPECT_EQ(other.advance(k * step_s), StepStatus::ok);
  }
  const double T = steps * step_s;
  const Complex ratio = amplitude(r, other.state().z - plain.state().z) / first;
  return s + std::log(ratio / std::exp(s * T)) / T;
}

TEST(ModesInTime, FlexibleCamryAtTwentyMetresPerSecond) {
  Linear car(load_model("camry/camry-flexible.yaml", {{"speed_m_per_s", "20"}}));
  double worst = 0;
  int compared = 0;
  for (const analysis::ModelMode& mode : car.modes) {
    const Complex s = mode.value.s;
    const double f = std::abs(s) / (2 * M_PI);
    if (f < 0.5 || f > 45 || s.imag() < 1) continue;
    const Complex seen = seen_in_time(car, mode, std::min(2e-4, 5e-3 / f));
    const double error = std::abs(seen - s) / std::abs(s);
    fmt::print("  {:8.4f} Hz, {} {:.0f} %: s = {:.4f} + {:.4f} i, in time {:.4f} + {:.4f} i, {:.1e}\n", f,
               mode.part, 100 * mode.share, s.real(), s.imag(), seen.real(), seen.imag(), error);
    EXPECT_LT(error, 1e-3) << f << " Hz";
    worst = std::max(worst, error);
    ++compared;
  }
  EXPECT_GE(compared, 12);
  verify_row("Analyses", "flexible Camry at 20 m/s", fmt::format("{} eigenvalues up to 45 Hz", compared),
             "modes", "decay and frequency in a run", worst, "relative");
}

}  // namespace
}  // namespace monocoque::test
