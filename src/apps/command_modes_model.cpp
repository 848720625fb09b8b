// `monocoque modes` of a reduced body and of a whole model.

#include <fmt/format.h>

#include "analysis/free_body.h"
#include "analysis/linearise.h"
#include "apps/commands.h"
#include "apps/common.h"
#include "integrate/consistent.h"
#include "integrate/integrator.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::Eigenvalue;

Json json_of(const Eigenvalue& e, std::size_t number) {
  return {{"mode", number},
          {"frequency_Hz", json_number(e.undamped_Hz())},
          {"damped_Hz", json_number(e.damped_Hz())},
          {"damping_ratio", json_number(e.damping_ratio())},
          {"real_per_s", json_number(e.s.real())},
          {"imag_per_s", json_number(e.s.imag())}};
}

std::string row_of(const Eigenvalue& e, std::size_t number) {
  return fmt::format("{:4}  {:14.6f}  {:14.6f}  {:10.6f}  {:12.5g} {:+13.5g} i", number, e.undamped_Hz(),
                     e.damped_Hz(), e.damping_ratio(), e.s.real(), e.s.imag());
}

constexpr const char* kHeading =
    "mode  undamped [Hz]   damped [Hz]     damping     eigenvalue [1/s]           ";

/// How many to show: those asked for, or all.
template <class List>
std::size_t shown(const ModesCommand& o, const List& list, std::size_t zeros) {
  std::size_t n = list.size();
  if (o.modes) n = std::min(n, zeros + static_cast<std::size_t>(*o.modes));
  return n;
}

bool beyond(const ModesCommand& o, const Eigenvalue& e) {
  return o.frequency_limit_Hz > 0 && e.undamped_Hz() > o.frequency_limit_Hz;
}

std::string kind_of_state(const analysis::Linearisation& l) {
  if (l.in_equilibrium()) return "equilibrium";
  return l.at_rest() ? "at rest, not in equilibrium" : "in motion";
}

void print_remark(const analysis::Linearisation& l, double t) {
  if (l.in_equilibrium())
    fmt::print("linearised at the equilibrium at t = {:.6g} s\n", t);
  else if (l.at_rest())
    fmt::print(
        "linearised at t = {:.6g} s at the initial state, which is at rest but no equilibrium (largest "
        "acceleration\n{:.4g}): with its own accelerations and reactions, so the eigenvalues tell how "
        "motions "
        "beside it part from it\n",
        t, l.largest_acceleration);
  else
    fmt::print(
        "linearised at t = {:.6g} s along the initial motion (largest speed {:.4g}, acceleration {:.4g}), "
        "with "
        "its own\naccelerations and reactions: the eigenvalues hold for this instant, for longer only if the "
        "motion is steady\n",
        t, l.largest_speed, l.largest_acceleration);
}

}  // namespace

int command_modes_of_body(const ModesCommand& o) {
  const io::Sid sid = io::read_sid(o.mesh.path);
  const std::vector<Eigenvalue> list = analysis::free_body_modes(sid);
  const std::size_t n = shown(o, list, 0);
  if (o.json) {
    Json modes = Json::array();
    for (int i = 0; i < 6; ++i) modes.push_back({{"mode", i + 1}, {"frequency_Hz", 0.0}, {"rigid", true}});
    for (std::size_t i = 0; i < n; ++i) {
      if (beyond(o, list[i])) break;
      Json j = json_of(list[i], i + 7);
      j["rigid"] = false;
      modes.push_back(j);
    }
    const Json json = {{"body", o.mesh.path},
                       {"name", sid.name},
                       {"mass_kg", json_number(sid.mass_kg)},
                       {"elastic_coordinates", sid.nq},
                       {"nodes", sid.nodes.size()},
                       {"rigid_modes", 6},
                       {"modes", modes}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  if (!o.quiet)
    fmt::print(stderr, "{}: reduced body '{}', {:.6g} kg, {} elastic coordinates, {} nodes; free\n",
               o.mesh.path, sid.name, sid.mass_kg, sid.nq, sid.nodes.size());
  fmt::print("{}\n", kHeading);
  for (std::size_t i = 0; i < 6; ++i) fmt::print("{}  rigid\n", row_of({}, i + 1));
  for (std::size_t i = 0; i < n && !beyond(o, list[i]); ++i) fmt::print("{}\n", row_of(list[i], i + 7));
  return 0;
}

int command_modes_of_model(const ModesCommand& o) {
  const LoadedScenario loaded = load_scenario(o.mesh.path, o.overrides);
  const Model& model = *loaded.model;
  io::SimulationSpec settings = loaded.spec.simulation;
  complete_settings(find_integrator(settings.solver, settings.place), settings);
  const LinearSolverKind kind = linear_solver_kind(settings.linear_solver);
  Workspace ws(model);
  State s = initial_state(model);
  s.t = settings.start_s;
  const ConsistencyReport report = make_consistent(ws, s, kind);
  const analysis::Linearisation l = analysis::linearise(ws, s, kind);
  const std::vector<analysis::ModelMode> modes = analysis::modes_of(model, l);
  std::size_t zeros = 0;
  while (zeros < modes.size() && modes[zeros].value.s == 0.0) ++zeros;
  const std::size_t n = shown(o, modes, zeros);
  if (o.json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < n && !beyond(o, modes[i].value); ++i) {
      Json j = json_of(modes[i].value, i + 1);
      j["part"] = modes[i].part;
      j["kinetic_energy_share"] = json_number(modes[i].share);
      list.push_back(j);
    }
    const Json json = {{"model", model.name},
                       {"time_s", json_number(s.t)},
                       {"state", kind_of_state(l)},
                       {"largest_speed", json_number(l.largest_speed)},
                       {"largest_acceleration", json_number(l.largest_acceleration)},
                       {"degrees_of_freedom", l.velocities()},
                       {"inner_states", l.inner},
                       {"redundant_constraints", report.redundant.size()},
                       {"modes", list}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  print_remark(l, s.t);
  fmt::print("{}part with the most kinetic energy\n", kHeading);
  for (std::size_t i = 0; i < n && !beyond(o, modes[i].value); ++i)
    fmt::print("{}  {} ({:.0f} %)\n", row_of(modes[i].value, i + 1), modes[i].part, 100 * modes[i].share);
  if (!o.quiet)
    fmt::print(stderr, "{} degrees of freedom, {} inner states; signals and controllers hold their values\n",
               l.velocities(), l.inner.size());
  return 0;
}

}  // namespace monocoque
