#include "apps/common.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "analysis/statics/start_file.h"
#include "apps/version.h"
#include "elements/registry.h"
#include "integrate/integrator.h"
#include "io/model/simulation_settings.h"

namespace monocoque {

namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

io::ReadOptions read_options(const std::vector<std::string>& overrides) {
  io::ReadOptions options;
  for (const std::string& text : overrides) {
    if (text.starts_with('@')) continue;  // a state, which load_scenario puts in
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error("--set", fmt::format("'{}' is not of the form path=value", text),
                  "for example --set interacts.spring.stiffness_N_per_m=2000");
    options.overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return options;
}

LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  Diagnostics diagnostics;
  LoadedScenario out;
  out.spec = io::read_scenario(path, element_library(), read_options(overrides), diagnostics);
  // Elements can only be judged when their form is right.
  if (!diagnostics.has_errors()) out.model = build_model(out.spec.model, diagnostics);
  for (const Diagnostic& d : diagnostics.list())
    if (d.severity == Severity::warning) fmt::print(stderr, "{}\n", d.text());
  diagnostics.throw_if_errors();
  if (!out.spec.model.nominal.unknowns.empty()) {
    out.nominal = solve_nominal(out.spec.model);
    out.model = build_model(out.spec.model);
  }
  for (const std::string& text : overrides) {
    if (!text.starts_with('@')) continue;
    analysis::apply_start(out.spec.model, text.substr(1));
    out.model = build_model(out.spec.model);
  }
  return out;
}

void override_settings(io::SimulationSpec& settings, const std::vector<std::string>& overrides,
                       const std::string& solver, std::optional<double> step_s, std::optional<double> end_s) {
  if (!solver.empty()) {
    // What the file says of step and constraints was for another method; what --set says is for this one.
    const auto set = [&](std::string_view key) {
      return std::any_of(overrides.begin(), overrides.end(), [&](const std::string& text) {
        return text.starts_with(fmt::format("simulation.{}=", key));
      });
    };
    if (solver != settings.solver) {
      if (!set("constraints")) settings.constraints = "";
      if (!set("stabilisation")) settings.stabilisation = "";
      settings.step_given = settings.step_given && set("step_s");
    }
    settings.solver = find_integrator(solver).name;  // the mistake is not in the file
  }
  if (step_s) {
    // Outputs at every step follow a new step; others stay.
    if (settings.output_step_s == settings.step_s) settings.output_step_s = 0;
    settings.step_s = *step_s;
    settings.step_given = true;
  }
  if (!end_s) return;
  if (!(*end_s > settings.start_s))
    throw Error("--end", fmt::format("the end time is {} s, it must be later than start_s = {} s", *end_s,
                                     settings.start_s));
  settings.end_s = *end_s;
}

RunInfo run_info(const LoadedScenario& loaded, const io::SimulationSpec& settings) {
  RunInfo info;
  info.model = loaded.model->name;
  info.scenario = loaded.spec.name;
  info.solver = settings.solver;
  info.settings_json = io::settings_json(settings);
  info.version = version();
  info.git_commit = git_commit();
  info.source_text = loaded.model->source_text;
  info.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  if (loaded.model->lane) info.lane = loaded.model->lane->geometry;
  return info;
}

nlohmann::ordered_json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

std::string cache_folder() {
  namespace fs = std::filesystem;
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::string(value) : std::string();
  };
  if (const std::string own = set("MONOCOQUE_CACHE"); !own.empty()) return own;
  if (const std::string xdg = set("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/monocoque";
  if (const std::string home = set("HOME"); !home.empty()) return home + "/.cache/monocoque";
  return (fs::temp_directory_path() / "monocoque").string();
}

bool progress_wanted() {
  return isatty(STDERR_FILENO) == 1;
}

bool interrupt_requested() {
  return interrupted != 0;
}

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends the program at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace monocoque
