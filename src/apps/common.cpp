#include "apps/common.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "analysis/statics/start_file.h"
#include "apps/version.h"
#include "elements/registry.h"
#include "integrate/integrator.h"
#include "io/files/text_source.h"
#include "io/model/simulation_settings.h"

namespace monocoque {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

volatile std::sig_atomic_t interrupted = 0;

void add_override(const std::string& text, const Place& place, Overrides& out) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(place, "--set", fmt::format("'{}' is not of the form PATH=VALUE", text),
                place.known() ? "one to a line; comments begin with #"
                              : "for example --set interacts.spring.stiffness_N_per_m=2000");
  out.values.emplace_back(trimmed(text.substr(0, equals)), text.substr(equals + 1));
  out.places.push_back(place);
}

/// Reads with these values; complaints about a value from a file name its line there.
io::ScenarioSpec read_with(const std::string& path, const Overrides& overrides, Diagnostics& diagnostics) {
  Diagnostics found;
  io::ReadOptions options;
  options.overrides = overrides.values;
  io::ScenarioSpec spec = io::read_scenario(path, element_library(), options, found);
  for (Diagnostic d : found.list()) {
    for (std::size_t i = 0; i < overrides.values.size(); ++i)
      if (overrides.places[i].known() && d.place.file == "--set " + overrides.values[i].first)
        d.place = overrides.places[i];
    diagnostics.add(std::move(d));
  }
  return spec;
}

}  // namespace

Overrides expand_overrides(const std::vector<std::string>& overrides) {
  Overrides out;
  for (const std::string& text : overrides) {
    if (!text.starts_with('@')) {
      add_override(text, {}, out);
      continue;
    }
    const std::string file = text.substr(1);
    std::istringstream lines(io::read_text_file(file));
    if ((lines >> std::ws).peek() == '{') {  // JSON
      out.states.push_back(file);
      continue;
    }
    lines.seekg(0);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number)
      // YAML knows comments behind a value.
      if (const std::string words = trimmed(line); !words.empty() && words[0] != '#')
        add_override(words, Place{file, number}, out);
  }
  return out;
}

io::ScenarioSpec read_specification(const std::string& path, const Overrides& overrides) {
  Diagnostics diagnostics;
  io::ScenarioSpec spec = read_with(path, overrides, diagnostics);
  diagnostics.throw_if_errors();
  return spec;
}

io::ScenarioSpec read_specification(const std::string& path, const std::vector<std::string>& overrides) {
  const Overrides set = expand_overrides(overrides);
  if (!set.states.empty())
    throw UsageError("--set",
                     fmt::format("'{}' is a state, and this command starts from none", set.states[0]),
                     "give values: PATH=VALUE, or a file of such lines");
  return read_specification(path, set);
}

LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  const Overrides set = expand_overrides(overrides);
  Diagnostics diagnostics;
  LoadedScenario out;
  out.spec = read_with(path, set, diagnostics);
  // Elements can only be judged when their form is right.
  if (!diagnostics.has_errors()) out.model = build_model(out.spec.model, diagnostics);
  for (const Diagnostic& d : diagnostics.list())
    if (d.severity == Severity::warning) fmt::print(stderr, "{}\n", d.text());
  diagnostics.throw_if_errors();
  if (!out.spec.model.nominal.unknowns.empty()) {
    out.nominal = solve_nominal(out.spec.model);
    out.model = build_model(out.spec.model);
  }
  for (const std::string& file : set.states) {
    analysis::apply_start(out.spec.model, file);
    out.model = build_model(out.spec.model);
  }
  return out;
}

void override_settings(io::SimulationSpec& settings, const std::vector<std::string>& overrides,
                       const std::string& solver, std::optional<double> step_s, std::optional<double> end_s) {
  if (!solver.empty()) {
    // What the file says of step and constraints was for another method; what --set says is for this one.
    const Overrides given = expand_overrides(overrides);
    const auto set = [&](std::string_view key) {
      return std::any_of(given.values.begin(), given.values.end(),
                         [&](const auto& value) { return value.first == fmt::format("simulation.{}", key); });
    };
    if (solver != settings.solver) {
      if (!set("constraints")) settings.constraints = "";
      if (!set("stabilisation")) settings.stabilisation = "";
      settings.step_given = settings.step_given && set("step_s");
    }
    settings.solver = find_integrator(solver, Place{"--solver"}).name;  // the mistake is not in the file
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

void write_table_file(const std::string& path, const std::string& csv, const nlohmann::ordered_json& json) {
  io::write_text_file(path, path.ends_with(".json") ? json.dump(2) + "\n" : csv);
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw SystemError(Place{folder, 0}, "", fmt::format("the folder cannot be made: {}", error.message()),
                      "choose another one");
}

std::string figure_path(const std::string& folder, const std::string& name) {
  make_folder(folder);
  return folder + "/" + name;
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
