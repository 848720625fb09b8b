#include "apps/bench/cars.h"

#include <filesystem>

#include <fmt/format.h>

#include "body/body_in_white.h"
#include "elements/registry.h"
#include "fe/assemble.h"
#include "reduce/reduce_body.h"

namespace monocoque::bench {

namespace {

constexpr int kShipped = 40, kDomes = 4, kInterfaces = 20;
constexpr int kLargestQuick = 100;  ///< body of which quick runs take theirs
constexpr int kLargest = 1000;
constexpr int kLargestCoupled =
    100;  ///< more modes than this: couplings between elastic coordinates left out

/// The first elastic coordinates of a body, which are those of the lowest frequencies.
io::Sid first_of(const io::Sid& all, int nq) {
  io::Sid s = all;
  const auto n = static_cast<std::size_t>(nq);
  s.nq = nq;
  s.mode_names.resize(n);
  for (io::SidNode& node : s.nodes) {
    for (io::SidTaylor* t : {&node.origin, &node.AP}) t->first.resize(n);
    for (io::SidTaylor* t : {&node.phi, &node.psi, &node.sigma}) {
      if (t->zero.size() > 0) t->zero = t->zero.leftCols(nq).eval();
      t->first.clear();
    }
  }
  s.mdCM.first.resize(n);
  s.J.first.resize(n);
  if (!s.J.second.empty()) s.J.second.resize(n * (n + 1) / 2);
  for (io::SidTaylor* t : {&s.Ct, &s.Cr, &s.Oe, &s.ksigma}) {
    t->zero = t->zero.topRows(nq).eval();
    if (!t->first.empty()) t->first.resize(n);
    for (MatX& m : t->first) m = m.topRows(nq).eval();
  }
  for (io::SidTaylor* t : {&s.Me, &s.Ke, &s.De}) t->zero = t->zero.topLeftCorner(nq, nq).eval();
  s.Gr.zero = s.Gr.zero.leftCols(3 * nq).eval();
  if (!s.Gr.first.empty()) s.Gr.first.resize(n);
  for (MatX& m : s.Gr.first) m = m.leftCols(3 * nq).eval();
  s.Ge.zero = s.Ge.zero.topLeftCorner(nq, 3 * nq).eval();
  return s;
}

/// What `inertia_couplings: neglected` would not read; the file of 1000 modes is a tenth without it.
void drop_couplings(io::Sid& s) {
  s.J.second.clear();
  for (io::SidTaylor* t : {&s.Cr, &s.Gr, &s.Oe}) t->first.clear();
  s.Ge.zero.setZero();
}

/// As scripts/camry_body, with more modes.
io::Sid reduced(const Bench& bench, int nq) {
  bench.say(fmt::format("a body with {} elastic coordinates is made from the mesh (once)", nq));
  const body::BodyParameters parameters;
  const body::BodyInWhite made = body::make_body(parameters);
  const FeSystem system = assemble(made.mesh);
  reduce::ReduceOptions o;
  for (int i = 1; i <= kDomes; ++i) o.boundary.push_back({i, 7});
  for (int i = kDomes + 1; i <= kInterfaces; ++i) o.interface_nodes.push_back(i);
  o.statics = reduce::StaticModes::attachment;
  o.dynamics = reduce::DynamicModes::free;
  o.modes = nq - 3 * kDomes;
  o.damping.ratio = 0.01;
  o.origin_m = Vec3(parameters.centre_x_m, 0, parameters.centre_z_m);
  o.log = [&](const std::string& line) { bench.say(line); };
  const reduce::NodeMap map(system);
  io::Sid sid = reduce::reduce_body(system, map, o).sid;
  if (sid.nq != nq) throw Error("bench", fmt::format("the mesh gave {} coordinates, not {}", sid.nq, nq), "");
  if (nq > kLargestCoupled) drop_couplings(sid);
  return sid;
}

std::string kept_body(const Bench& bench, int modes) {
  namespace fs = std::filesystem;
  const std::string folder = cache_folder();
  std::string path = fmt::format("{}/camry-body-{}.h5", folder, modes);
  if (fs::exists(path)) return path;
  fs::create_directories(folder);
  const int source = modes <= kLargestQuick ? kLargestQuick : kLargest;
  const io::Sid sid =
      modes == source ? reduced(bench, modes) : first_of(io::read_sid(kept_body(bench, source)), modes);
  const std::string part = path + ".part.h5";  // a file that is there is whole
  io::write_sid(sid, part);
  fs::rename(part, path);
  return path;
}

}  // namespace

LoadedScenario straight_car(const std::string& model, std::vector<std::string> overrides) {
  overrides.emplace_back("speed_m_per_s=60/3.6");
  return load_scenario(shipped_model("camry/" + model), overrides);
}

LoadedScenario straight_car(const Bench& bench, const std::string& model, int modes,
                            const std::vector<std::string>& overrides) {
  std::vector<std::string> set = overrides;
  set.emplace_back("parts.car.elasticity=off");
  if (modes == 0) return straight_car(model, set);
  if (modes == kShipped) return straight_car(model, overrides);
  LoadedScenario car = straight_car(model, set);  // rigid: its nominal forces stay
  set = overrides;
  set.insert(set.end(), {"speed_m_per_s=60/3.6", "parts.car.body=" + kept_body(bench, modes)});
  if (modes > kLargestCoupled)
    set.insert(set.end(), {"parts.car.inertia_couplings=neglected", "parts.car.geometric_stiffening=off"});
  Diagnostics diagnostics;
  io::ScenarioSpec flexible =
      io::read_scenario(shipped_model("camry/" + model), element_library(), read_options(set), diagnostics);
  diagnostics.throw_if_errors();
  car.spec.model.parts = std::move(flexible.model.parts);
  car.model = build_model(car.spec.model);
  return car;
}

io::SimulationSpec real_time(io::SimulationSpec s, double step_s) {
  s.solver = "linearly-implicit-euler";
  s.constraints = "";
  s.stabilisation = kBaumgarte;
  s.baumgarte_alpha = 0.5 / step_s;
  s.jacobian = "rigid-forces";
  s.linear_solver = "structured";
  s.matrix_steps = step_s > 2e-3 ? 2 : 8;
  s.step_s = step_s;
  return s;
}

std::string road_train(int trailers) {
  constexpr double kFirst_m = -2.5, kUnit_m = 4;  // as models/vehicles/road-train.yaml
  std::string text = fmt::format("monocoque: 1\nname: Camry with {} trailers\ninclude:\n", trailers);
  for (const char* file : {"camry/body.yaml", "camry/car-rigid.yaml", "camry/wheels-on-carriers.yaml",
                           "camry/reference-tires.yaml", "vehicles/trailer.yaml"})
    text += fmt::format("  - {}\n", shipped_model(file));
  if (trailers == 0) return text;
  text += "subsystems:\n";
  for (int i = 1; i <= trailers; ++i)
    text += fmt::format("  - {{name: T{}, type: trailer, connect: {{ahead: {}}}, parameters: {{x: {:g}}}}}\n",
                        i, i == 1 ? "car" : fmt::format("T{}/body", i - 1), kFirst_m - kUnit_m * (i - 1));
  text += "nominal:\n  unknowns:\n";
  for (int i = 1; i <= trailers; ++i)
    text += fmt::format(
        "    - {{of: [T{0}/left_spring.preload_N, T{0}/right_spring.preload_N]}}\n"
        "    - {{of: [T{0}/left_tire.radius_m, T{0}/right_tire.radius_m]}}\n",
        i);
  return text;
}

}  // namespace monocoque::bench
