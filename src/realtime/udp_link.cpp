#include "realtime/udp_link.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error_kinds.h"

namespace monocoque::realtime {

namespace {

constexpr std::uint64_t kMostLost = 1000000000;  ///< at once: a sender may invent any number

std::uint32_t network_address(const std::string& option, const std::string& text) {
  in_addr a = {};
  if (inet_pton(AF_INET, text.c_str(), &a) != 1)
    throw Error(option, fmt::format("'{}' is not an IPv4 address", text), "for example 127.0.0.1");
  return a.s_addr;
}

std::uint16_t network_port(const std::string& option, int port) {
  if (port < 0 || port > 65535)
    throw Error(option, fmt::format("port {} does not exist, it must be 0 to 65535", port), "");
  return htons(static_cast<std::uint16_t>(port));
}

sockaddr_in socket_address(std::uint32_t address, std::uint16_t port) {
  sockaddr_in out = {};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = address;
  out.sin_port = port;
  return out;
}

}  // namespace

void parse_endpoint(const std::string& option, const std::string& text, std::string& address, int& port) {
  const std::size_t colon = text.rfind(':');
  const char* begin = text.c_str() + (colon == std::string::npos ? 0 : colon + 1);
  const char* end = text.c_str() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, port);
  if (error != std::errc() || stop != end || begin == end || port < 0 || port > 65535)
    throw Error(option, fmt::format("'{}' is not of the form PORT or ADDRESS:PORT, port 0 to 65535", text),
                "for example 5005 or 192.168.0.7:5005");
  if (colon != std::string::npos) address = text.substr(0, colon);
  network_address(option, address);
}

UdpLink::UdpLink(const UdpOptions& options, const ExchangeLayout& layout) : address_(options.address) {
  if (layout.outputs.size() > kMostValues || layout.inputs.size() > kMostValues)
    throw Error(
        "--udp",
        fmt::format("{} outputs do not fit into a packet, at most {} do", layout.outputs.size(), kMostValues),
        "choose some with --outputs, or use --shm");
  const std::uint32_t address = network_address("--udp", options.address);
  peer_address_ = network_address("--udp-peer", options.peer_address);
  peer_port_ = network_port("--udp-peer", options.peer_port);
  answer_ = options.peer_port == 0;
  peer_text_ = fmt::format("{}:{}", options.peer_address, options.peer_port);
  wanted_.layout = sent_.layout = layout.id();
  wanted_.count = static_cast<std::uint32_t>(layout.inputs.size());
  sent_.kind = PacketKind::outputs;
  sent_.count = static_cast<std::uint32_t>(layout.outputs.size());
  in_.resize(packet_bytes(layout.inputs.size()) + 1);  // one more: a packet that is too long shows
  values_.resize(layout.inputs.size());
  out_.resize(packet_bytes(layout.outputs.size()));

  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in own = socket_address(address, network_port("--udp", options.port));
  socklen_t size = sizeof own;
  if (socket_ < 0 || bind(socket_, reinterpret_cast<const sockaddr*>(&own), size) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    const int error = errno;
    if (socket_ >= 0) close(socket_);
    throw SystemError(
        "--udp", fmt::format("{}:{} cannot be used: {}", options.address, options.port, std::strerror(error)),
        "take another port, or an address of this machine");
  }
  port_ = ntohs(own.sin_port);
}

UdpLink::~UdpLink() {
  close(socket_);
}

bool UdpLink::receive(double* values) {
  bool fresh = false;
  for (int i = 0; i < kMostPackets; ++i) {
    sockaddr_in from = {};
    socklen_t size = sizeof from;
    const ssize_t got =
        recvfrom(socket_, in_.data(), in_.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 0) return fresh;
    if (from.sin_addr.s_addr != peer_address_) {
      ++strangers_;
      continue;
    }
    PacketHeader h;
    const PacketFault fault = decode(in_.data(), static_cast<std::size_t>(got), wanted_, h, values_.data());
    if (fault != PacketFault::none) {
      ++faults_[static_cast<std::size_t>(fault)];
      continue;
    }
    if (!restart_ && h.sequence != 0 && h.sequence <= last_sequence_) {
      ++old_;
      continue;
    }
    if (!restart_ && h.sequence > last_sequence_)
      lost_ += static_cast<std::int64_t>(std::min(h.sequence - last_sequence_ - 1, kMostLost));
    restart_ = false;
    last_sequence_ = h.sequence;
    if (answer_) peer_port_ = from.sin_port;
    ++accepted_;
    std::copy(values_.begin(), values_.end(), values);
    fresh = true;
  }
  ++floods_;
  return fresh;
}

void UdpLink::send(double t_s, const double* values, std::uint32_t flags) {
  if (peer_port_ == 0) return;  // nobody has spoken yet
  sent_.t_s = t_s;
  sent_.flags = flags;
  encode(sent_, values, out_.data());
  ++sent_.sequence;
  const sockaddr_in to = socket_address(peer_address_, peer_port_);
  if (sendto(socket_, out_.data(), out_.size(), MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&to),
             sizeof to) < 0)
    ++not_sent_;
  else
    ++outputs_;
}

std::vector<std::pair<std::string, std::int64_t>> UdpLink::counts() const {
  std::vector<std::pair<std::string, std::int64_t>> out = {
      {"inputs accepted", accepted_}, {"inputs lost", lost_}, {"inputs out of order", old_},
      {"from strangers", strangers_}, {"floods", floods_},    {"outputs sent", outputs_},
      {"outputs not sent", not_sent_}};
  for (std::size_t i = 1; i < faults_.size(); ++i)
    out.emplace_back(fmt::format("refused: {}", fault_name(static_cast<PacketFault>(i))), faults_[i]);
  return out;
}

std::string UdpLink::description() const {
  return fmt::format("UDP {}:{}, outputs to {}", address_, port_,
                     answer_ ? "the sender of inputs" : peer_text_);
}

}  // namespace monocoque::realtime
