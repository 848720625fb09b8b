// Any bytes as a model file: the reader must answer with diagnostics, never with a crash, a hang or an
// exception.

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/model/reader.h"

namespace {

using namespace monocoque;

/// One type of each kind of attachment, one field of each kind.
io::Library make_library() {
  using io::Attachment, io::FieldKind, io::Group, io::Rule;
  std::vector<io::Field> fields{{"k_N_per_m", FieldKind::number, "", "1", "", Rule::non_negative, 0, {}},
                                {"count", FieldKind::integer, "", "1", "", Rule::any, 0, {}},
                                {"on", FieldKind::boolean, "", "true", "", Rule::any, 0, {}},
                                {"note", FieldKind::text, "", "~", "", Rule::any, 0, {}},
                                {"law", FieldKind::choice, "", "a", "", Rule::any, 0, {"a", "b"}},
                                {"v", FieldKind::vector, "", "[1, 2]", "", Rule::any, 2, {}},
                                {"list", FieldKind::list, "", "[1]", "", Rule::positive, 0, {}},
                                {"curve", FieldKind::table, "", "[]", "", Rule::any, 0, {}},
                                {"u", FieldKind::signal, "", "0", "", Rule::any, 0, {}},
                                {"ref", FieldKind::reference, "", "''", "", Rule::any, 0, {}}};
  io::Library library;
  library.types.push_back({"spring", Group::force, "", fields, Attachment::frames});
  library.types.push_back({"hinge", Group::joint, "", {}, Attachment::frames});
  library.types.push_back({"drag", Group::force, "", {}, Attachment::joint});
  library.types.push_back({"gear", Group::joint, "", {}, Attachment::two_joints});
  library.types.push_back({"axle", Group::joint, "", {}, Attachment::shafts});
  library.types.push_back({"gauge", Group::sensor, "", {}, Attachment::interact});
  library.types.push_back({"pid", Group::controller, "", fields, Attachment::frames});
  return library;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const io::Library library = make_library();
  const std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  io::read_scenario_text(text, "fuzz.yaml", library, {}, diagnostics);
  diagnostics.text();
  return 0;
}
