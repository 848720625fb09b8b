// `monocoque modes` of a reduced body and of a whole model.

#include <fmt/format.h>

#include "analysis/linear/free_body.h"
#include "analysis/linear/participation.h"
#include "apps/modes_options.h"
#include "results/mode_store.h"
#include "results/scene.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::Eigenvalue;

Json json_of_mode(const Eigenvalue& e, std::size_t number) {
  Json out = {{"mode", number}};
  out.update(json_of_eigenvalue(e));
  return out;
}

std::string row_of(const Eigenvalue& e, std::size_t number) {
  return fmt::format("{:4}  {}", number, eigenvalue_row(e));
}

/// How many to show: those asked for, or all.
template <class List>
std::size_t shown(const ModesOptions& o, const List& list, std::size_t zeros) {
  std::size_t n = list.size();
  if (o.modes) n = std::min(n, zeros + static_cast<std::size_t>(*o.modes));
  return n;
}

bool beyond(const ModesOptions& o, const Eigenvalue& e) {
  return o.frequency_limit_Hz > 0 && e.undamped_Hz() > o.frequency_limit_Hz;
}

std::string text_of(const std::vector<analysis::Share>& shares) {
  std::string out;
  for (std::size_t i = 0; i < shares.size() && i < 3 && shares[i].share >= 0.05; ++i)
    out += fmt::format("{}{} {:.0f} %", i > 0 ? ", " : "", shares[i].name, 100 * shares[i].share);
  return out;
}

Json json_of_shares(const std::vector<analysis::Share>& shares) {
  Json out = Json::object();
  for (const analysis::Share& s : shares) out[s.name] = json_number(s.share);
  return out;
}

/// A result file with one instant and the shapes, which the viewer sets in motion. Zeros are left out.
void write_modes(const std::string& path, LinearModel& m, const std::vector<analysis::ModelMode>& modes) {
  const Model& model = m.model();
  Workspace& ws = m.run->workspace();
  const State& s = m.run->state();
  const Scene scene = describe_scene(m.loaded.spec.model, model);
  {
    OutputSet outputs(model, {}, linear_solver_kind(m.run->settings().linear_solver));
    RunWriter writer(path, outputs.channels(), run_info(m.loaded, m.run->settings()), 256, &scene);
    WorkAudit audit;
    outputs.fill(ws, s, audit, writer.next_row(s.t));
    std::vector<float> arrows(scene.arrows);
    fill_arrows(model, ws, arrows.data());
    writer.motion(s.t, s.x.data(), arrows.data());
    writer.finish("{}");
  }
  std::vector<const analysis::ModelMode*> moving;
  for (const analysis::ModelMode& mode : modes)
    if (mode.value.s != 0.0) moving.push_back(&mode);
  const auto count = static_cast<Eigen::Index>(moving.size());
  ModeShapes shapes{VecX(count), VecX(count), ModeShapes::Rows(count, model.nz),
                    ModeShapes::Rows(count, model.nz)};
  evaluate(ws, s);
  for (Eigen::Index i = 0; i < count; ++i) {
    const analysis::ModelMode& mode = *moving[static_cast<std::size_t>(i)];
    MatX shape(model.nz, 2);
    shape << mode.xi.real(), mode.xi.imag();
    analysis::to_body_axes(ws, shape);
    shapes.frequency_Hz[i] = mode.value.damped_Hz();
    shapes.damping_ratio[i] = mode.value.damping_ratio();
    shapes.real.row(i) = shape.col(0).transpose();
    shapes.imag.row(i) = shape.col(1).transpose();
  }
  add_modes(path, shapes);
}

}  // namespace

int modes_of_body(const ModesOptions& o) {
  const io::Sid sid = io::read_sid(o.mesh.path);
  const std::vector<Eigenvalue> list = analysis::free_body_modes(sid);
  const std::size_t n = shown(o, list, 0);
  if (o.json) {
    Json modes = Json::array();
    for (int i = 0; i < 6; ++i) modes.push_back({{"mode", i + 1}, {"frequency_Hz", 0.0}, {"rigid", true}});
    for (std::size_t i = 0; i < n; ++i) {
      if (beyond(o, list[i])) break;
      Json j = json_of_mode(list[i], i + 7);
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
  fmt::print("mode  {}\n", eigenvalue_heading());
  for (std::size_t i = 0; i < 6; ++i) fmt::print("{}  rigid\n", row_of({}, i + 1));
  for (std::size_t i = 0; i < n && !beyond(o, list[i]); ++i) fmt::print("{}\n", row_of(list[i], i + 7));
  return 0;
}

int modes_of_model(const ModesOptions& o) {
  LinearModel m = linear_model(o.mesh.path, o.overrides, o.state);
  const analysis::Linearisation& l = m.l;
  const double t = m.run->state().t;
  const std::vector<analysis::ModelMode> modes = analysis::modes_of(m.model(), l);
  const std::vector<analysis::Participation> who =
      analysis::participation(m.run->workspace(), m.run->state(), l, modes);
  std::size_t zeros = 0;
  while (zeros < modes.size() && modes[zeros].value.s == 0.0) ++zeros;
  const std::size_t n = shown(o, modes, zeros);
  if (!o.output.empty()) writing([&] { write_modes(o.output, m, modes); });
  if (!o.plot.empty()) plot_eigenvalues(m.model().name, modes, o.plot);
  if (o.json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < n && !beyond(o, modes[i].value); ++i) {
      Json j = json_of_mode(modes[i].value, i + 1);
      j["kind"] = analysis::kind_of_mode(modes[i].value);
      j["part"] = modes[i].part;
      j["kinetic_energy_share"] = json_number(modes[i].share);
      j["kinetic_energy"] = json_of_shares(who[i].kinetic);
      j["elastic_energy"] = json_of_shares(who[i].elastic);
      list.push_back(j);
    }
    const Json json = {{"model", m.model().name},
                       {"time_s", json_number(t)},
                       {"state", kind_of_state(l)},
                       {"largest_speed", json_number(l.largest_speed)},
                       {"largest_acceleration", json_number(l.largest_acceleration)},
                       {"degrees_of_freedom", l.velocities()},
                       {"inner_states", l.inner},
                       {"redundant_constraints", m.run->consistency().redundant.size()},
                       {"modes", list}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}", remark_on_state(l, t));
  fmt::print("mode  {}kinetic energy | elastic energy\n", eigenvalue_heading());
  for (std::size_t i = 0; i < n && !beyond(o, modes[i].value); ++i) {
    const std::string kind = analysis::kind_of_mode(modes[i].value);
    fmt::print("{}  {} | {}{}\n", row_of(modes[i].value, i + 1), text_of(who[i].kinetic),
               text_of(who[i].elastic), kind == "oscillates" ? "" : "; " + kind);
  }
  if (!o.quiet) {
    fmt::print(stderr, "{} degrees of freedom, {} inner states; signals and controllers hold their values\n",
               l.velocities(), l.inner.size());
    if (o.output.empty())
      fmt::print(stderr,
                 "next: -o modes.h5 keeps the shapes for the viewer, --plot FOLDER draws the eigenvalues\n");
    else
      fmt::print(stderr, "next: see them move: monocoque view {}\n", o.output);
  }
  return 0;
}

}  // namespace monocoque
