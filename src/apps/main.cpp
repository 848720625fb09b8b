// The command line. Data on stdout, messages on stderr; exit_status.h has the exit statuses.

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/version.h"
#include "core/error.h"

namespace {

using monocoque::suggestion;

std::string with_suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string text = suggestion(word, known);
  return text.empty() ? text : "; " + text;
}

/// Misspelt commands and options get a suggestion before CLI11's own message.
void suggest(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string name = "monocoque";
  for (const std::string& word : words) {
    if (word.starts_with("--") && word.size() > 2) {
      const std::string option = word.substr(0, word.find('='));
      if (at->get_option_no_throw(option) != nullptr) continue;
      std::vector<std::string> known;
      for (const CLI::Option* o : at->get_options())
        for (const std::string& other : o->get_lnames()) known.push_back("--" + other);
      fmt::print(stderr, "{}: unknown option '{}'{}\n", name, option, with_suggestion(option, known));
    } else if (!word.starts_with("-")) {
      const std::vector<const CLI::App*> subcommands = at->get_subcommands(nullptr);
      if (subcommands.empty()) continue;
      const auto found = std::find_if(subcommands.begin(), subcommands.end(),
                                      [&](const CLI::App* sub) { return sub->get_name() == word; });
      if (found != subcommands.end()) {
        at = *found;
        name += " " + word;
        continue;
      }
      std::vector<std::string> known;
      for (const CLI::App* sub : subcommands) known.push_back(sub->get_name());
      fmt::print(stderr, "{}: unknown command '{}'{}\n", name, word, with_suggestion(word, known));
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace monocoque;
  CLI::App app{"Monocoque: flexible multibody dynamics for vehicles", "monocoque"};
  app.set_version_flag("--version", fmt::format("monocoque {} ({})", version(), git_commit()));
  app.require_subcommand(1);
  app.footer(
      fmt::format("Start with: monocoque check models/examples/four-bar.yaml\n\n{}", exit_status_help()));
  std::function<int()> chosen;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    sub->callback([&chosen, execute = command.declare(*sub)] { chosen = execute; });
  }
  try {
    app.parse(argc, argv);
    return chosen();
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    suggest(app, {argv + 1, argv + argc});
    app.exit(e);
    return kUsage;
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return exit_status_of(e);
  } catch (const std::exception& e) {
    fmt::print(stderr, "monocoque: {}\n", e.what());
    return exit_status_of(e);
  }
}
