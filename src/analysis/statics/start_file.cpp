#include "analysis/statics/start_file.h"

#include <fstream>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include "io/files/json.h"

#include "core/error.h"
#include "core/rotation.h"

namespace monocoque::analysis {

namespace {

using Json = nlohmann::ordered_json;

template <class Vector>
Json list_of(const Vector& v) {
  Json out = Json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) out.push_back(v[i]);
  return out;
}

template <class Vector>
void read_into(const Json& json, const char* key, Vector& out) {
  const Json& list = json.at(key);
  if (list.size() != static_cast<std::size_t>(out.size()))
    throw Error("start", fmt::format("'{}' has {} numbers, {} are wanted", key, list.size(), out.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = list.at(static_cast<std::size_t>(i)).get<double>();
}

void apply_part(const Json& json, io::PartSpec& p) {
  read_into(json, "position_m", p.position_m);
  read_into(json, "velocity_m_per_s", p.velocity_m_per_s);
  if (p.kind == io::PartKind::particle) return;
  read_into(json, "quaternion", p.quaternion);
  read_into(json, "angular_velocity_rad_per_s", p.angular_velocity_rad_per_s);
  if (json.contains("rotors"))
    for (io::RotorSpec& r : p.rotors) {
      r.angle_rad = json.at("rotors").at(r.name).at("angle_rad").get<double>();
      r.speed_rad_per_s = json.at("rotors").at(r.name).at("speed_rad_per_s").get<double>();
    }
  if (json.contains("elastic_position")) {
    p.elastic_position = json.at("elastic_position").get<std::vector<double>>();
    p.elastic_velocity = json.at("elastic_velocity").get<std::vector<double>>();
  }
}

}  // namespace

std::string start_text(const Model& model, const State& s, const std::map<std::string, double>& signals) {
  Json parts = Json::object();
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    Json json;
    Vec3 p = s.x.segment<3>(part.x_start), v = s.z.segment<3>(part.z_start);
    if (!part.turns()) {
      parts[part.name] = {{"position_m", list_of(p)}, {"velocity_m_per_s", list_of(v)}};
      continue;
    }
    const Vec4 q = s.x.segment<4>(part.x_start + 3);
    const Mat3 R = rotation_from_quaternion(q);
    const Vec3 w = R * s.z.segment<3>(part.z_start + 3);
    // The state of a rigid part is that of its centre of mass, the file has that of its frame.
    if (part.flexible < 0) {
      const Vec3 arm = -(R * part.center_of_mass);
      p += arm;
      v += w.cross(arm);
    }
    json = {{"position_m", list_of(p)},
            {"quaternion", list_of(q)},
            {"velocity_m_per_s", list_of(v)},
            {"angular_velocity_rad_per_s", list_of(w)}};
    for (std::size_t k = 0; k < part.rotors.size(); ++k) {
      const int at = static_cast<int>(k);
      json["rotors"][part.rotors[k]] = {{"angle_rad", s.x[part.x_start + 7 + at]},
                                        {"speed_rad_per_s", s.z[part.z_start + 6 + at]}};
    }
    if (part.rotors.empty() && part.nq() > 0) {
      json["elastic_position"] = list_of(VecX(s.x.segment(part.x_start + 7, part.nq())));
      json["elastic_velocity"] = list_of(VecX(s.z.segment(part.z_start + 6, part.nq())));
    }
    parts[part.name] = json;
  }
  const Json out = {{"monocoque_start", 1}, {"model", model.name}, {"signals", signals}, {"parts", parts}};
  return out.dump(1) + "\n";
}

void apply_start(io::ModelSpec& spec, const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw Error(Place{path, 0}, "", "the start file cannot be read", "see `monocoque equilibrium --start`");
  Json json;
  try {
    json = Json::parse(file);
    if (!json.contains("monocoque_start")) throw Error(Place{path, 0}, "", "this is no start file", "");
    for (io::PartSpec& p : spec.parts) {
      if (p.kind == io::PartKind::ground) continue;
      if (!json.at("parts").contains(p.name))
        throw Error(Place{path, 0}, fmt::format("part '{}'", p.name), "the start file does not have it",
                    "it belongs to another model");
      apply_part(json.at("parts").at(p.name), p);
    }
    for (const auto& [name, value] : json.at("signals").items())
      for (io::SignalSpec& s : spec.signals)
        if (s.name == name && s.controller.empty()) s.function = TimeFunction::constant(value.get<double>());
  } catch (const nlohmann::json::exception& e) {
    throw Error(Place{path, 0}, "start", e.what(), "write it anew by `monocoque equilibrium --start`");
  }
}

}  // namespace monocoque::analysis
