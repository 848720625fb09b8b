// Inverse dynamics of a recorded motion.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>

#include "analysis/statics/inverse.h"
#include "core/decompositions.h"
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "integrate/consistent.h"
#include "solve/acceleration_system.h"
#include "solve/sparse_qr.h"

namespace monocoque::analysis {

namespace {

/// Derivative of samples by the polynomial through up to five of them, as far as their times rise.
VecX rate_of(const VecX& t, const VecX& y) {
  VecX rate = VecX::Zero(t.size());
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    Eigen::Index first = i, last = i;
    for (bool grown = true; grown && last - first < 4;) {
      grown = false;
      if (last + 1 < t.size() && t[last + 1] > t[last]) ++last, grown = true;
      if (last - first < 4 && first > 0 && t[first] > t[first - 1]) --first, grown = true;
    }
    for (Eigen::Index k = first; k <= last; ++k) {
      if (k == i) continue;
      double weight = 1 / (t[k] - t[i]);  // derivative of Lagrange's polynomial of sample k
      for (Eigen::Index m = first; m <= last; ++m)
        if (m != k && m != i) weight *= (t[i] - t[m]) / (t[k] - t[m]);
      rate[i] += weight * (y[k] - y[i]);
    }
  }
  return rate;
}

/// A recorded motion as states and accelerations of the model.
class RecordedMotion {
 public:
  RecordedMotion(const Model& model, const RunData& run) : model_(model), run_(run) {
    for (std::size_t i = 1; i < model.parts.size(); ++i) {
      const Part& p = model.parts[i];
      if (!p.moves()) continue;
      Columns c;
      c.part = i;
      c.position = run.column(p.name + "/position/x");
      c.velocity = run.column(p.name + "/velocity/x");
      c.acceleration = run.column(p.name + "/acceleration/x");
      if (p.turns()) {
        c.orientation = run.column(p.name + "/orientation/q0");
        c.turning = run.column(p.name + "/angular_velocity/x");
        c.turning_rate = run.column(p.name + "/angular_acceleration/x");
      }
      const auto add = [&](const VecX& q, const VecX& rate, const VecX& acceleration) {
        c.q.push_back(q);
        c.q_rate.push_back(rate);
        c.q_acceleration.push_back(acceleration);
      };
      for (const std::string& rotor : p.rotors) {
        const VecX speed = run.data.col(run.column(p.name + "/" + rotor + "/speed"));
        add(run.data.col(run.column(p.name + "/" + rotor + "/angle")), speed, rate_of(run.time, speed));
      }
      for (int k = 0; k < p.nq() && p.rotors.empty(); ++k) {
        const VecX q = run.data.col(run.column(fmt::format("{}/elastic/q{}", p.name, k + 1)));
        add(q, rate_of(run.time, q), VecX::Zero(q.size()));
        elastic_.push_back(p.z_start + 6 + k);
      }
      columns_.push_back(std::move(c));
    }
  }

  void at(Eigen::Index n, State& s, VecX& z_dot) const {
    const auto three = [&](int c) { return Vec3(run_.data(n, c), run_.data(n, c + 1), run_.data(n, c + 2)); };
    s.t = run_.time[n];
    for (const Columns& c : columns_) {
      const Part& p = model_.parts[c.part];
      s.x.segment<3>(p.x_start) = three(c.position);
      s.z.segment<3>(p.z_start) = three(c.velocity);
      z_dot.segment<3>(p.z_start) = three(c.acceleration);
      if (!p.turns()) continue;
      const Vec4 q(run_.data(n, c.orientation), run_.data(n, c.orientation + 1),
                   run_.data(n, c.orientation + 2), run_.data(n, c.orientation + 3));
      const Mat3 R = rotation_from_quaternion(q);
      const Vec3 arm = -(R * model_.markers[p.origin.at()].r), w = three(c.turning),
                 alpha = three(c.turning_rate);
      s.x.segment<3>(p.x_start) += arm;
      s.x.segment<4>(p.x_start + 3) = q;
      s.z.segment<3>(p.z_start) += w.cross(arm);
      s.z.segment<3>(p.z_start + 3) = R.transpose() * w;
      z_dot.segment<3>(p.z_start) += alpha.cross(arm) + w.cross(w.cross(arm));
      z_dot.segment<3>(p.z_start + 3) = R.transpose() * alpha;
      for (int k = 0; k < p.nq(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        s.x[p.x_start + 7 + k] = c.q[i][n];
        s.z[p.z_start + 6 + k] = c.q_rate[i][n];
        z_dot[p.z_start + 6 + k] = c.q_acceleration[i][n];
      }
    }
  }
  /// Coordinates whose accelerations are not in the record (too fast for its samples): to be found.
  const std::vector<int>& elastic() const { return elastic_; }

 private:
  struct Columns {
    std::size_t part = 0;
    int position = 0, orientation = 0, velocity = 0, turning = 0, acceleration = 0, turning_rate = 0;
    std::vector<VecX> q, q_rate, q_acceleration;  ///< rotors' angles or elastic coordinates over time
  };
  const Model& model_;
  const RunData& run_;
  std::vector<Columns> columns_;
  std::vector<int> elastic_;
};

/// Inner states of forces are not recorded: they follow the motion by the trapezoidal rule from where they
/// were `dt` ago with the rates `c_dot`.
void follow_inner_states(Workspace& ws, State& s, double dt, const VecX& c_dot) {
  const Eigen::Index nc = ws.model.nc;
  const VecX from = s.c;
  const auto left = [&] { return VecX(s.c - from - 0.5 * dt * (c_dot + ws.c_dot)); };
  evaluate(ws, s);
  for (int k = 0; k < 10; ++k) {
    const VecX R = left(), c = s.c;
    if (R.norm() <= 1e-12 * (1 + c.norm())) return;
    MatX J(nc, nc);
    for (Eigen::Index i = 0; i < nc; ++i) {
      const double e = 1e-7 * std::max(1e-3, std::abs(c[i]));
      s.c[i] = c[i] + e;
      evaluate(ws, s);
      J.col(i) = (left() - R) / e;
      s.c[i] = c[i];
    }
    s.c = c - J.partialPivLu().solve(R);
    evaluate(ws, s);
  }
}

/// Least squares; sparse where the columns are independent.
VecX explain(const Eigen::SparseMatrix<double>& A, const VecX& b) {
  VecX scale(A.cols());
  for (Eigen::Index k = 0; k < A.cols(); ++k) scale[k] = 1 / std::max(A.col(k).norm(), 1e-300);
  const Eigen::SparseMatrix<double> unit = A * scale.asDiagonal();
  const SparseQr qr(unit, 1e-10);
  if (qr.rank() < static_cast<int>(A.cols()))
    return scale.asDiagonal() * VecX(MatX(unit).completeOrthogonalDecomposition().solve(b));
  VecX y = qr.apply_Q_transposed(b), x(y.size());
  qr.R().triangularView<Eigen::Upper>().solveInPlace(y);
  for (Eigen::Index k = 0; k < y.size(); ++k) x[qr.permutation()[static_cast<std::size_t>(k)]] = y[k];
  return scale.asDiagonal() * x;
}

/// Generalized force of a unit drive of a joint.
VecX unit_drive(Workspace& ws, const JointInstance& j) {
  const MarkerIndex a = j.markers[0], b = j.markers[1];
  const Vec3 axis = ws.markers[a.at()].k.R.col(2);
  Vec6 on_b = Vec6::Zero();
  on_b.segment<3>(j.joint->coordinate_is_angle() ? 3 : 0) = axis;
  Vec6 on_a = -on_b;
  // A force acts at the place of B on both.
  if (!j.joint->coordinate_is_angle())
    on_a.tail<3>() = (ws.markers[b.at()].k.p - ws.markers[a.at()].k.p).cross(Vec3(-axis));
  VecX load = VecX::Zero(ws.model.nz);
  add_wrench(ws, b, on_b, load);
  add_wrench(ws, a, on_a, load);
  return load;
}

}  // namespace

History forces_of_run(const Model& model, const RunData& run, const std::vector<std::string>& actuators) {
  History out;
  std::vector<const JointInstance*> joints;
  for (const std::string& name : actuators) {
    const JointInstance* found = nullptr;
    std::vector<std::string> names;
    for (const JointInstance& j : model.joints) {
      names.push_back(j.name);
      if (j.name == name) found = &j;
    }
    if (found == nullptr)
      throw Error(Place{model.file, 0}, "inverse", fmt::format("there is no joint '{}'", name),
                  suggestion(name, names));
    if (!found->joint->has_coordinate())
      throw Error(found->place, found->label, "it has no single coordinate that an actuator could move",
                  "name revolute or prismatic joints");
    joints.push_back(found);
    out.channels.push_back({name + "/drive", found->joint->coordinate_is_angle() ? "N*m" : "N"});
  }
  const RecordedMotion motion(model, run);
  const Eigen::Index nl = model.nlambda, nj = static_cast<Eigen::Index>(joints.size()),
                     ne = static_cast<Eigen::Index>(motion.elastic().size());
  Workspace ws(model);
  ws.all_markers = true;
  State s = initial_state(model);
  VecX z_dot = VecX::Zero(model.nz), c_dot;
  for (Eigen::Index n = 0; n < run.time.size(); ++n) {
    motion.at(n, s, z_dot);
    if (n == 0) {
      start_inner_states(ws, s);
    } else if (model.nc > 0) {
      follow_inner_states(ws, s, run.time[n] - run.time[n - 1], c_dot);
    }
    evaluate(ws, s);
    c_dot = ws.c_dot;
    VecX b = ws.f;
    add_mass_times(ws, z_dot, -1, b);
    // Unknown: multipliers, drives, elastic accelerations.
    std::vector<Eigen::Triplet<double>> entries;
    const auto G = constraint_matrix(ws);
    for (int r = 0; r < static_cast<int>(G.outerSize()); ++r)
      for (std::remove_cvref_t<decltype(G)>::InnerIterator it(G, r); it; ++it)
        entries.emplace_back(static_cast<int>(it.col()), static_cast<int>(it.row()), it.value());
    const auto add_column = [&](Eigen::Index column, const VecX& values) {
      for (Eigen::Index i = 0; i < values.size(); ++i)
        if (values[i] != 0) entries.emplace_back(static_cast<int>(i), static_cast<int>(column), values[i]);
    };
    for (Eigen::Index k = 0; k < nj; ++k)
      add_column(nl + k, -unit_drive(ws, *joints[static_cast<std::size_t>(k)]));
    for (Eigen::Index k = 0; k < ne; ++k) {
      VecX column = VecX::Zero(model.nz);
      add_mass_times(ws, VecX::Unit(model.nz, motion.elastic()[static_cast<std::size_t>(k)]), 1, column);
      add_column(nl + nj + k, column);
    }
    Eigen::SparseMatrix<double> A(model.nz, nl + nj + ne);
    A.setFromTriplets(entries.begin(), entries.end());
    const VecX solution = explain(A, b);
    out.largest_left = std::max(out.largest_left, (b - A * solution).lpNorm<Eigen::Infinity>());
    out.t.push_back(s.t);
    out.rows.emplace_back(solution.data() + nl, solution.data() + nl + nj);
    update_joint_memory(ws, s.t, s.r);
  }
  return out;
}

}  // namespace monocoque::analysis
