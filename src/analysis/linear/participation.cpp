#include "analysis/linear/participation.h"

#include <algorithm>

#include "dynamics/kinematics.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

namespace {

using Eigen::Index;

std::vector<Share> shares(std::vector<Share> list) {
  double sum = 0;
  for (const Share& s : list) sum += s.share;
  for (Share& s : list) s.share = sum > 0 ? s.share / sum : 0;
  std::erase_if(list, [](const Share& s) { return s.share < 1e-3; });
  std::stable_sort(list.begin(), list.end(),
                   [](const Share& a, const Share& b) { return a.share > b.share; });
  return list;
}

/// -dW/dpose of every force, symmetric: its stiffness against motions of its markers.
using ForceStiffness = Eigen::Matrix<double, 12, 12>;

std::vector<ForceStiffness> force_stiffnesses(Workspace& ws) {
  std::vector<ForceStiffness> list;
  for (std::size_t i = 0; i < ws.forces.size(); ++i) {
    const Force& force = *ws.model.forces[i].force;
    force.resize_tangent(ws.force_tangent);
    force.tangent(ws.forces[i].in, ws.force_tangent);
    const auto& by_pose = ws.force_tangent.wrench.pose;
    list.push_back(-0.5 * (by_pose + by_pose.transpose()));
  }
  return list;
}

}  // namespace

std::vector<Participation> participation(Workspace& ws, const State& s, const Linearisation& l,
                                         const std::vector<ModelMode>& modes) {
  const Model& model = ws.model;
  evaluate(ws, s);
  const std::vector<ForceStiffness> stiffness = force_stiffnesses(ws);
  std::vector<Participation> out;
  for (const ModelMode& mode : modes) {
    const VecXc rate = mode.rate(l);
    std::vector<Share> kinetic, elastic;
    for (const Part& part : model.parts) {
      if (!part.moves()) continue;
      const VecXc u = rate.segment(part.z_start, part.z_size);
      const MatX M = l.M.block(part.z_start, part.z_start, part.z_size, part.z_size);
      kinetic.push_back({part.name, std::max(0.0, std::real(u.dot(M * u)))});
    }
    std::vector<double> energy(model.forces.size(), 0);
    MatX xi(model.nz, 2);
    xi << mode.xi.real(), mode.xi.imag();
    for (const Part& part : model.parts)
      if (part.flexible >= 0 && part.rotors.empty()) {
        const MatX q = xi.middleRows(part.z_start + 6, part.nq());
        const MatX& K = model.flexible[static_cast<std::size_t>(part.flexible)].Ke;
        elastic.push_back({part.name, std::max(0.0, (q.transpose() * K * q).trace())});
      }
    to_body_axes(ws, xi);
    for (Index k = 0; k < 2; ++k) {  // small motions of markers are velocities of the kinematics
      update_velocities(ws, xi.col(k));
      for (std::size_t i = 0; i < energy.size(); ++i) {
        const MarkerKinematics &a = *ws.forces[i].in.m[0], &b = *ws.forces[i].in.m[1];
        Vec12 d;
        d << a.v, a.w, b.v, b.w;
        energy[i] += d.dot(stiffness[i] * d);
      }
    }
    for (std::size_t i = 0; i < energy.size(); ++i)
      if (energy[i] > 0) elastic.push_back({model.forces[i].name, energy[i]});
    out.push_back({shares(std::move(kinetic)), shares(std::move(elastic))});
  }
  evaluate(ws, s);
  return out;
}

std::string kind_of_mode(const Eigenvalue& value) {
  if (value.s == 0.0) return "stands";
  const bool grows = value.s.real() > 0;
  if (!value.oscillates()) return grows ? "grows" : "decays";
  return grows ? "oscillates and grows" : "oscillates";
}

}  // namespace monocoque::analysis
