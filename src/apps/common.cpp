#include "apps/common.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "elements/registry.h"

namespace monocoque {

namespace {
volatile std::sig_atomic_t interrupted = 0;
}

io::ReadOptions read_options(const std::vector<std::string>& overrides) {
  io::ReadOptions options;
  for (const std::string& text : overrides) {
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
  return out;
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
