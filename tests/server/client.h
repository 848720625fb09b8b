#pragma once
// A client of plain sockets that may also send nonsense, and a folder with a run whose values are known.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/recorder.h"
#include "results/scene.h"
#include "server/http.h"

namespace monocoque::server::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("monocoque_" + std::to_string(getpid()) + test->test_suite_name() + test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name = "run.h5") const { return (folder_ / name).string(); }
  fs::path folder_;
};

inline std::vector<Channel> known_channels() {
  return {{"car/position/x", "m"}, {"car/velocity/x", "m/s"}, {"noise", "1"}, {"ramp", "N"}, {"odd", "1"}};
}
inline double known_time(std::size_t i) {
  return 0.001 * static_cast<double>(i);
}
inline double known_value(std::size_t i, std::size_t channel) {
  const double t = known_time(i);
  switch (channel) {
    case 0:
      return std::sin(3 * t);
    case 1:
      return 3 * std::cos(3 * t);
    case 2:
      return static_cast<double>((i * 2654435761U) % 1000) / 1000;
    case 3:
      return 10 * t;
    default:
      return i % 100 == 7 ? std::nan("") : static_cast<double>(i % 13);
  }
}

inline Scene known_scene() {
  Scene scene;
  scene.row = 8;
  scene.arrows = 6;
  scene.json =
      R"({"version":1,"model":"known","row":8,"arrows":6,"parts":[{"name":"car","x":0}],"markers":[]})";
  SceneAsset a;
  a.points.resize(3, 3);
  a.points << 0, 1, 0, 0, 0, 1, 0.5F, 0.5F, 0.25F;
  a.triangles = {{0, 1, 2}};
  a.lines = {{0, 1}, {1, 2}};
  a.modes = SceneAsset::Rows::Constant(9, 2, 0.125F);
  scene.assets.push_back(a);
  return scene;
}

/// Of this many rows; a row of motion every fifth.
inline void write_known(const std::string& path, std::size_t rows, bool complete = true,
                        const std::string& created = "2026-01-02T03:04:05Z") {
  const Scene scene = known_scene();
  RunInfo info;
  info.model = "known";
  info.created = created;
  info.settings_json = R"({"step_s":0.001})";
  RunWriter w(path, known_channels(), info, 64, &scene);
  const std::vector<float> arrows(6, 2.5F);
  for (std::size_t i = 0; i < rows; ++i) {
    double* row = w.next_row(known_time(i));
    for (std::size_t k = 0; k < known_channels().size(); ++k) row[k] = known_value(i, k);
    std::vector<double> x(8, known_time(i));
    if (i % 5 == 0) w.motion(known_time(i), x.data(), arrows.data());
  }
  if (complete) w.finish(R"({"steps":7})");
}

/// A binary answer taken apart, with its layout checked.
struct Unpacked {
  Json head;
  std::map<std::string, std::vector<double>> arrays;
  std::map<std::string, std::vector<std::size_t>> shapes;
};

inline Unpacked unpack(const std::string& bytes) {
  Unpacked out;
  std::uint32_t n = 0;
  if (bytes.size() < 4) return out;
  std::memcpy(&n, bytes.data(), 4);
  out.head = Json::parse(bytes.substr(4, n));
  const std::size_t begin = (4 + n + 7) / 8 * 8;
  for (const Json& a : out.head["arrays"]) {
    const std::string type = a["type"], name = a["name"];
    const std::size_t offset = a["offset"], item = type == "f64" ? 8 : type == "u8" ? 1 : 4;
    std::size_t count = 1;
    for (const std::size_t k : a["shape"]) count *= k;
    EXPECT_EQ(offset % 8, 0U);
    EXPECT_LE(begin + offset + item * count, bytes.size()) << name;
    auto& values = out.arrays[name];
    out.shapes[name] = a["shape"].get<std::vector<std::size_t>>();
    for (std::size_t i = 0; i < count; ++i) {
      const char* at = bytes.data() + begin + offset + item * i;
      double f64 = 0;
      float f32 = 0;
      std::int32_t i32 = 0;
      if (type == "f64") std::memcpy(&f64, at, 8);
      if (type == "f32") std::memcpy(&f32, at, 4);
      if (type == "i32") std::memcpy(&i32, at, 4);
      if (type == "u8") i32 = *at;
      values.push_back(type == "f64" ? f64 : type == "f32" ? static_cast<double>(f32) : i32);
    }
  }
  return out;
}

struct Answer {
  int status = 0;  ///< 0: none came
  std::string head, body;
  std::string field(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval wait{5, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
    port_ = port;
  }
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }
  Client(Client&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        connected_(other.connected_),
        port_(other.port_),
        kept_(std::move(other.kept_)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  bool send(const std::string& bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  /// False at the end, or after five seconds.
  bool more() {
    char piece[65536];
    const ssize_t n = recv(socket_, piece, sizeof piece, 0);
    if (n > 0) kept_.append(piece, static_cast<std::size_t>(n));
    return n > 0;
  }
  std::string take(std::size_t n) {
    while (kept_.size() < n && more()) {
    }
    std::string out = kept_.substr(0, n);
    kept_.erase(0, n);
    return out;
  }
  void shrink_window() const {
    const int bytes = 4096;
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }

  Answer answer(bool head_only = false) {
    Answer a;
    std::size_t end = std::string::npos;
    while ((end = kept_.find("\r\n\r\n")) == std::string::npos)
      if (!more()) return a;
    a.head = kept_.substr(0, end + 2);
    kept_.erase(0, end + 4);
    if (a.head.size() > 12) a.status = std::atoi(a.head.c_str() + 9);
    if (head_only) return a;
    if (a.field("Transfer-Encoding") == "chunked") {
      for (;;) {
        std::size_t line = std::string::npos;
        while ((line = kept_.find("\r\n")) == std::string::npos)
          if (!more()) return a;
        const std::size_t n = std::stoul(kept_.substr(0, line), nullptr, 16);
        kept_.erase(0, line + 2);
        a.body += take(n);
        take(2);
        if (n == 0) return a;
      }
    }
    const std::string length = a.field("Content-Length");
    if (!length.empty()) a.body = take(std::stoul(length));
    return a;
  }
  Answer get(const std::string& target, const std::string& fields = {}) {
    send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n" + fields +
         "\r\n");
    return answer();
  }
  Answer put(const std::string& target, const std::string& body, const std::string& fields = {}) {
    send("PUT " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port_) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + fields + "\r\n" + body);
    return answer();
  }

  // WebSocket
  Answer upgrade(const std::string& target = "/live", const std::string& fields = {}) {
    send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         fields + "\r\n");
    return answer(true);
  }
  bool frame(int code, const std::string& payload) const {
    std::string out(1, static_cast<char>(0x80 | code));
    if (payload.size() < 126) {
      out += static_cast<char>(0x80 | payload.size());
    } else {
      out += static_cast<char>(0x80 | 126);
      out += static_cast<char>(payload.size() >> 8);
      out += static_cast<char>(payload.size() & 255);
    }
    const char mask[] = {1, 2, 3, 4};
    out.append(mask, 4);
    for (std::size_t i = 0; i < payload.size(); ++i) out += static_cast<char>(payload[i] ^ mask[i % 4]);
    return send(out);
  }
  struct Message {
    int code = -1;  ///< -1: the end
    std::string payload;
  };
  /// The next one that is no ping; pings are answered.
  Message message() {
    for (;;) {
      Message m = any_message();
      if (m.code != 9) return m;
      frame(10, m.payload);
    }
  }
  Message any_message() {
    const std::string head = take(2);
    if (head.size() < 2) return {};
    std::size_t n = static_cast<unsigned char>(head[1]) & 127;
    const std::size_t more_bytes = n == 126 ? 2 : n == 127 ? 8 : 0;
    if (more_bytes > 0) {
      n = 0;
      for (const char c : take(more_bytes)) n = n << 8 | static_cast<unsigned char>(c);
    }
    return {head[0] & 15, take(n)};
  }

 private:
  int socket_;
  bool connected_ = false;
  int port_ = 0;
  std::string kept_;
};

}  // namespace monocoque::server::test
