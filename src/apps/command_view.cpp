#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/browser.h"
#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "core/error.h"
#include "server/html_export.h"
#include "server/run_api.h"
#include "server/server.h"

namespace monocoque {

namespace {

struct ViewOptions : PageOptions, PrintOptions {
  std::string run, other;  ///< other: empty, or a run to compare with
  std::string html;        ///< one file instead of a server; empty: none
  std::vector<std::string> channels;
  bool read_only = false;
};

int execute(const ViewOptions& options) {
  server::ApiSettings settings;
  settings.runs = {options.run};
  if (!options.other.empty()) settings.runs.push_back(options.other);
  settings.read_only = options.read_only;
  if (!options.html.empty()) settings.answer_bytes = std::size_t{1} << 30;
  server::RunApi api(settings);
  if (!options.html.empty()) {
    const std::string page = server::exported_page(api, options.channels);
    std::ofstream out(options.html, std::ios::binary);
    out << page;
    if (!out.flush())
      throw SystemError(Place{options.html}, "view", "the page cannot be written",
                        "check the folder and the free space");
    if (options.json)
      fmt::print("{}\n", nlohmann::ordered_json{{"file", options.html}, {"bytes", page.size()}}.dump());
    else
      fmt::print("{}\n", options.html);
    return 0;
  }
  server::ServerSettings network;
  network.host = options.host;
  network.port = options.port.value_or(network.port);
  network.next_port_when_taken = !options.port;
  if (!options.host.empty())
    fmt::print(stderr, "everybody who can reach '{}' can see these runs{}\n", options.host,
               options.read_only ? "" : " and change their layout (--read-only)");
  server::Server server(network, api);
  server.start();
  catch_interrupts();
  print_address(server.url(), server.port(), options.json);
  if (!options.no_browser) open_browser(server.url());
  while (!interrupt_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop();
  return 0;
}

void declare(CLI::App& app, ViewOptions& o) {
  app.add_option("run", o.run, "result file (HDF5)")->required();
  app.add_option("other", o.other, "second result file, to compare with");
  add_page(app, o);
  app.add_option("--html", o.html, "write one file with animation and plots instead of serving");
  app.add_option("-c,--channels", o.channels, "of --html: channel patterns with *")->take_all();
  app.add_flag("--read-only", o.read_only, "keep no layouts beside the run");
  add_print(app, o, "print the address as one JSON object");
}

}  // namespace

Command view_command() {
  return make_command("view", "look at runs in a browser, in 3D and as plots", declare, execute);
}

}  // namespace monocoque
