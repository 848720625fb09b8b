#pragma once
// The datagrams of `monocoque rt`, little-endian, without gaps:
//   offset  type    meaning
//    0      4 bytes "MCRT"
//    4      u16     version, 1
//    6      u16     kind: 1 inputs (to the simulation), 2 outputs (from it)
//    8      u64     sequence number
//   16      f64     simulated time, s; of inputs: not used
//   24      u32     layout (ExchangeLayout::id); of inputs 0: not compared
//   28      u32     count of values
//   32      u32     flags of outputs: 1 inputs have timed out, 2 last packet of the run
//   36      u32     CRC-32 (as zlib's) of bytes 0 to 35 followed by those from 40 on
//   40      f64     values
// A packet is as long as its count says, not longer and not shorter.

#include <array>
#include <cstddef>
#include <cstdint>

namespace monocoque::realtime {

constexpr std::size_t kHeaderBytes = 40;
constexpr std::uint16_t kPacketVersion = 1;
constexpr std::size_t kMostValues = 8000;  ///< of a packet: UDP carries 65507 bytes

enum class PacketKind : std::uint16_t { inputs = 1, outputs = 2 };

struct PacketHeader {
  PacketKind kind = PacketKind::inputs;
  std::uint64_t sequence = 0;
  double t_s = 0;
  std::uint32_t layout = 0, count = 0, flags = 0;
};

enum class PacketFault {
  none,
  length,  ///< shorter than a header, or not as long as its count says
  magic,
  version,
  kind,
  layout,
  count,
  checksum,
  not_finite,
  number  ///< how many faults there are
};
const char* fault_name(PacketFault fault);

constexpr std::size_t packet_bytes(std::size_t values) {
  return kHeaderBytes + 8 * values;
}
/// Writes packet_bytes(h.count) bytes.
void encode(const PacketHeader& h, const double* values, unsigned char* out);
/// Checks all of a packet before `values` (h.count of them) is touched. `wanted` gives kind, layout and
/// count.
PacketFault decode(const unsigned char* bytes, std::size_t size, const PacketHeader& wanted, PacketHeader& h,
                   double* values);

}  // namespace monocoque::realtime
