// The one list of commands.

#include "apps/command.h"

// One line per command: NAME stands for NAME_command() of command_NAME.cpp. Order: as `monocoque --help`.
#define MONOCOQUE_COMMANDS(COMMAND) \
  COMMAND(check)                    \
  COMMAND(run)                      \
  COMMAND(rt)                       \
  COMMAND(drive)                    \
  COMMAND(view)                     \
  COMMAND(report)                   \
  COMMAND(export)                   \
  COMMAND(compare)                  \
  COMMAND(signal)                   \
  COMMAND(comfort)                  \
  COMMAND(loads)                    \
  COMMAND(equilibrium)              \
  COMMAND(nominal)                  \
  COMMAND(kinematics)               \
  COMMAND(inverse)                  \
  COMMAND(handling)                 \
  COMMAND(modes)                    \
  COMMAND(linearize)                \
  COMMAND(bode)                     \
  COMMAND(locus)                    \
  COMMAND(stability)                \
  COMMAND(covariance)               \
  COMMAND(body)                     \
  COMMAND(reduce)                   \
  COMMAND(reproduce)                \
  COMMAND(bench)                    \
  COMMAND(list)                     \
  COMMAND(schema)

namespace monocoque {

#define DECLARE(name) Command name##_command();
MONOCOQUE_COMMANDS(DECLARE)
#undef DECLARE

const std::vector<Command>& commands() {
#define ENTRY(name) name##_command(),
  static const std::vector<Command> list = {MONOCOQUE_COMMANDS(ENTRY)};
#undef ENTRY
  return list;
}

}  // namespace monocoque
