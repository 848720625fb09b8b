// Any bytes as a tyre property file: the reader must answer with a TirFile or an Error, never with a crash, a
// hang or another exception.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/error.h"
#include "io/tire/tir.h"

using namespace monocoque;

int fuzz_tir(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const io::TirFile file = io::read_tir_text(text, "fuzz.tir");
    file.warnings.text();
    for (const io::TirAssumption& a : file.assumed) a.line();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): an Error is a good answer
  }
  return 0;
}

#ifdef MONOCOQUE_FUZZ_TARGET
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz_tir(data, size);
}
#endif
