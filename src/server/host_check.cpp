#include "server/host_check.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace monocoque::server {

namespace {

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool in_digits(const std::string& name) {
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET, name.c_str(), bytes.data()) == 1) return true;
  return name.size() > 2 && name.front() == '[' && name.back() == ']' &&
         inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), bytes.data()) == 1;
}

}  // namespace

void HostCheck::allow(const std::string& name) {
  const bool bare_v6 = name.find(':') != std::string::npos && name.front() != '[';
  names_.push_back(small_letters(bare_v6 ? "[" + name + "]" : name));
}

bool HostCheck::host(const std::string& text) const {
  // The colon of the port is the last one, unless it belongs to an IPv6 address.
  std::size_t colon = text.rfind(':');
  if (colon != std::string::npos && text.find(']', colon) != std::string::npos) colon = std::string::npos;
  const std::string port = colon == std::string::npos ? "80" : text.substr(colon + 1);
  if (port != std::to_string(port_)) return false;
  const std::string name = small_letters(text.substr(0, colon));
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) return true;
  return any_address_ && in_digits(name);
}

bool HostCheck::origin(const std::string& text) const {
  const std::string scheme = "http://";
  return text.starts_with(scheme) && host(text.substr(scheme.size()));
}

}  // namespace monocoque::server
