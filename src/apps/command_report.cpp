#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "apps/commands.h"
#include "core/error.h"
#include "results/report.h"

namespace monocoque {

int command_report(const ReportCommand& options) {
  const RunData run = read_run(options.run);
  RunData second;
  if (!options.other.empty()) second = read_run(options.other);
  const std::string page =
      report_page({options.run, &run}, {options.other, options.other.empty() ? nullptr : &second});
  const std::string output = options.output.empty()
                                 ? std::filesystem::path(options.run).replace_extension(".html").string()
                                 : options.output;
  std::ofstream file(output, std::ios::binary);
  file << page;
  if (!file.flush())
    throw Error(Place{output}, "report", "the page cannot be written", "check the folder and the free space");
  fmt::print("{}\n", output);
  return 0;
}

}  // namespace monocoque
