// Any bytes as a mesh, SID or matrix file: the readers must answer with a result or an Error, never with a
// crash, a hang or another exception. The first byte chooses the format: 0 Nastran, 1 Abaqus, 2 LS-DYNA, 3
// SID, 4 matrices (stiffness, mass, rows and nodes divided by @).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/error.h"
#include "io/body/sid.h"
#include "io/mesh/assembled.h"
#include "io/mesh/mesh_readers.h"

using namespace monocoque;

int fuzz_mesh(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string file = "/no/such/folder/fuzz";
  io::FeReadOptions options;
  options.lenient = size % 2 == 0;
  try {
    switch ((data[0] + 2) % 5) {
      case 0:
        io::summary_of(io::read_nastran_text(text, file, options)).text();
        break;
      case 1:
        io::summary_of(io::read_abaqus_text(text, file, options)).text();
        break;
      case 2:
        io::summary_of(io::read_lsdyna_text(text, file, options)).text();
        break;
      case 3:
        io::sid_text(io::read_sid_text(text, file));
        break;
      default: {
        std::array<std::string, 4> parts;
        std::size_t at = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          const std::size_t end = i < 3 ? text.find('@', at) : std::string::npos;
          parts[i] = text.substr(at, end == std::string::npos ? end : end - at);
          at = end == std::string::npos ? text.size() : end + 1;
        }
        io::read_assembled_text({parts[0], parts[1], parts[2], parts[3]}, {"K", "M", "rows", "nodes"}, {});
      }
    }
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): an Error is a good answer
  }
  return 0;
}

#ifdef MONOCOQUE_FUZZ_TARGET
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz_mesh(data, size);
}
#endif
