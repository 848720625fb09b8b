#pragma once
// What a request asks and what is answered, free of any network: handlers can be tried without a server.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace monocoque::server {

struct Request {
  std::string method;  ///< GET, HEAD or PUT
  std::string path;    ///< as sent, before '?'; begins with '/'
  std::string query;   ///< as sent, after '?'
  std::string body;
  bool accepts_gzip = false;
};

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::shared_ptr<const std::string> shared;  ///< instead of the body: something that many replies show
  std::string encoding;                       ///< Content-Encoding, or empty
  std::string file_name;                      ///< offered for saving, or empty
  std::string policy;                         ///< Content-Security-Policy; empty: nothing is allowed
  bool cache = false;                         ///< else the browser is told to keep nothing
  /// A body that is made piece by piece: called again and again until it leaves the text empty.
  std::function<void(std::string& piece)> stream;
};

/// {"error": text} with a status of 4xx or 5xx.
Reply error_reply(int status, std::string_view text);

/// Answers requests. Each worker is a thread of its own, so that slow answers do not hold up quick ones.
class Handler {
 public:
  static constexpr int workers = 2;
  virtual ~Handler() = default;
  /// Which worker answers: 0 quick, 1 slow. Called on the server's thread, so it must be quick itself.
  virtual int worker(const Request& request) const = 0;
  /// Must not throw; called on that worker.
  virtual Reply answer(const Request& request) noexcept = 0;
  /// A small piece of work for which nobody waits yet; false when there is none. On worker 1 while it is
  /// idle.
  virtual bool background() noexcept { return false; }
};

}  // namespace monocoque::server
