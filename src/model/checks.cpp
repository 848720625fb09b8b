#include "model/checks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/rotation.h"

namespace monocoque {

namespace {

/// Markers in no special position: whatever an element can feel, it feels here.
MarkerKinematics generic_marker(int k) {
  MarkerKinematics m;
  m.p = Vec3(0.31 + 0.17 * k, -0.23 + 0.41 * k, 0.57 - 0.29 * k);
  m.R = rotation_from_quaternion(Vec4(0.8, 0.3 - 0.2 * k, -0.4 + 0.1 * k, 0.33 + 0.15 * k).normalized());
  m.v = Vec3(0.7 - 0.9 * k, 0.2 + 0.3 * k, -0.5 + 0.8 * k);
  m.w = Vec3(-0.6 + 0.5 * k, 0.9 - 0.4 * k, 0.1 + 0.7 * k);
  m.a = m.alpha = Vec3::Zero();
  return m;
}

bool on_part(const Model& model, MarkerIndex m, std::size_t part) {
  return m.valid() && model.markers[m.at()].part.at() == part;
}

/// Whether the joint holds the rotation of its k-th marker.
bool holds_rotation(const Joint& joint, int k) {
  MarkerKinematics markers[kMaxMarkers];
  JointInput in;
  for (int i = 0; i < kMaxMarkers; ++i) {
    markers[i] = generic_marker(i);
    in.m[i] = &markers[i];
  }
  const std::vector<Taylor2> u(static_cast<std::size_t>(joint.signal_count() + 1), Taylor2{0.4, 0, 0});
  std::vector<double> memory(static_cast<std::size_t>(joint.memory_size() + 1), 0.0);
  in.u = u.data();
  joint.start_memory(in, memory.data());
  in.memory = memory.data();
  RowsByTwist W(joint.rows(), joint.twist_size());
  joint.velocity_matrix(in, W);
  return W.middleCols(6 * k + 3, 3).cwiseAbs().maxCoeff() > 1e-12;
}

/// Whether the force turns its k-th marker.
bool acts_with_torque(const Force& force, int k) {
  const MarkerKinematics markers[2] = {generic_marker(0), generic_marker(1)};
  ForceInput in;
  in.m[0] = &markers[0];
  in.m[1] = &markers[1];
  const std::vector<Taylor2> u(static_cast<std::size_t>(force.signal_count() + 1), Taylor2{1, 0, 0});
  const std::vector<double> c(kMaxInner, 0.0), w(kMaxInner, 1.0);
  const Vec6 reaction = Vec6::Ones();
  in.u = u.data();
  in.c = c.data();
  in.w = w.data();
  in.reaction = &reaction;
  Vec12 wrench = Vec12::Zero();
  force.wrench(in, wrench);
  return wrench.segment<3>(6 * k + 3).cwiseAbs().maxCoeff() > 1e-9 * wrench.cwiseAbs().maxCoeff();
}

/// A massless part that nothing holds makes the equations singular: say so before any number is computed.
void check_massless(const Model& model, std::size_t i, Diagnostics& diagnostics) {
  const Part& part = model.parts[i];
  if (part.mass > 0) return;
  const bool held = std::any_of(model.joints.begin(), model.joints.end(), [&](const JointInstance& j) {
    return j.joint->rows() > 0 && std::any_of(j.markers.begin(), j.markers.end(),
                                              [&](MarkerIndex m) { return on_part(model, m, i); });
  });
  if (!held)
    diagnostics.error(part.place, fmt::format("part '{}'", part.name),
                      "it has no mass and no joint holds it, so its motion is undefined",
                      "give it mass_kg, or a joint");
}

/// A particle does not turn: a joint or force that needs it to would lose its torque there.
void check_particle(const Model& model, std::size_t i, Diagnostics& diagnostics) {
  const Part& part = model.parts[i];
  if (part.kind != io::PartKind::particle) return;
  const std::string remedy = fmt::format(
      "make '{}' a rigid part (kind: rigid with inertia_kg_m2), or take an element that needs no rotation "
      "there",
      part.name);
  for (const JointInstance& j : model.joints)
    for (int k = 0; k < j.joint->marker_count() && j.joint->rows() > 0; ++k)
      if (on_part(model, j.markers[static_cast<std::size_t>(k)], i) && holds_rotation(*j.joint, k)) {
        diagnostics.error(
            j.place, j.label,
            fmt::format("it holds the rotation of '{}', which is a particle and has none", part.name),
            remedy);
        break;
      }
  for (const ForceInstance& f : model.forces)
    for (int k = 0; k < 2; ++k)
      if (on_part(model, f.markers[static_cast<std::size_t>(k)], i) && acts_with_torque(*f.force, k)) {
        diagnostics.error(
            f.place, f.label,
            fmt::format("it acts with a torque on '{}', which is a particle and cannot turn", part.name),
            k == 0 ? remedy + ", or exchange from and to" : remedy);
        break;
      }
}

/// The frame of a flexible part is a mathematical one: nothing can hold on to it.
void check_flexible(const Model& model, std::size_t i, Diagnostics& diagnostics) {
  const Part& part = model.parts[i];
  if (part.kind != io::PartKind::flexible) return;
  const auto check = [&](MarkerIndex m, const Place& place, const std::string& label) {
    if (!on_part(model, m, i) || model.markers[m.at()].shape >= 0) return;
    diagnostics.error(
        place, label,
        fmt::format("it holds on to '{}', the reference frame of a flexible part, which is no point of "
                    "its material",
                    model.markers[m.at()].name),
        "attach it to a frame with `node`");
  };
  for (const JointInstance& j : model.joints)
    for (int k = 0; k < j.joint->marker_count(); ++k)
      check(j.markers[static_cast<std::size_t>(k)], j.place, j.label);
  for (const ForceInstance& f : model.forces)
    for (const MarkerIndex m : f.markers) check(m, f.place, f.label);
}

}  // namespace

void check_parts(const Model& model, Diagnostics& diagnostics) {
  for (std::size_t i = 1; i < model.parts.size(); ++i) {
    check_massless(model, i, diagnostics);
    check_particle(model, i, diagnostics);
    check_flexible(model, i, diagnostics);
  }
}

}  // namespace monocoque
