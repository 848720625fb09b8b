#include "analysis/linear/step_check.h"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "integrate/simulation.h"

namespace monocoque::analysis {

namespace {

constexpr double kDisturbance = 1e-6;  ///< largest rate, m/s or rad/s: small, and large against rounding

/// A small deviation from a state: world axes, motions and rates in two columns, and inner states.
struct Deviation {
  MatX motion;
  VecX inner;
  double size() const { return std::hypot(motion.col(1).norm(), inner.norm()); }
};

/// Real and imaginary part of the mode, its largest rate (or inner state) 1 and real: with another phase the
/// real part could begin small and grow by turning alone.
std::array<Deviation, 2> along_mode(const State& s, const Linearisation& l, const ModelMode& mode) {
  const VecXc rates =
      l.Q_v * mode.value.vector.segment(l.Q.cols(), l.Q_v.cols()) + l.Z * mode.value.vector.head(l.Q.cols());
  const VecXc c = mode.value.vector.tail(s.c.size());
  VecXc all(rates.size() + c.size());
  all << rates, c;
  Eigen::Index most = 0;
  all.cwiseAbs().maxCoeff(&most);
  const std::complex<double> factor = 1.0 / all[most];
  std::array<Deviation, 2> out;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto part = [&](const VecXc& v) {
      return k == 0 ? VecX((factor * v).real()) : VecX((factor * v).imag());
    };
    out[k] = {MatX(rates.size(), 2), part(c)};
    out[k].motion << part(mode.xi), part(rates);
  }
  return out;
}

State deviating(Workspace& ws, const State& s, const Deviation& d, double factor) {
  MatX step = factor * d.motion;
  evaluate(ws, s);
  to_body_axes(ws, step);
  State out = s;
  retract(ws.model, s.x, step.col(0), out.x);
  out.z += step.col(1);
  out.c += factor * d.inner;
  return out;
}

/// Half of what parts two states that have gone one step.
Deviation between(Workspace& ws, const State& from, const State& to) {
  Deviation out{MatX(from.z.size(), 2), 0.5 * (to.c - from.c)};
  VecX way(from.z.size());
  local_difference(ws.model, from.x, to.x, way);
  out.motion << 0.5 * way, 0.5 * (to.z - from.z);
  evaluate(ws, from);
  to_world_axes(ws, out.motion);
  return out;
}

/// What a step makes of deviations from a state: central differences of the method itself.
class StepMap {
 public:
  StepMap(const Model& model, const io::SimulationSpec& settings, const State& s, const Vec3& frame_rate)
      : s_(s), step_s_(settings.step_s), forward_(model, settings), backward_(model, settings) {
    backward_.workspace().active = forward_.workspace().active;
    const double angle = frame_rate.norm() * step_s_;
    back_ = angle > 0 ? Mat3(Eigen::AngleAxisd(-angle, frame_rate.normalized())) : Mat3(Mat3::Identity());
  }
  /// After a step: of the state between the two.
  VecX undisturbed_rates() { return 0.5 * (forward_.state().z + backward_.state().z); }
  /// False: a step failed.
  bool apply(Deviation& d) {
    const double scale = kDisturbance / std::max(d.size(), 1e-300);
    for (Simulation* run : {&forward_, &backward_}) {
      run->state() = deviating(run->workspace(), s_, d, run == &forward_ ? scale : -scale);
      run->integrator().start(run->state());
      if (run->step_to(s_.t + step_s_) != StepStatus::ok) return false;
    }
    d = between(forward_.workspace(), backward_.state(), forward_.state());
    d.motion /= scale;
    d.inner /= scale;
    for (const Part& part : forward_.workspace().model.parts)
      for (int k = 0; k + 3 <= part.rigid_size(); k += 3)
        d.motion.middleRows<3>(part.z_start + k) = (back_ * d.motion.middleRows<3>(part.z_start + k)).eval();
    return d.motion.allFinite() && d.inner.allFinite();
  }

 private:
  const State& s_;
  double step_s_;
  Simulation forward_, backward_;
  Mat3 back_;  ///< undoes the turn of the frame in which the motion is steady
};

/// w with w^T A = s w^T: picks one mode out of any motion. Inverse iteration.
VecXc left_vector(const MatX& A, std::complex<double> s) {
  Eigen::MatrixXcd shifted = A.transpose().cast<std::complex<double>>();
  shifted.diagonal().array() -= s * (1.0 + 1e-10) + 1e-12;
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(shifted);
  VecXc w = VecXc::Ones(A.rows());
  for (int k = 0; k < 3; ++k) w = lu.solve(w).normalized();
  return w;
}

/// Coordinates (p, v, c) of the linearisation.
VecX reduced(const Linearisation& l, const Deviation& d) {
  VecX y(l.Q.cols() + l.Q_v.cols() + d.inner.size());
  const VecX p = l.Q.transpose() * d.motion.col(0);
  y << p, l.Q_v.transpose() * (d.motion.col(1) - l.Z * p), d.inner;
  return y;
}

/// The eigenvalues hold for an instant: how far a state goes from it in a step, if that matters.
std::string unsteadiness(const Model& model, const State& s, const VecX& z_after, double step_s) {
  constexpr double kTurn_rad = 0.05, kChange = 1e-3;
  double turn = kTurn_rad, change = kChange;
  std::string out;
  for (const Part& p : model.parts) {
    if (!p.moves()) continue;
    const double angle = p.turns() ? step_s * s.z.segment<3>(p.z_start + 3).norm() : 0;
    if (angle > turn) out = fmt::format("part '{}' turns by {:.3g} rad", p.name, turn = angle);
  }
  for (const Part& p : model.parts) {
    if (!p.moves() || turn > kTurn_rad) continue;
    const double by = (z_after - s.z).segment(p.z_start, p.z_size).lpNorm<Eigen::Infinity>();
    if (by > change)
      out = fmt::format("part '{}' changes its speed by {:.3g} m/s or rad/s", p.name, change = by);
  }
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
  StepMap map(model, own, s, l.frame_rate);
  StepCheck check;
  check.step_s = step_s;
  check.steps = steps;
  check.predicted = predicted;
  const auto failed = [&] {
    check.grew = true;
    check.measured = check.total = INFINITY;
    return check;
  };
  const std::array<Deviation, 2> along = along_mode(s, l, mode);
  const VecXc w = left_vector(l.A, mode.value.s);
  std::complex<double> before = 0, after = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    Deviation d = along[k];
    if (d.size() == 0) continue;  // a real mode has no imaginary part
    const std::complex<double> unit = k == 0 ? std::complex<double>(1, 0) : std::complex<double>(0, 1);
    const auto share = [&] { return unit * (w.transpose() * reduced(l, d).cast<std::complex<double>>())(0); };
    before += share();
    if (!map.apply(d)) return failed();
    after += share();
    check.unsteady = unsteadiness(model, s, map.undisturbed_rates(), step_s);
  }
  check.measured = std::abs(after / before);
  Deviation d = along[0].size() > 0 ? along[0] : along[1];
  double logarithm = 0;
  for (int k = 1; k <= steps; ++k) {
    const double size = d.size();
    if (!map.apply(d)) return failed();
    logarithm += std::log(d.size() / size);
  }
  check.total = std::exp(logarithm);
  // So slow a growth does not rise above the modes that neither grow nor decay: the mode itself tells.
  const double expected = std::pow(predicted, steps);
  check.grew = predicted > 1 && expected < 10 ? check.measured > 1
                                              : !(check.total < std::sqrt(std::max(10.0, expected)));
  return check;
}

}  // namespace monocoque::analysis
