#pragma once
// What the connections of a server share. Internal to server.cpp, the only file that includes Boost.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "server/host_check.h"
#include "server/server.h"
#include "server/worker_thread.h"

namespace monocoque::server::network {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::size_t backlog_bytes = 256 * 1024;
/// Of a live session, in the system: what lies there is old when a slow browser reads it.
constexpr int send_buffer_bytes = 32 * 1024;

inline std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(1000 * seconds));
}

inline std::string text_of(boost::string_view view) {
  return {view.data(), view.size()};
}

/// Messages a second, with a burst of one second's worth.
class Allowance {
 public:
  explicit Allowance(int per_s) : per_s_(per_s), left_(per_s) {}
  bool take() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    left_ = std::min(per_s_, left_ + passed.count() * per_s_) - 1;
    return left_ >= 0;
  }

 private:
  double per_s_, left_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Counts the bytes that a stream has read, complete frames or not. What Beast calls a policy of rates.
class HeardBytes {
 public:
  std::uint64_t heard() const { return heard_; }

 private:
  friend class beast::rate_policy_access;
  static std::size_t available_read_bytes() { return std::numeric_limits<std::size_t>::max(); }
  static std::size_t available_write_bytes() { return std::numeric_limits<std::size_t>::max(); }
  void transfer_read_bytes(std::size_t n) { heard_ += n; }
  static void transfer_write_bytes(std::size_t) {}
  static void on_timer() {}
  std::uint64_t heard_ = 0;
};
using CountedStream = beast::basic_stream<tcp, net::any_io_executor, HeardBytes>;

struct AtomicCounters {
  std::atomic<std::uint64_t> connections{0}, refused{0}, requests{0}, errors{0}, sessions{0}, messages{0},
      states_sent{0}, states_replaced{0}, texts_sent{0}, closed_for_rate{0}, closed_for_backlog{0},
      closed_for_silence{0};
  std::atomic<int> open_connections{0}, open_sessions{0};
};

/// What all connections know.
struct Shared {
  ServerSettings settings;
  Handler& handler;
  LiveHub* hub;
  HostCheck hosts;
  AtomicCounters count;
  net::io_context& context;
  std::array<std::unique_ptr<WorkerThread>, Handler::workers> workers;
};

/// Counts itself among the open connections.
class Counted {
 public:
  explicit Counted(std::atomic<int>& number) : number_(number) { ++number_; }
  ~Counted() { --number_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<int>& number_;
};

}  // namespace monocoque::server::network
