#pragma once
// One function per command; each returns the exit status and throws Error for anything that went wrong.

#include <optional>
#include <string>
#include <vector>

namespace monocoque {

struct RunOptions {
  std::string scenario, output;
  std::string solver;                   ///< empty: as the scenario says
  std::optional<double> step_s, end_s;  ///< none: as the scenario says
  std::vector<std::string> overrides;
  bool json = false, quiet = false;
};
int command_run(const RunOptions& options);

struct CheckOptions {
  std::string scenario;
  std::vector<std::string> overrides;
  bool json = false;
};
int command_check(const CheckOptions& options);

struct ExportOptions {
  std::string run, output;
  std::vector<std::string> channels;
  int digits = 17;
  bool list = false, json = false;
};
int command_export(const ExportOptions& options);

/// The JSON Schema of model files on stdout.
int command_schema();
/// Element types with their keys, or the integrators, as a table.
int command_list(const std::string& what, bool json);

}  // namespace monocoque
