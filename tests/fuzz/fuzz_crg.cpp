// Any bytes as an OpenCRG file: the reader must answer with a road or an Error, and a road must answer every
// query with finite numbers. Never a crash, a hang or another exception.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <string_view>
#include <utility>

#include "core/error.h"
#include "elements/roads/crg_surface.h"
#include "io/road/opencrg.h"

using namespace monocoque;

namespace {

void query(const CrgSurface& road) {
  std::int32_t hint = -1;
  const double u_0 = road.line().u_begin(), length = road.line().u_end() - u_0;
  for (int i = -4; i <= 12; ++i) {
    const double u = u_0 + length * i / 8.0, v = road.v().front() * i + road.v().back();
    const CrgLine::Point p = road.line().position(u, v);
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;  // a turn on the spot has no place beside it
    CrgPosition at;
    road.line().locate(p.x, p.y, hint, at);
    CrgHeight h;
    road.height(at.u, at.v, h);
    if (!std::isfinite(at.u + at.v + h.z + h.z_u + h.z_v)) std::abort();
  }
}

}  // namespace

int fuzz_crg(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    io::CrgFile file = io::read_crg_text(text, "/no/such/folder/fuzz.crg");
    query(CrgSurface(file, CrgModifierUse::standard));
    query(CrgSurface(std::move(file), CrgModifierUse::file));
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): an Error is a good answer
  }
  return 0;
}

#ifdef MONOCOQUE_FUZZ_TARGET
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz_crg(data, size);
}
#endif
