#include "analysis/step_check.h"

#include <cmath>

#include "integrate/simulation.h"

namespace monocoque::analysis {

namespace {

constexpr double kDisturbance = 1e-7;  ///< largest rate, m/s or rad/s: stays small when it grows ten thousand
                                       ///< times, and is large against rounding

State disturbed(Workspace& ws, const State& s, const Linearisation& l, const ModelMode& mode) {
  const VecXc rates =
      l.Q_v * mode.value.vector.segment(l.Q.cols(), l.Q_v.cols()) + l.Z * mode.value.vector.head(l.Q.cols());
  const VecXc c = mode.value.vector.tail(ws.model.nc);
  const double size = std::max(rates.size() > 0 ? rates.cwiseAbs().maxCoeff() : 0,
                               c.size() > 0 ? c.cwiseAbs().maxCoeff() : 0);
  const double factor = kDisturbance / size;
  MatX step(ws.model.nz, 2);
  step << factor * mode.xi.real(), factor * rates.real();
  evaluate(ws, s);
  to_body_axes(ws, step);
  State out = s;
  retract(ws.model, s.x, step.col(0), out.x);
  out.z += step.col(1);
  out.c += factor * c.real();
  return out;
}

}  // namespace

StepCheck run_with_step(const Model& model, const io::SimulationSpec& settings, const State& s,
                        const Linearisation& l, const ModelMode& mode, const std::string& method,
                        double step_s, double predicted, int steps) {
  io::SimulationSpec own = settings;
  own.solver = method;
  own.constraints = own.stabilisation = "";
  own.jacobian = "full";
  own.matrix_steps = 1;
  own.step_s = step_s;
  own.start_s = s.t;
  own.end_s = s.t + (steps + 1) * step_s;
  own.output_step_s = own.end_s - own.start_s;
  own.outputs.clear();
  Simulation plain(model, own), other(model, own);
  other.workspace().active = plain.workspace().active;
  plain.state() = s;
  other.state() = disturbed(other.workspace(), s, l, mode);
  plain.integrator().start(plain.state());
  other.integrator().start(other.state());
  const auto difference = [&] {
    return std::hypot((plain.state().z - other.state().z).norm(), (plain.state().c - other.state().c).norm());
  };
  StepCheck check{step_s, steps, predicted};
  const double first = difference();
  double middle = first;
  for (int k = 1; k <= steps; ++k) {
    const double t = s.t + k * step_s;
    if (plain.advance(t) != StepStatus::ok || other.advance(t) != StepStatus::ok) {
      check.grew = true;
      check.measured = check.total = INFINITY;
      return check;
    }
    if (k == steps / 2) middle = difference();
  }
  const double last = difference();
  check.measured = std::pow(last / middle, 1.0 / (steps - steps / 2));
  check.total = last / first;
  check.grew = !(check.total < std::sqrt(std::max(10.0, std::pow(predicted, steps))));
  return check;
}

}  // namespace monocoque::analysis
