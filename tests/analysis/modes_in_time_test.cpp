// Eigenvalues of the linearised car against what it does in time: two runs, one of them disturbed along a
// mode, part as exp(s t) says.

#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/linear/linearise.h"
#include "core/decompositions.h"
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

/// The state moved a little along a mode.
State disturbed_along(Workspace& ws, const State& s, const analysis::Linearisation& l,
                      const analysis::ModelMode& mode, double largest_rate) {
  const VecXc rates = mode.rate(l);
  const double size = largest_rate / rates.cwiseAbs().maxCoeff();
  MatX step(rates.size(), 2);
  step << size * mode.xi.real(), size * rates.real();
  evaluate(ws, s);
  analysis::to_body_axes(ws, step);
  State out = s;
  retract(ws.model, s.x, step.col(0), out.x);
  out.z += step.col(1);
  out.c += size * mode.value.vector.tail(s.c.size()).real();
  return out;
}

/// s of a mode as seen in a run over a quarter of its period: the car of the tables is not the same left and
/// right, so its motion straight ahead slowly bends, and with it the eigenvalues.
Complex seen_in_time(Linear& m, const analysis::ModelMode& mode, const char* solver, double step_s,
                     double largest_rate) {
  const Complex s = mode.value.s;
  const int steps = static_cast<int>(std::ceil(M_PI / 2 / std::abs(s) / step_s));
  io::SimulationSpec settings = m.loaded.spec.simulation;
  settings.solver = solver;
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
  other.state() = disturbed_along(other.workspace(), m.s, m.l, mode, largest_rate);
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

void compare_modes(double speed_m_per_s, const char* solver, double largest_rate, double bound) {
  Linear car(load_model("camry/camry-flexible.yaml", {{"speed_m_per_s", fmt::format("{}", speed_m_per_s)}}));
  double worst = 0;
  int compared = 0;
  for (const analysis::ModelMode& mode : car.modes) {
    const Complex s = mode.value.s;
    const double f = std::abs(s) / (2 * M_PI);
    if (f < 0.5 || f > 45 || s.imag() < 1) continue;
    const Complex seen = seen_in_time(car, mode, solver, std::min(2e-4, 5e-3 / f), largest_rate);
    const double error = std::abs(seen - s) / std::abs(s);
    fmt::print("  {:8.4f} Hz, {} {:.0f} %: s = {:.4f} + {:.4f} i, in time {:.4f} + {:.4f} i, {:.1e}\n", f,
               mode.part, 100 * mode.share, s.real(), s.imag(), seen.real(), seen.imag(), error);
    EXPECT_LT(error, bound) << f << " Hz";
    worst = std::max(worst, error);
    ++compared;
  }
  EXPECT_GE(compared, 12);
  verify_row("Analyses", fmt::format("flexible Camry at {} m/s", speed_m_per_s),
             fmt::format("{} eigenvalues up to 45 Hz", compared), "modes", "decay and frequency in a run",
             worst, "relative");
}

TEST(ModesInTime, FlexibleCamryAtTwentyMetresPerSecond) {
  compare_modes(20, "linearly-implicit-2", 1e-5, 1e-3);  // its motion slowly bends
}

TEST(ModesInTime, FlexibleCamryAtRest) {
  compare_modes(0, "rk4", 1e-6, 1e-3);
}

}  // namespace
}  // namespace monocoque::test
