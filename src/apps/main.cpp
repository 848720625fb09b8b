// The command line. Data on stdout, messages on stderr, exit status 0 only on success.

#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/commands.h"
#include "apps/version.h"
#include "core/error.h"

namespace {

/// A misspelt command or option gets a suggestion before CLI11's own message.
void hint(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string word = argv[1];
  for (const std::string& name : names)
    if (name == word) return;
  const std::string text = monocoque::suggestion(word, names);
  fmt::print(stderr, "monocoque: unknown command '{}'{}{}\n", word, text.empty() ? "" : "; ", text);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace monocoque;
  CLI::App app{"Monocoque: flexible multibody dynamics for vehicles", "monocoque"};
  app.set_version_flag("--version", fmt::format("monocoque {} ({})", version(), git_commit()));
  app.require_subcommand(1);
  app.footer("Start with: monocoque check models/examples/four-bar.yaml");
  int status = 0;

  RunOptions run;
  CLI::App* run_command = app.add_subcommand("run", "simulate a scenario or model file");
  run_command->add_option("scenario", run.scenario, "scenario or model file (YAML)")->required();
  run_command->add_option("-o,--output", run.output,
                          "result file (HDF5); default: name of the scenario with .h5");
  run_command->add_option("--solver", run.solver, "integration method; see `monocoque list solvers`");
  run_command->add_option("--step", run.step_s, "step in s")->check(CLI::PositiveNumber);
  run_command->add_option("--end", run.end_s, "end time in s");
  run_command->add_option("--set", run.overrides, "path=value: overrides a parameter or any key; repeatable")
      ->take_all();
  run_command->add_flag("--json", run.json, "summary as one JSON object on stdout");
  run_command->add_flag("-q,--quiet", run.quiet, "no progress");
  run_command->callback([&] { status = command_run(run); });

  CheckOptions check;
  CLI::App* check_command =
      app.add_subcommand("check", "read a model, report every mistake, count its freedoms");
  check_command->add_option("scenario", check.scenario, "scenario or model file (YAML)")->required();
  check_command->add_option("--set", check.overrides, "path=value; repeatable")->take_all();
  check_command->add_flag("--json", check.json, "as one JSON object on stdout");
  check_command->callback([&] { status = command_check(check); });

  ExportOptions exported;
  CLI::App* export_command = app.add_subcommand("export", "result file to CSV");
  export_command->add_option("run", exported.run, "result file (HDF5)")->required();
  export_command->add_option("-o,--output", exported.output, "CSV file; default: stdout");
  export_command->add_option("-c,--channels", exported.channels, "channel patterns with *; default: all")
      ->take_all();
  export_command->add_option("--digits", exported.digits, "significant digits")->check(CLI::Range(1, 17));
  export_command->add_flag("--list", exported.list, "only list the channels");
  export_command->add_flag("--json", exported.json, "as JSON instead of CSV");
  export_command->callback([&] { status = command_export(exported); });

  CLI::App* schema_command = app.add_subcommand("schema", "JSON Schema of model files, for editors");
  schema_command->callback([&] { status = command_schema(); });

  std::string what = "elements";
  bool list_json = false;
  CLI::App* list_command = app.add_subcommand("list", "element types or solvers with their keys");
  list_command->add_option("what", what, "elements or solvers")
      ->check(CLI::IsMember({"elements", "solvers"}));
  list_command->add_flag("--json", list_json, "as JSON");
  list_command->callback([&] { status = command_list(what, list_json); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) hint(app, argc, argv);
    return app.exit(e);
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  } catch (const std::exception& e) {
    fmt::print(stderr, "monocoque: {}\n", e.what());
    return 1;
  }
  return status;
}
