#pragma once
// Small models around one element of each registered type, for tests that run over the whole library.

#include <memory>
#include <string>
#include <vector>

#include "core/rotation.h"
#include "io/model/specification.h"
#include "lumped_body.h"
#include "model/model.h"

namespace monocoque::test {

inline io::PartSpec generic_part(const std::string& name, const Vec3& position, const Vec3& turn) {
  io::PartSpec part;
  part.name = name;
  part.mass_kg = 2.3;
  part.inertia_kg_m2 << 0.31, 0.02, -0.03, 0.02, 0.44, 0.04, -0.03, 0.04, 0.52;
  part.center_of_mass_m = Vec3(0.11, -0.07, 0.05);
  part.position_m = position;
  part.quaternion = quaternion_from_rotation_vector(turn);
  part.velocity_m_per_s = Vec3(0.4, -0.3, 0.2);
  part.angular_velocity_rad_per_s = Vec3(0.9, 0.5, -0.7);
  io::FrameSpec frame;
  frame.name = "f";
  frame.position_m = Vec3(0.21, 0.13, -0.17);
  frame.rotation = rotation_from_rotation_vector(Vec3(0.2, -0.3, 0.15));
  part.frames.push_back(frame);
  return part;
}

/// A part that bends; frame "f" sits on its third node, with an arm.
inline io::PartSpec flexible_part(const std::string& name, const LumpedBody& body, const Vec3& position,
                                  const Vec3& turn) {
  io::PartSpec part = generic_part(name, position, turn);
  part.kind = io::PartKind::flexible;
  part.center_of_mass_m.setZero();
  part.body = std::make_shared<const io::Sid>(body.sid());
  part.frames[0].node = 3;
  return part;
}

/// A flexible part alone under gravity; `sid` stands for the body's own when given.
inline std::unique_ptr<const Model> free_model(const LumpedBody& body, const Vec3& gravity,
                                               std::shared_ptr<const io::Sid> sid = nullptr) {
  io::ModelSpec spec;
  spec.gravity_m_per_s2 = gravity;
  io::PartSpec ground;
  ground.name = "ground";
  ground.kind = io::PartKind::ground;
  spec.parts = {ground, flexible_part("a", body, Vec3(0.1, 0.2, 0.3), Vec3(0.3, 0.1, -0.2))};
  if (sid) spec.parts[1].body = std::move(sid);
  return build_model(spec);
}

inline io::InteractSpec interact(const io::TypeInfo& type, const std::string& name, const std::string& from,
                                 const std::string& to) {
  io::InteractSpec s;
  s.name = name;
  s.type = type.name;
  s.group = type.group;
  s.parameters = io::example_parameters(type);
  const std::size_t frames = io::frame_keys(type.attachment).size();
  if (frames > 0) s.ends = {{from, "f", {}}, {to, "f", {}}};
  if (frames == 4) s.ends.insert(s.ends.end(), {{"c", "f", {}}, {"ground", "origin", {}}});
  return s;
}

/// ground, two parts and the element between them; helper joints where the element needs some. The first
/// part is rigid or flexible, so is the second.
inline std::unique_ptr<const Model> model_with(const io::TypeInfo& type, bool first_bends = false,
                                               bool second_bends = false,
                                               const LumpedBody& first = LumpedBody(6, 2, 1),
                                               const LumpedBody& second = LumpedBody(7, 3, 2)) {
  io::ModelSpec spec;
  spec.name = type.name;
  io::PartSpec ground;
  ground.name = "ground";
  ground.kind = io::PartKind::ground;
  spec.parts = {ground, generic_part("a", Vec3(0.1, 0.2, 0.3), Vec3(0.3, 0.1, -0.2)),
                generic_part("b", Vec3(0.7, 0.15, 0.45), Vec3(-0.2, 0.25, 0.1)),
                generic_part("c", Vec3(-0.4, 0.3, 0.6), Vec3(0.1, -0.2, 0.3))};
  if (first_bends) spec.parts[1] = flexible_part("a", first, Vec3(0.1, 0.2, 0.3), Vec3(0.3, 0.1, -0.2));
  if (second_bends) spec.parts[2] = flexible_part("b", second, Vec3(0.7, 0.15, 0.45), Vec3(-0.2, 0.25, 0.1));
  const io::TypeInfo& revolute = *element_library().find("revolute");
  io::InteractSpec element = interact(type, "element", "a", "b");
  if (io::frame_keys(type.attachment).empty()) {
    spec.interacts.push_back(interact(revolute, "first", "a", "b"));
    element.targets = {"first"};
  }
  if (type.attachment == io::Attachment::two_joints) {
    spec.interacts.push_back(interact(revolute, "second", "b", "c"));
    element.targets = {"first", "second"};
  }
  spec.interacts.push_back(element);
  return build_model(spec);
}

inline std::vector<io::TypeInfo> acting_types() {
  std::vector<io::TypeInfo> out;
  for (const auto& t : joint_types()) out.push_back(t.info);
  for (const auto& t : force_types()) out.push_back(t.info);
  return out;
}

}  // namespace monocoque::test
