#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "apps/browser.h"
#include "apps/commands.h"
#include "apps/common.h"
#include "core/error.h"
#include "server/html_export.h"
#include "server/run_api.h"
#include "server/server.h"

namespace monocoque {

int command_view(const ViewCommand& options) {
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
      throw Error(Place{options.html}, "view", "the page cannot be written",
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

}  // namespace monocoque
