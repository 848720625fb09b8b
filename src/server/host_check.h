#pragma once
// Which names a browser may use for this server. A page of another site can make its own name point to
// loopback (DNS rebinding) and would then be of the same origin; the name in its requests gives it away.

#include <string>
#include <vector>

namespace monocoque::server {

class HostCheck {
 public:
  /// Loopback names with this port; with `any_address` also every address written in digits, since those
  /// cannot be rebound.
  HostCheck(int port, bool any_address) : port_(port), any_address_(any_address) {}
  void allow(const std::string& name);
  /// Of the header Host: "localhost:8740".
  bool host(const std::string& text) const;
  /// Of the header Origin: "http://localhost:8740".
  bool origin(const std::string& text) const;

 private:
  int port_;
  bool any_address_;
  std::vector<std::string> names_{"127.0.0.1", "localhost", "[::1]"};
};

}  // namespace monocoque::server
