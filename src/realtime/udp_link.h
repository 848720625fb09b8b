#pragma once
// Inputs and outputs as datagrams (packet.h). Of several inputs that have come since the last step the newest
// counts; a bounded number is looked at in a step, so that a flood costs a bounded time.

#include <array>
#include <string>
#include <vector>

#include "realtime/exchange.h"
#include "realtime/packet.h"

namespace monocoque::realtime {

struct UdpOptions {
  std::string address = "127.0.0.1";       ///< IPv4 on which inputs are awaited
  int port = 0;                            ///< 0: any free one
  std::string peer_address = "127.0.0.1";  ///< where outputs go, and the only one whose inputs are taken
  int peer_port = 0;                       ///< 0: to whoever sent the last valid inputs
};

class UdpLink final : public ExchangeLink {
 public:
  static constexpr int kMostPackets = 16;  ///< looked at in one call of receive

  /// Throws Error when the address cannot be used.
  UdpLink(const UdpOptions& options, const ExchangeLayout& layout);
  ~UdpLink() override;
  UdpLink(const UdpLink&) = delete;
  UdpLink& operator=(const UdpLink&) = delete;

  bool receive(double* values) override;
  void send(double t_s, const double* values, std::uint32_t flags) override;
  void expect_restart() override { restart_ = true; }
  std::vector<std::pair<std::string, std::int64_t>> counts() const override;
  std::string description() const override;
  int port() const { return port_; }  ///< the one it has, also where any was asked for

 private:
  int socket_ = -1, port_ = 0;
  std::string address_, peer_text_;
  std::uint32_t peer_address_ = 0;  ///< in the order of the network, as the port
  std::uint16_t peer_port_ = 0;
  bool answer_ = false, restart_ = true;
  PacketHeader wanted_, sent_;
  std::uint64_t last_sequence_ = 0;
  std::vector<unsigned char> in_, out_;
  std::vector<double> values_;
  std::int64_t accepted_ = 0, strangers_ = 0, old_ = 0, lost_ = 0, floods_ = 0, outputs_ = 0, not_sent_ = 0;
  std::array<std::int64_t, static_cast<std::size_t>(PacketFault::number)> faults_{};
};

/// "127.0.0.1:5000"; throws Error naming the option.
void parse_endpoint(const std::string& option, const std::string& text, std::string& address, int& port);

}  // namespace monocoque::realtime
