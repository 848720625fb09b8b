#pragma once
// A command of the program: its word, one line of help, and what declares its options. Each has one file,
// command_NAME.cpp, with its option struct, its declaration and what it does; commands.cpp lists them.

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace monocoque {

struct Command {
  std::string name, help;
  /// Declares the options and returns what carries the command out once they are parsed: it gives the exit
  /// status (exit_status.h) and throws Error for what went wrong.
  std::function<std::function<int()>(CLI::App&)> declare;
};

/// All commands, in the order of `monocoque --help`.
const std::vector<Command>& commands();

template <class Options>
Command make_command(const char* name, const char* help, void (*declare)(CLI::App&, Options&),
                     int (*execute)(const Options&)) {
  return {name, help, [declare, execute](CLI::App& app) {
            const auto options = std::make_shared<Options>();
            declare(app, *options);
            return std::function<int()>([options, execute] { return execute(*options); });
          }};
}

}  // namespace monocoque
