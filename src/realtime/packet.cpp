#include "realtime/packet.h"

#include <bit>
#include <cmath>
#include <cstring>

#include <zlib.h>

namespace monocoque::realtime {

static_assert(std::endian::native == std::endian::little, "packets are copied as they are in memory");

namespace {

constexpr char kMagic[] = "MCRT";
constexpr std::size_t kChecksumAt = 36;

template <class T>
void put(unsigned char* out, std::size_t at, T value) {
  std::memcpy(out + at, &value, sizeof value);
}

template <class T>
T get(const unsigned char* in, std::size_t at) {
  T value;
  std::memcpy(&value, in + at, sizeof value);
  return value;
}

std::uint32_t checksum(const unsigned char* packet, std::size_t size) {
  const uLong head = crc32(0, packet, kChecksumAt);
  return static_cast<std::uint32_t>(
      crc32(head, packet + kHeaderBytes, static_cast<uInt>(size - kHeaderBytes)));
}

}  // namespace

const char* fault_name(PacketFault fault) {
  constexpr std::array<const char*, static_cast<std::size_t>(PacketFault::number)> names = {
      "none", "length", "magic", "version", "kind", "layout", "count", "checksum", "not finite"};
  return names[static_cast<std::size_t>(fault)];
}

void encode(const PacketHeader& h, const double* values, unsigned char* out) {
  std::memcpy(out, kMagic, 4);
  put(out, 4, kPacketVersion);
  put(out, 6, static_cast<std::uint16_t>(h.kind));
  put(out, 8, h.sequence);
  put(out, 16, h.t_s);
  put(out, 24, h.layout);
  put(out, 28, h.count);
  put(out, 32, h.flags);
  if (h.count > 0) std::memcpy(out + kHeaderBytes, values, 8 * std::size_t{h.count});
  put(out, kChecksumAt, checksum(out, packet_bytes(h.count)));
}

PacketFault decode(const unsigned char* bytes, std::size_t size, const PacketHeader& wanted, PacketHeader& h,
                   double* values) {
  if (size < kHeaderBytes) return PacketFault::length;
  if (std::memcmp(bytes, kMagic, 4) != 0) return PacketFault::magic;
  if (get<std::uint16_t>(bytes, 4) != kPacketVersion) return PacketFault::version;
  if (get<std::uint16_t>(bytes, 6) != static_cast<std::uint16_t>(wanted.kind)) return PacketFault::kind;
  h.kind = wanted.kind;
  h.sequence = get<std::uint64_t>(bytes, 8);
  h.t_s = get<double>(bytes, 16);
  h.layout = get<std::uint32_t>(bytes, 24);
  h.count = get<std::uint32_t>(bytes, 28);
  h.flags = get<std::uint32_t>(bytes, 32);
  if (h.layout != 0 && h.layout != wanted.layout) return PacketFault::layout;
  if (h.count != wanted.count) return PacketFault::count;
  if (size != packet_bytes(h.count)) return PacketFault::length;
  if (get<std::uint32_t>(bytes, kChecksumAt) != checksum(bytes, size)) return PacketFault::checksum;
  for (std::size_t i = 0; i < h.count; ++i)
    if (!std::isfinite(get<double>(bytes, kHeaderBytes + 8 * i))) return PacketFault::not_finite;
  if (h.count > 0) std::memcpy(values, bytes + kHeaderBytes, 8 * std::size_t{h.count});
  return PacketFault::none;
}

}  // namespace monocoque::realtime
