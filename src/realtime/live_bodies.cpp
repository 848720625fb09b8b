#include "realtime/live_bodies.h"

#include <algorithm>

#include "core/decompositions.h"
#include "core/rotation.h"
#include "dynamics/kinematics.h"

namespace monocoque::realtime {

namespace {

[[noreturn]] void differ(const Model& a, const Model& b, const std::string& what) {
  throw Error("live", "the models '" + a.name + "' and '" + b.name + "' differ in " + what,
              "the rigid one is the same scenario with elasticity: off");
}

/// Normal equations of v_i = v + w x r_i, i over hard points, for the motion (v, w) of a frame.
struct RigidFit {
  Mat6 A = Mat6::Zero();
  Vec6 b = Vec6::Zero();
  void add(const Vec3& r, const Vec3& v) {
    Eigen::Matrix<double, 3, 6> J;
    J << Mat3::Identity(), -skew(r);
    A += J.transpose() * J;
    b += J.transpose() * v;
  }
  Vec6 solve() const { return A.ldlt().solve(b); }
};

Mat3 orientation(const Part& part, const VecX& x) {
  return rotation_from_quaternion(x.segment<4>(part.x_start + 3));
}

}  // namespace

BodySwap::BodySwap(const Model& from, const Model& to) : from_(from), to_(to) {
  if (from.parts.size() != to.parts.size()) differ(from, to, "their parts");
  if (from.joints.size() != to.joints.size() || from.forces.size() != to.forces.size() ||
      from.nlambda != to.nlambda || from.nc != to.nc || from.nw != to.nw || from.nr != to.nr)
    differ(from, to, "their elements");
  // Elements are the same in the same order, so their markers are the hard points; other frames may differ.
  std::vector<std::array<int, 2>> held;
  const auto hold = [&](MarkerIndex m, MarkerIndex other) {
    if (m.valid() && other.valid()) held.push_back({static_cast<int>(m.at()), static_cast<int>(other.at())});
  };
  for (std::size_t i = 0; i < from.joints.size(); ++i)
    for (std::size_t k = 0; k < from.joints[i].markers.size(); ++k)
      hold(from.joints[i].markers[k], to.joints[i].markers[k]);
  for (std::size_t i = 0; i < from.forces.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) hold(from.forces[i].markers[k], to.forces[i].markers[k]);
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  for (std::size_t i = 0; i < from.parts.size(); ++i) {
    const Part &a = from.parts[i], &b = to.parts[i];
    if (a.name != b.name || a.turns() != b.turns()) differ(from, to, "part " + a.name);
    PartPair pair{static_cast<int>(i), static_cast<int>(i), a.x_size == b.x_size, {}};
    for (const auto& m : held)
      if (!pair.same && to.markers[static_cast<std::size_t>(m[1])].part.at() == i) pair.markers.push_back(m);
    if (!pair.same && pair.markers.size() < 3) differ(from, to, "part " + a.name + ": too few hard points");
    parts_.push_back(std::move(pair));
  }
}

void BodySwap::fit(const PartPair& pair, Workspace& from, Workspace& to, State& out) const {
  const Part& b = to_.parts[static_cast<std::size_t>(pair.to)];
  const auto marker = [](Workspace& ws, int m) -> const MarkerCache& {
    return ws.markers[static_cast<std::size_t>(m)];
  };
  // Both frames turn nearly alike: the tangent problem, solved a few times, is the whole one.
  for (int pass = 0; pass < 3; ++pass) {
    update_positions(to, out.x);
    RigidFit fit;
    for (const auto& [m, n] : pair.markers) fit.add(marker(to, n).r, marker(from, m).k.p - marker(to, n).k.p);
    const Vec6 d = fit.solve();
    out.x.segment<3>(b.x_start) += d.head<3>();
    out.x.segment<4>(b.x_start + 3) =
        multiply(quaternion_from_rotation_vector(d.tail<3>()), out.x.segment<4>(b.x_start + 3)).normalized();
  }
  update_positions(to, out.x);
  RigidFit fit;
  for (const auto& [m, n] : pair.markers) fit.add(marker(to, n).r, marker(from, m).k.v);
  const Vec6 motion = fit.solve();
  out.z.segment(b.z_start, b.z_size).setZero();
  out.z.segment<3>(b.z_start) = motion.head<3>();
  out.z.segment<3>(b.z_start + 3) = orientation(b, out.x).transpose() * motion.tail<3>();
}

void BodySwap::map(Workspace& from, const State& s, Workspace& to, State& out) const {
  update_positions(from, s.x);
  update_velocities(from, s.z);
  out.t = s.t;
  out.c = s.c;
  out.lambda = s.lambda;
  out.w = s.w;
  out.r = s.r;
  for (const PartPair& pair : parts_) {
    const Part &a = from_.parts[static_cast<std::size_t>(pair.from)],
               &b = to_.parts[static_cast<std::size_t>(pair.to)];
    if (pair.same) {
      out.x.segment(b.x_start, b.x_size) = s.x.segment(a.x_start, a.x_size);
      out.z.segment(b.z_start, b.z_size) = s.z.segment(a.z_start, a.z_size);
    } else {
      out.x.segment<7>(b.x_start) = s.x.segment<7>(a.x_start);
    }
  }
  for (const PartPair& pair : parts_)
    if (!pair.same) fit(pair, from, to, out);
}

RowInLayout::RowInLayout(const Model& from, const Model& layout) {
  for (std::size_t i = 0; i < from.parts.size(); ++i) {
    const Part &a = from.parts[i], &b = layout.parts[i];
    if (!a.moves()) continue;
    Piece piece{a.x_start, b.x_start, std::min(a.x_size, b.x_size)};
    if (a.x_size != b.x_size) {
      piece.zeros = b.x_size - piece.size;
      piece.center_of_mass = a.center_of_mass;
    }
    pieces_.push_back(piece);
  }
}

void RowInLayout::fill(const VecX& x, double* row) const {
  for (const Piece& p : pieces_) {
    std::copy_n(x.data() + p.from, p.size, row + p.to);
    if (p.zeros == 0) continue;
    const Vec3 offset = rotation_from_quaternion(x.segment<4>(p.from + 3)) * p.center_of_mass;
    for (int k = 0; k < 3; ++k) row[p.to + k] -= offset[k];
    std::fill_n(row + p.to + p.size, p.zeros, 0.0);
  }
}

}  // namespace monocoque::realtime
