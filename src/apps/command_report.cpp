#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include "io/files/json.h"

#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "core/error_kinds.h"
#include "results/report.h"

namespace monocoque {

namespace {

struct ReportOptions : PrintOptions {
  std::string run, other;  ///< other: empty, or a run to compare with
  std::string output;      ///< empty: name of the run with .html
};

/// The numbers of a run are worth a page also when its pictures are damaged.
RunMotion motion_of(const std::string& path) {
  try {
    return read_run_motion(path);
  } catch (const Error& e) {
    fmt::print(stderr, "{}\nthe page has no pictures of bodies\n", e.what());
    return {};
  }
}

int execute(const ReportOptions& options) {
  namespace fs = std::filesystem;
  const std::string output =
      options.output.empty() ? fs::path(options.run).replace_extension(".html").string() : options.output;
  std::error_code none;
  for (const std::string& name : {options.run, options.other})
    if (!name.empty() && fs::equivalent(name, output, none))
      throw UsageError(Place{output}, "report", "the page would replace the run",
                       "give another name with -o");
  const RunData run = read_run(options.run);
  const RunMotion motion = motion_of(options.run);
  std::string page;
  if (options.other.empty()) {
    page = report_page({options.run, &run, &motion});
  } else {
    const RunData second = read_run(options.other);
    const RunMotion second_motion = motion_of(options.other);
    page = report_page({options.run, &run, &motion}, {options.other, &second, &second_motion});
  }
  std::ofstream file(output, std::ios::binary);
  file << page;
  if (!file.flush())
    throw SystemError(Place{output}, "report", "the page cannot be written",
                      "check the folder and the free space");
  fmt::print("{}\n",
             options.json ? nlohmann::ordered_json{{"file", output}, {"bytes", page.size()}}.dump() : output);
  return 0;
}

void declare(CLI::App& app, ReportOptions& o) {
  app.add_option("run", o.run, "result file (HDF5)")->required();
  app.add_option("other", o.other, "second result file, to compare with");
  add_output(app, o.output, "page; default: name of the run with .html");
  add_print(app, o, "print the name of the page as JSON object");
}

}  // namespace

Command report_command() {
  return make_command("report", "result file to one page of tables and figures (HTML)", declare, execute);
}

}  // namespace monocoque
