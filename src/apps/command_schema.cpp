#include <fmt/format.h>

#include "apps/command.h"
#include "elements/registry.h"
#include "io/model/reader.h"

namespace monocoque {

namespace {

struct SchemaOptions {};

int execute(const SchemaOptions&) {
  fmt::print("{}\n", io::json_schema(element_library()));
  return 0;
}

void declare(CLI::App&, SchemaOptions&) {}

}  // namespace

Command schema_command() {
  return make_command("schema", "JSON Schema of model files, for editors", declare, execute);
}

}  // namespace monocoque
