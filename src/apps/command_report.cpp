#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "apps/commands.h"
#include "core/error.h"
#include "results/report.h"

namespace monocoque {

int command_report(const ReportCommand& options) {
  namespace fs = std::filesystem;
  const std::string output =
      options.output.empty() ? fs::path(options.run).replace_extension(".html").string() : options.output;
  std::error_code none;
  for (const std::string& name : {options.run, options.other})
    if (!name.empty() && fs::equivalent(name, output, none))
      throw Error(Place{output}, "report", "the page would replace the run", "give another name with -o");
  const RunData run = read_run(options.run);
  RunData second;
  if (!options.other.empty()) second = read_run(options.other);
  const std::string page =
      report_page({options.run, &run}, {options.other, options.other.empty() ? nullptr : &second});
  std::ofstream file(output, std::ios::binary);
  file << page;
  if (!file.flush())
    throw Error(Place{output}, "report", "the page cannot be written", "check the folder and the free space");
  fmt::print("{}\n", output);
  return 0;
}

}  // namespace monocoque
