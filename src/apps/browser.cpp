#include "apps/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include "io/files/json.h"

namespace monocoque {

void open_browser(const std::string& url) {
  const auto given = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  int status = -1;
  if (given("DISPLAY") || given("WAYLAND_DISPLAY")) {
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
    std::string program = "xdg-open", address = url;
    char* arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    status = posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
  }
  if (status != 0) fmt::print(stderr, "open the address in a browser; Ctrl-C ends\n");
}

void print_address(const std::string& url, int port, bool json) {
  if (json)
    fmt::print("{}\n", nlohmann::ordered_json{{"url", url}, {"port", port}}.dump());
  else
    fmt::print("{}\n", url);
  std::fflush(stdout);
}

}  // namespace monocoque
