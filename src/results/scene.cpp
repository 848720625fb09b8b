#include "results/scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include "io/files/json.h"

#include "core/rotation.h"
#include "elements/registry.h"
#include "elements/tires/tire_force.h"
#include "io/body/body_shapes.h"
#include "io/mesh/triangle_mesh.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostShownShapes = 200;     ///< more elastic coordinates: markers are drawn undeformed
constexpr double kUsualTireWidth = 0.65;  ///< of the radius, where nobody says more

Json numbers(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

SceneAsset surface_of(const io::PartMesh& mesh, const Part& part) {
  SceneAsset out;
  if (std::filesystem::path(mesh.file).extension() == ".h5") {
    io::BodyShapes shapes = io::read_body_shapes(mesh.file);
    out.points = shapes.points.cast<float>();
    for (const auto& f : shapes.faces) {
      out.triangles.push_back({f[0], f[1], f[2]});
      if (f[3] >= 0) out.triangles.push_back({f[0], f[2], f[3]});
    }
    out.lines = std::move(shapes.lines);
    // The surface of another body than the part's own (by --set, say) is drawn as it lies.
    if (part.rotors.empty() && part.nq() > 0 && shapes.coordinate_count() == part.nq()) {
      out.modes = std::move(shapes.modes);
      out.stress = std::move(shapes.stress);
    }
  } else {
    io::TriangleMesh triangles = io::read_triangle_mesh(mesh.file);
    out.points = std::move(triangles.points);
    out.triangles = std::move(triangles.triangles);
  }
  out.points *= static_cast<float>(mesh.scale);
  if (mesh.mirrored) {
    out.points.row(1) *= -1;
    for (auto& t : out.triangles) std::swap(t[1], t[2]);
  }
  const Vec3 frame = part.flexible >= 0 && part.rotors.empty() ? Vec3::Zero() : part.center_of_mass;
  out.points.colwise() -= frame.cast<float>();
  return out;
}

Json part_json(const Part& part, const io::PartSpec& spec, const Model& model,
               std::vector<SceneAsset>& assets) {
  static const char* const kKinds[] = {"ground", "rigid", "particle", "flexible"};
  Json out = {{"name", part.name},     {"kind", kKinds[static_cast<int>(spec.kind)]},
              {"mass", part.mass},     {"x", part.moves() ? part.x_start : -1},
              {"turns", part.turns()}, {"nq", part.nq()}};
  const bool bends = part.flexible >= 0 && part.rotors.empty();
  out["com"] = numbers(bends ? part.center_of_mass : Vec3::Zero());
  out["origin"] = numbers(part.moves() ? model.markers[part.origin.at()].r : Vec3::Zero());
  if (!spec.mesh.file.empty()) {
    out["asset"] = assets.size();
    assets.push_back(surface_of(spec.mesh, part));
  }
  Json rotors = Json::array();
  for (std::size_t k = 0; k < spec.rotors.size(); ++k)
    rotors.push_back({{"name", spec.rotors[k].name},
                      {"position", numbers(spec.rotors[k].position_m - part.center_of_mass)},
                      {"axis", numbers(spec.rotors[k].axis)},
                      {"q", k}});
  if (!rotors.empty()) out["rotors"] = rotors;
  return out;
}

Json marker_json(const Marker& marker, const Model& model, const io::PartSpec& spec) {
  const Part& part = model.parts[marker.part.at()];
  const Vec4 q = quaternion_from_rotation(marker.R);
  Json out = {{"name", marker.name},
              {"part", marker.part.at()},
              {"position", numbers(marker.r)},
              {"quaternion", {q[0], q[1], q[2], q[3]}}};
  if (marker.shape < 0) return out;
  if (!part.rotors.empty()) {
    const std::string frame = marker.name.substr(marker.name.rfind('.') + 1);
    for (const io::FrameSpec& f : spec.frames)
      for (std::size_t k = 0; k < spec.rotors.size(); ++k)
        if (f.name == frame && f.rotor == spec.rotors[k].name) out["rotor"] = k;
    return out;
  }
  if (part.nq() > kMostShownShapes) return out;
  const Mat3X& Phi = model.shapes[static_cast<std::size_t>(marker.shape)].Phi;
  Json phi = Json::array();
  for (int i = 0; i < 3; ++i) {
    Json row = Json::array();
    // Six digits draw well enough, and keep the text short.
    for (Eigen::Index k = 0; k < Phi.cols(); ++k) row.push_back(std::stod(fmt::format("{:.6g}", Phi(i, k))));
    phi.push_back(row);
  }
  out["phi"] = phi;
  return out;
}

/// The viewer's word for a drawing (docs/viewer-protocol.md).
const char* drawn_as(const ForceInstance& force) {
  const io::TypeInfo* type = element_library().find(force.type);
  switch (type != nullptr ? type->drawing : io::Drawing::none) {
    case io::Drawing::tire:
      return "tire";
    case io::Drawing::spring:
      return "spring";
    case io::Drawing::line:
      return "line";
    case io::Drawing::none:
      break;
  }
  return "none";
}

Json lane_json(const LaneGeometry& lane) {
  Json cones = Json::array(), limits = Json::array(), path = Json::array();
  for (const Cone& c : lane.cones) cones.push_back({c.x_m, c.y_m, c.side, lane.cone_radius_m});
  for (const LaneLimit& l : lane.limits) {
    Json line = Json::array();
    for (std::size_t i = 0; i < l.x_m.size(); ++i) line.push_back({l.x_m[i], l.y_m[i]});
    limits.push_back(line);
  }
  for (std::size_t i = 0; i < lane.path_x_m.size(); ++i) path.push_back({lane.path_x_m[i], lane.path_y_m[i]});
  return {{"cones", cones},
          {"limits", limits},
          {"path", path},
          {"outline", {lane.outline.width_m, lane.outline.front_m, lane.outline.rear_m}}};
}

/// The part with the lane's outline, else the heaviest that moves.
int followed_part(const Model& model) {
  if (model.lane && model.lane_marker.valid())
    return static_cast<int>(model.markers[model.lane_marker.at()].part.at());
  int best = 0;
  for (std::size_t i = 1; i < model.parts.size(); ++i)
    if (model.parts[i].moves() &&
        (best == 0 || model.parts[i].mass > model.parts[static_cast<std::size_t>(best)].mass))
      best = static_cast<int>(i);
  return best;
}

}  // namespace

Scene describe_scene(const io::ModelSpec& spec, const Model& model) {
  Scene scene;
  scene.row = static_cast<std::size_t>(model.nx);
  scene.arrows = 3 * (model.forces.size() + model.joints.size());
  scene.vehicle = followed_part(model);
  Json parts = Json::array(), markers = Json::array(), joints = Json::array(), forces = Json::array();
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    parts.push_back(part_json(model.parts[i], spec.parts[i], model, scene.assets));
  for (const Marker& m : model.markers) markers.push_back(marker_json(m, model, spec.parts[m.part.at()]));
  std::size_t arrow = 0;
  for (const ForceInstance& f : model.forces) {
    Json entry = {{"name", f.name}, {"type", f.type}, {"markers", Json::array()}, {"arrow", arrow}};
    for (const MarkerIndex m : f.markers)
      if (m.valid()) entry["markers"].push_back(m.at());
    entry["draw"] = drawn_as(f);
    if (const auto* tire = dynamic_cast<const TireForce*>(f.force.get())) {
      const double radius = tire->law().unloaded_radius();
      entry["tire"] = {{"radius", radius}, {"width", kUsualTireWidth * radius}};
    }
    forces.push_back(entry);
    arrow += 3;
  }
  for (const JointInstance& j : model.joints) {
    Json entry = {{"name", j.name}, {"type", j.type}, {"markers", Json::array()}, {"arrow", arrow}};
    for (const MarkerIndex m : j.markers)
      if (m.valid()) entry["markers"].push_back(m.at());
    joints.push_back(entry);
    arrow += 3;
  }
  Json json = {{"version", 1},     {"model", model.name},    {"gravity", numbers(model.gravity)},
               {"row", scene.row}, {"arrows", scene.arrows}, {"vehicle", scene.vehicle},
               {"parts", parts},   {"markers", markers},     {"joints", joints},
               {"forces", forces}};
  if (model.lane) json["lane"] = lane_json(model.lane->geometry);
  json["road"] = {{"flat", !model.road || model.road->shortest_wavelength_m() == 0},
                  {"description", model.road ? model.road->description() : "flat"}};
  scene.json = json.dump();
  return scene;
}

void fill_arrows(const Model& model, const Workspace& ws, float* out) {
  const auto put = [&](const Vec3& v) {
    for (int i = 0; i < 3; ++i) *out++ = static_cast<float>(v[i]);
  };
  for (const auto& f : ws.forces) put(f.wrench.segment<3>(6));
  for (std::size_t i = 0; i < model.joints.size(); ++i) put(ws.joints[i].reaction.head<3>());
}

}  // namespace monocoque
