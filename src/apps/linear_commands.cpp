#include "apps/linear_commands.h"

#include <fmt/format.h>

namespace monocoque {

LinearModel linear_model(const std::string& scenario, const std::vector<std::string>& overrides,
                         const StateOptions& state) {
  LinearModel out;
  out.loaded = load_scenario(scenario, overrides);
  out.run = analysis::operating_point(*out.loaded.model, out.loaded.spec.simulation,
                                      {state.equilibrium, state.at_s});
  const LinearSolverKind kind = linear_solver_kind(out.run->settings().linear_solver);
  const Vec3 rate = state.turning_with.empty()
                        ? Vec3(Vec3::Zero())
                        : analysis::vertical_rate(*out.run, *out.loaded.model, state.turning_with);
  out.l = analysis::linearise(out.run->workspace(), out.run->state(), kind, rate);
  return out;
}

std::string kind_of_state(const analysis::Linearisation& l) {
  if (l.in_equilibrium()) return "equilibrium";
  return l.at_rest() ? "at rest, not in equilibrium" : "in motion";
}

std::string remark_on_state(const analysis::Linearisation& l, double t) {
  if (l.in_equilibrium()) return fmt::format("linearised at the equilibrium at t = {:.6g} s\n", t);
  if (l.at_rest())
    return fmt::format(
        "linearised at t = {:.6g} s at a state that is at rest but no equilibrium (largest acceleration\n"
        "{:.4g}): with its own accelerations and reactions, so the eigenvalues tell how motions beside it "
        "part "
        "from it\n",
        t, l.largest_acceleration);
  return fmt::format(
      "linearised at t = {:.6g} s along the motion (largest speed {:.4g}, acceleration {:.4g}), with its "
      "own\n"
      "accelerations and reactions: the eigenvalues hold for this instant, for longer only if the motion is "
      "steady\n",
      t, l.largest_speed, l.largest_acceleration);
}

nlohmann::ordered_json json_of_eigenvalue(const analysis::Eigenvalue& e) {
  return {{"frequency_Hz", json_number(e.undamped_Hz())},
          {"damped_Hz", json_number(e.damped_Hz())},
          {"damping_ratio", json_number(e.damping_ratio())},
          {"real_per_s", json_number(e.s.real())},
          {"imag_per_s", json_number(e.s.imag())}};
}

std::string eigenvalue_row(const analysis::Eigenvalue& e) {
  return fmt::format("{:14.6f}  {:14.6f}  {:10.6f}  {:12.5g} {:+13.5g} i", e.undamped_Hz(), e.damped_Hz(),
                     e.damping_ratio(), e.s.real(), e.s.imag());
}

const char* eigenvalue_heading() {
  return "undamped [Hz]     damped [Hz]     damping     eigenvalue [1/s]           ";
}

}  // namespace monocoque
