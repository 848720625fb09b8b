#include "io/model/simulation_settings.h"

#include <fmt/format.h>
#include "io/files/json.h"

#include "core/error.h"
#include "io/model/structure.h"

namespace monocoque::io {

namespace {

/// Text of a default as a model file would have it; "~" where the key may be absent.
std::string default_text(const std::string& value) {
  return value.empty() ? "~" : value;
}
std::string default_text(double value) {
  return fmt::format("{}", value);
}
std::string default_text(int value) {
  return fmt::format("{}", value);
}
std::string default_text(const std::vector<std::string>&) {
  return "~";
}

FieldKind kind_of(const SimulationSetting& s) {
  if (std::holds_alternative<double SimulationSpec::*>(s.member)) return FieldKind::number;
  if (std::holds_alternative<int SimulationSpec::*>(s.member)) return FieldKind::integer;
  return s.choices.empty() ? FieldKind::text : FieldKind::choice;
}

}  // namespace

const std::vector<SimulationSetting>& simulation_settings() {
  using S = SimulationSpec;
  static const std::vector<SimulationSetting> settings = {
      {"solver", &S::solver, "name of the integrator"},
      {"constraints",
       &S::constraints,
       "level at which joints are enforced; without it the solver's own",
       Rule::any,
       {"index-3", "index-2", "index-1", "index-1-psi", "stabilised-index-2"}},
      {"stabilisation",
       &S::stabilisation,
       "how drift is held down; without it the solver's own",
       Rule::any,
       {"none", "baumgarte", "projection"}},
      {"linear_solver",
       &S::linear_solver,
       "linear algebra of the step",
       Rule::any,
       {"auto", "dense", "sparse", "structured"}},
      {"formulation",
       &S::formulation,
       "coordinates of turning parts: mixed frame, floating frame, quaternion derivatives",
       Rule::any,
       {"mixed", "floating", "quaternion"}},
      {"jacobian",
       &S::jacobian,
       "derivatives of fixed-step implicit methods: all, without those of reactions, also without those of "
       "inertia forces, also without elastic ones of applied forces, simplified with applied forces as at "
       "the "
       "start, or the whole matrix of the start",
       Rule::any,
       {"full", "applied-forces", "simplified", "rigid-forces", "constant", "constant-matrix"}},
      {"start_s", &S::start_s, "time at the start"},
      {"end_s", &S::end_s, "time at the end"},
      {"step_s", &S::step_s, "step of a fixed-step method; largest step of the others", Rule::positive},
      {"iterations", &S::iterations, "of fixed-iteration methods; 0 means the method's own",
       Rule::non_negative},
      {"matrix_steps", &S::matrix_steps,
       "fixed-step implicit methods renew their matrix once in so many steps", Rule::positive},
      {"relative_tolerance", &S::relative_tolerance, "of error-controlled methods", Rule::positive},
      {"absolute_tolerance", &S::absolute_tolerance, "of error-controlled methods", Rule::positive},
      {"baumgarte_alpha", &S::baumgarte_alpha, "damping of the drift in 1/s", Rule::non_negative},
      {"baumgarte_beta", &S::baumgarte_beta, "stiffness of the drift in 1/s", Rule::non_negative},
      {"spectral_radius", &S::spectral_radius, "of generalized-alpha at infinite frequency", Rule::fraction},
      {"output_step_s", &S::output_step_s, "distance of the results in time; 0 means every step",
       Rule::non_negative},
      {"outputs", &S::outputs, "patterns of the channels to record; all without it"},
      {"motion_step_s", &S::motion_step_s,
       "least distance in time of the positions kept for the viewer; 0 keeps none", Rule::non_negative},
  };
  return settings;
}

const std::vector<std::string>& setting_choices(const std::string& key) {
  for (const SimulationSetting& s : simulation_settings())
    if (s.key == key && !s.choices.empty()) return s.choices;
  throw Error("simulation", fmt::format("setting '{}' has no list of choices", key));
}

const Keys& simulation_keys() {
  static const Keys keys = [] {
    Keys list;
    const SimulationSpec defaults;
    for (const SimulationSetting& s : simulation_settings()) {
      Key key;
      key.name = s.key;
      key.kind = kind_of(s);
      key.doc = s.doc;
      key.default_text = std::visit([&](auto member) { return default_text(defaults.*member); }, s.member);
      key.rule = s.rule;
      key.choices = s.choices;
      if (std::holds_alternative<std::vector<std::string> SimulationSpec::*>(s.member))
        key.shape = Shape::names;
      list.push_back(std::move(key));
    }
    return list;
  }();
  return keys;
}

std::string settings_json(const SimulationSpec& settings) {
  nlohmann::ordered_json out;
  for (const SimulationSetting& s : simulation_settings())
    std::visit([&](auto member) { out[s.key] = settings.*member; }, s.member);
  return out.dump();
}

}  // namespace monocoque::io
