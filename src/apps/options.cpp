#include "apps/options.h"

#include <CLI/CLI.hpp>

namespace monocoque {

void add_set(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("--set", overrides,
                 "PATH=VALUE: replaces a parameter or any key of the model; @FILE: lines PATH=VALUE, or a "
                 "state of equilibrium --start; repeatable")
      ->take_all();
}

void add_model(CLI::App& app, ModelOptions& o, ModelArgument argument, const char* help) {
  app.add_option("model", o.scenario, help)->required(argument == ModelArgument::required);
  add_set(app, o.overrides);
}

void add_solver(CLI::App& app, SolverOptions& o) {
  app.add_option("--solver", o.solver, "integration method; see `monocoque list solvers`");
  app.add_option("--step", o.step_s, "step in s")->check(CLI::PositiveNumber);
  app.add_option("--end", o.end_s, "end time in s");
}

void add_print(CLI::App& app, PrintOptions& o, const char* json_help) {
  app.add_flag("--json", o.json, json_help);
  app.add_flag("-q,--quiet", o.quiet, "no progress, notes or hints");
}

void add_output(CLI::App& app, std::string& output, const char* help) {
  app.add_option("-o,--output", output, help);
}

void add_plot(CLI::App& app, std::string& plot, const char* help, const std::string& former) {
  const auto folder = [](const std::string& name) {
    return name.ends_with(".svg") ? "'" + name + "' names a figure, a folder for figures is wanted" : "";
  };
  app.add_option(former.empty() ? "--plot" : "--plot," + former, plot, help)
      ->option_text("FOLDER")
      ->check(folder, "");
}

void add_results(CLI::App& app, ResultOptions& o, const char* output_help, const char* plot_help) {
  add_output(app, o.output, output_help);
  add_plot(app, o.plot, plot_help);
  add_print(app, o);
}

void add_machine(CLI::App& app, MachineOptions& o) {
  app.add_option("--priority", o.priority, "of SCHED_FIFO; 0: ordinary scheduling; default: 50 when paced")
      ->check(CLI::Range(0, 99));
  app.add_option("--cpu", o.cpu, "processor to run on, from 0")->check(CLI::NonNegativeNumber);
  app.add_flag("--no-lock", o.no_lock, "do not lock memory");
}

void add_page(CLI::App& app, PageOptions& o) {
  app.add_option("--port", o.port, "of the page; 0: any free one; default: 8740 or one of the next")
      ->check(CLI::Range(0, 65535));
  app.add_option("--host", o.host, "name or address to listen at; default: loopback only");
  app.add_flag("--no-browser", o.no_browser, "do not open a browser");
}

}  // namespace monocoque
