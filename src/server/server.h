#pragma once
// HTTP and WebSocket on one thread (Boost.Beast, hidden in server.cpp); answers are made by a Handler on
// threads of their own. What a hostile or slow client can cost is bounded: size of headers, bodies and
// messages, rates, connections, times. See docs/viewer-protocol.md.
//
// Live sessions (WebSocket at /live) belong to a LiveHub. A session that reads too slowly gets fewer state
// frames, never a longer queue: the newest replaces the one that waits.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/http.h"

namespace monocoque::server {

using SessionId = std::uint64_t;
using Frame = std::shared_ptr<const std::string>;

/// All functions are called on the server's thread and must be quick.
class LiveHub {
 public:
  virtual ~LiveHub() = default;
  virtual void on_open(SessionId session) = 0;
  virtual void on_text(SessionId session, std::string_view text) = 0;
  virtual void on_close(SessionId session) = 0;
};

struct ServerSettings {
  std::string host;                  ///< empty: loopback; else a name or address to listen at
  int port = 8740;                   ///< 0: any free one
  bool next_port_when_taken = true;  ///< up to 20 further ones, then any
  int connections = 64;              ///< further ones are answered 503
  int sessions = 16;                 ///< of these at most so many WebSockets
  double request_s = 10;             ///< for a request to arrive, and between two of a kept connection
  double write_s = 60;               ///< for an answer to be taken
  double silence_s = 30;             ///< a live session that does not even answer a ping is closed
  double close_s = 2;  ///< for a frame to be complete, and for an answer to a close; then it is cut
  std::size_t header_bytes = 32 * 1024, body_bytes = 256 * 1024;
  std::size_t message_bytes = 4096;  ///< of a WebSocket text
  int messages_per_s = 200;
};

struct ServerCounters {
  std::uint64_t connections = 0, refused = 0, requests = 0, errors = 0;
  std::uint64_t sessions = 0, messages = 0, states_sent = 0, states_replaced = 0, texts_sent = 0;
  std::uint64_t closed_for_rate = 0, closed_for_backlog = 0, closed_for_silence = 0;
  int open_connections = 0, open_sessions = 0;
};

class Server {
 public:
  static constexpr SessionId everyone = 0;

  /// Binds; throws Error when there is no port. The handler and the hub must outlive the server.
  Server(const ServerSettings& settings, Handler& handler, LiveHub* hub = nullptr);
  ~Server();  ///< stops
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start();  ///< begins to answer, on a thread of its own
  void stop();   ///< closes all connections; the hub hears of it

  int port() const;
  std::string url() const;  ///< "http://127.0.0.1:8740/"

  /// From any thread. Texts wait in a queue; a session with more than 256 KB waiting is closed.
  void send_text(SessionId to, Frame text);
  /// A binary frame. At most one waits for each session.
  void send_state(SessionId to, Frame state);
  void close(SessionId session);
  /// Runs on the server's thread, once, or every period until the server stops (one such timer).
  void post(std::function<void()> work);
  void every(double period_s, std::function<void()> work);

  ServerCounters counters() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace monocoque::server
