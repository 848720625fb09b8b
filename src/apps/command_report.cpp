#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "apps/commands.h"
#include "core/error.h"
#include "results/report.h"

namespace monocoque {

namespace {

/// The numbers of a run are worth a page also when its pictures are damaged.
RunMotion motion_of(const std::string& path) {
  try {
    return read_run_motion(path);
  } catch (const Error& e) {
    fmt::print(stderr, "{}\nthe page has no pictures of bodies\n", e.what());
    return {};
  }
}

}  // namespace

int command_report(const ReportCommand& options) {
  namespace fs = std::filesystem;
  const std::string output =
      options.output.empty() ? fs::path(options.run).replace_extension(".html").string() : options.output;
  std::error_code none;
  for (const std::string& name : {options.run, options.other})
    if (!name.empty() && fs::equivalent(name, output, none))
      throw Error(Place{output}, "report", "the page would replace the run", "give another name with -o");
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
    throw Error(Place{output}, "report", "the page cannot be written", "check the folder and the free space");
  fmt::print("{}\n", output);
  return 0;
}

}  // namespace monocoque
