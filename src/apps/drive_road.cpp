#include "apps/drive_road.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include "io/files/json.h"

#include "core/decompositions.h"
#include "core/rotation.h"
#include "elements/tires/tire_force.h"
#include "model/state.h"

namespace monocoque {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRoadValues = "give flat, random:A to random:E, or the path of an OpenCRG file (.crg)";
constexpr const char* kLevelRoad = "road=[{type: flat}]";
constexpr double kSteepest = 0.3;  ///< slope on which a car that stands would slide

bool sets_road(const std::string& key) {
  return key == "road" || key.starts_with("road.");
}

/// What is wrong with where the car starts: said of the option or of the place in the file.
Error wrong_start(const std::string& road, const Place& place, const std::string& problem,
                  const std::string& remedy) {
  return road.empty() ? Error(place, "drive", problem, remedy)
                      : Error("--road", fmt::format("{}: {}", road, problem), remedy);
}

/// Least squares plane z = a + b x + c y below the wheels.
Vec3 plane_below_wheels(const Model& model, const std::string& road, const Place& place) {
  const State s = initial_state(model);
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  int wheels = 0;
  double heights = 0;
  for (const ForceInstance& force : model.forces) {
    if (dynamic_cast<const TireForce*>(force.force.get()) == nullptr) continue;
    const Marker& marker = model.markers[force.markers[1].at()];
    const Part& part = model.parts[marker.part.at()];
    const Vec3 p =
        s.x.segment<3>(part.x_start) + rotation_from_quaternion(s.x.segment<4>(part.x_start + 3)) * marker.r;
    RoadHint hint;
    RoadSample below;
    model.road->sample(p.x(), p.y(), hint, below);
    if (!below.on_road)
      throw wrong_start(road, place,
                        fmt::format("'{}' would stand beside the road, at x = {:.3g} m, y = {:.3g} m",
                                    force.name, p.x(), p.y()),
                        "the car starts at the origin along x: the road must begin behind it");
    const Vec3 row(1, p.x(), p.y());
    A += row * row.transpose();
    b += row * below.z;
    heights += below.z;
    ++wheels;
  }
  if (wheels == 0) return Vec3::Zero();
  if (wheels < 3) return {heights / wheels, 0, 0};
  return A.ldlt().solve(b);
}

/// Everything turns and rises together, so that joints stay closed.
void lay_on(const Vec3& plane, io::ModelSpec& spec) {
  const Vec3 normal = Vec3(-plane[1], -plane[2], 1).normalized();
  const Vec3 axis(-normal.y(), normal.x(), 0);  // z cross normal
  const double sine = axis.norm();
  const Vec4 turn =
      sine > 1e-12 ? quaternion_from_axis_angle(Vec3(axis / sine), std::asin(sine)) : Vec4(1, 0, 0, 0);
  const Mat3 R = rotation_from_quaternion(turn);
  for (std::size_t i = 1; i < spec.parts.size(); ++i) {  // the first is the ground
    io::PartSpec& part = spec.parts[i];
    part.position_m = R * part.position_m + Vec3(0, 0, plane[0]);
    part.quaternion = multiply(turn, part.quaternion).normalized();
    part.velocity_m_per_s = R * part.velocity_m_per_s;
    part.angular_velocity_rad_per_s = R * part.angular_velocity_rad_per_s;
  }
}

}  // namespace

std::string road_override(const std::string& road) {
  if (road == "flat") return kLevelRoad;
  const std::string random = "random:";
  if (road.starts_with(random)) {
    const std::string kind = road.substr(random.size());
    if (kind.size() != 1 || kind[0] < 'A' || kind[0] > 'E')
      throw Error("--road", fmt::format("'{}' is none of the classes A to E of ISO 8608", kind), kRoadValues);
    return fmt::format("road=[{{type: random, class: {}, seed: 1, start_m: 5}}]", kind);
  }
  if (!road.ends_with(".crg")) throw Error("--road", fmt::format("'{}' is no road", road), kRoadValues);
  std::error_code ignored;
  if (!fs::is_regular_file(road, ignored))
    throw Error(Place{road, 0}, "--road", "the file does not exist or is no file", "check the path");
  return fmt::format("road=[{{type: opencrg, file: {}}}]",
                     nlohmann::json(fs::absolute(road).string()).dump());
}

LoadedScenario load_on_road(const std::string& path, const std::vector<std::string>& overrides,
                            const std::string& road) {
  Overrides wanted = expand_overrides(overrides);
  std::vector<std::string> level;
  for (const auto& [key, value] : wanted.values)
    if (!sets_road(key)) level.push_back(key + "=" + value);
  for (const std::string& file : wanted.states) level.push_back("@" + file);
  level.emplace_back(kLevelRoad);
  if (!road.empty()) {
    if (std::any_of(wanted.values.begin(), wanted.values.end(),
                    [](const auto& value) { return sets_road(value.first); }))
      throw Error("--road", "--set gives a road, too", "leave one of them out");
    const std::string text = road_override(road);
    const std::size_t equals = text.find('=');
    wanted.values.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    wanted.places.emplace_back();
  }
  io::ScenarioSpec with_road = read_specification(path, wanted);
  LoadedScenario out = load_scenario(path, level);
  out.spec.model.road = std::move(with_road.model.road);
  if (out.spec.model.road.empty()) return out;
  out.model = build_model(out.spec.model);
  const Place place = out.spec.model.road.front().place;
  const Vec3 plane = plane_below_wheels(*out.model, road, place);
  const double slope = std::hypot(plane[1], plane[2]);
  if (slope > kSteepest)
    throw wrong_start(road, place,
                      fmt::format("it rises by {:.2g} m/m where the car starts, which would slide", slope),
                      fmt::format("at most {}", kSteepest));
  if (plane.isZero()) return out;
  lay_on(plane, out.spec.model);
  out.model = build_model(out.spec.model);
  return out;
}

}  // namespace monocoque
