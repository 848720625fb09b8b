// The server on loopback with clients that behave, and clients that do not.

#include "server/server.h"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include "client.h"
#include "core/error.h"
#include "server/host_check.h"
#include "server/page.h"
#include "server/run_api.h"

namespace monocoque::server::test {
namespace {

using Clock = std::chrono::steady_clock;

bool soon(const std::function<bool()>& holds, double seconds = 5) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!holds()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// Echoes texts, and remembers who came and went.
class Echo : public LiveHub {
 public:
  void on_open(SessionId s) override {
    const std::lock_guard lock(mutex);
    open.push_back(s);
  }
  void on_text(SessionId s, std::string_view text) override {
    if (text == "fail") throw std::runtime_error("as asked");
    server->send_text(s, std::make_shared<const std::string>(text));
  }
  void on_close(SessionId s) override {
    const std::lock_guard lock(mutex);
    closed.push_back(s);
  }
  std::size_t gone() {
    const std::lock_guard lock(mutex);
    return closed.size();
  }
  Server* server = nullptr;
  std::mutex mutex;
  std::vector<SessionId> open, closed;
};

class Network : public Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    write_known(path(), 5000);
    ApiSettings api_settings;
    api_settings.runs = {path()};
    api = std::make_unique<RunApi>(api_settings);
    settings.port = 0;
    begin();
  }
  void begin() {
    server = std::make_unique<Server>(settings, *api, &hub);
    hub.server = server.get();
    server->start();
  }
  void TearDown() override {
    server.reset();
    Folder::TearDown();
  }
  Client client() const { return Client(server->port()); }
  void expect_alive() const { EXPECT_EQ(client().get("/api/session").status, 200); }

  ServerSettings settings;
  Echo hub;
  std::unique_ptr<RunApi> api;
  std::unique_ptr<Server> server;
};

TEST_F(Network, PageAndAnswersOverOneConnection) {
  Client c = client();
  const Answer plain = c.get("/");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.body, *page_text());
  EXPECT_EQ(plain.field("X-Content-Type-Options"), "nosniff");
  EXPECT_NE(plain.field("Content-Security-Policy").find("frame-ancestors 'none'"), std::string::npos);
  const Answer packed = c.get("/", "Accept-Encoding: gzip, deflate\r\n");
  EXPECT_EQ(packed.field("Content-Encoding"), "gzip");
  EXPECT_EQ(gunzip(packed.body), *page_text());
  const Answer session = c.get("/api/session");
  EXPECT_EQ(Json::parse(session.body)["runs"][0]["rows"], 5000);
  EXPECT_EQ(session.field("Cache-Control"), "no-store");
  EXPECT_EQ(session.field("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'");
  const Unpacked d = unpack(c.get("/api/runs/0/data?c=3&from=1&to=2").body);
  EXPECT_EQ(d.arrays.at("hi_0")[10], known_value(1010, 3));
  const Answer csv = c.get("/api/runs/0/csv?c=3");
  EXPECT_EQ(csv.field("Content-Disposition"), "attachment; filename=\"run.csv\"");
  EXPECT_EQ(std::count(csv.body.begin(), csv.body.end(), '\n'), 5001);
  EXPECT_EQ(c.put("/api/runs/0/layout", "{\"a\":1}").status, 200);
  EXPECT_EQ(c.get("/api/runs/0/layout").body, "{\"a\":1}");
  EXPECT_EQ(c.get("/favicon.ico").status, 204);
  c.send("HEAD / HTTP/1.1\r\nHost: localhost:" + std::to_string(server->port()) + "\r\n\r\n");
  EXPECT_EQ(c.answer(true).field("Content-Length"), std::to_string(page_text()->size()));
  EXPECT_EQ(c.get("/nothing").status, 404);
  // Two at once, answered in order.
  const std::string host = " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server->port()) + "\r\n\r\n";
  c.send("GET /api/runs/0/values?t=1" + host + "GET /api/runs/0/values?t=2" + host);
  EXPECT_EQ(Json::parse(c.answer().body)["t"], 1.0);
  EXPECT_EQ(Json::parse(c.answer().body)["t"], 2.0);
  EXPECT_EQ(server->counters().connections, 1U);
}

TEST(HostCheck, NamesOfThisServerOnly) {
  HostCheck check(8740, false);
  for (const char* good : {"127.0.0.1:8740", "localhost:8740", "LOCALHOST:8740", "[::1]:8740"}) {
    EXPECT_TRUE(check.host(good)) << good;
    EXPECT_TRUE(check.origin(std::string("http://") + good)) << good;
  }
  for (const char* bad : {"", "evil.example:8740", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:8740",
                          "localhost:8740.evil.example", "[::1]", "[::1]:87400", "10.0.0.1:8740", "::1:8740",
                          "127.0.0.1:8740/", "user@127.0.0.1:8740"})
    EXPECT_FALSE(check.host(bad)) << bad;
  EXPECT_FALSE(check.origin("https://localhost:8740"));
  EXPECT_FALSE(check.origin("null"));
  HostCheck any(80, true);
  any.allow("box.local");
  EXPECT_TRUE(any.host("192.168.1.7"));
  EXPECT_TRUE(any.host("[fe80::1]:80"));
  EXPECT_TRUE(any.host("box.local:80"));
  EXPECT_FALSE(any.host("evil.example"));
}

TEST_F(Network, OtherNamesAndOriginsAreRefused) {
  const std::string port = std::to_string(server->port());
  const auto status = [&](const std::string& text) {
    Client c = client();
    c.send(text);
    return c.answer().status;
  };
  EXPECT_EQ(status("GET /api/session HTTP/1.1\r\nHost: evil.example:" + port + "\r\n\r\n"), 403);
  EXPECT_EQ(status("GET /api/session HTTP/1.1\r\n\r\n"), 403);
  EXPECT_EQ(status("GET /api/session HTTP/1.1\r\nHost: localhost:" + port + "\r\nHost: x\r\n\r\n"), 403);
  EXPECT_EQ(status("POST /api/session HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n"), 405);
  EXPECT_EQ(status("GET http://evil/ HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n"), 400);
  EXPECT_EQ(client().put("/api/runs/0/layout", "{}", "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(client().put("/api/runs/0/layout", "{}", "Origin: http://localhost:" + port + "\r\n").status,
            200);
  EXPECT_EQ(client().upgrade("/live", "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(client().upgrade("/live", "Origin: http://127.0.0.1:" + port + "\r\n").status, 101);
  EXPECT_EQ(client().upgrade("/other").status, 404);
}

TEST_F(Network, LargeRequestsAreRefused) {
  EXPECT_EQ(client().get("/api/session", "X: " + std::string(40000, 'a') + "\r\n").status, 431);
  EXPECT_EQ(client().get("/" + std::string(40000, 'a')).status, 431);
  EXPECT_EQ(client().put("/api/runs/0/layout", "\"" + std::string(300000, 'a') + "\"").status, 413);
  EXPECT_EQ(client().put("/api/runs/0/layout", "\"" + std::string(200000, 'a') + "\"").status, 200);
  EXPECT_EQ(client().put("/api/runs/0/layout", std::string(100000, '[')).status, 400);
  expect_alive();
}

TEST_F(Network, NonsenseIsRefused) {
  std::mt19937 gen(3);
  const std::string good =
      "GET /api/runs/0/data?c=0,e:%5Bramp%5D HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server->port()) +
      "\r\nAccept-Encoding: gzip\r\n\r\n";
  for (int k = 0; k < 120; ++k) {
    std::string bytes = good;
    if (k % 3 == 0) {
      bytes.resize(gen() % 2000);
      for (char& c : bytes) c = static_cast<char>(gen());
    } else if (k % 3 == 1) {
      bytes.resize(gen() % bytes.size());
    } else {
      for (int j = 0; j < 3; ++j) bytes[gen() % bytes.size()] = static_cast<char>(gen());
    }
    Client c = client();
    c.send(bytes);
  }
  for (const char* target :
       {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/api/runs/../../etc/passwd", "/./etc",
        "/api/runs/0/layout/../../../etc/passwd", "/%00", "/\\..\\x", "/api/runs/0/asset/%2e%2e"})
    EXPECT_EQ(client().get(target).status, 404) << target;
  EXPECT_EQ(client().get("/api/runs/0/data?c=" + std::string(20000, ',')).status, 400);
  expect_alive();
}

TEST_F(Network, ThousandConnections) {
  rlimit files{};  // of both sides of a thousand connections
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  std::vector<Client> crowd;
  int connected = 0;
  for (int k = 0; k < 1000; ++k) {
    crowd.push_back(client());
    connected += crowd.back().connected() ? 1 : 0;
  }
  EXPECT_GT(connected, 900);
  EXPECT_TRUE(soon([&] { return server->counters().refused >= 900; }));
  EXPECT_LE(server->counters().open_connections, settings.connections);
  EXPECT_EQ(crowd.back().answer().status, 503);
  EXPECT_EQ(crowd.front().get("/api/session").status, 200);  // who came first is served
  crowd.clear();
  EXPECT_TRUE(soon([&] { return server->counters().open_connections == 0; }));
  expect_alive();
}

TEST_F(Network, SlowClientsAreLeft) {
  server.reset();
  settings.request_s = 0.2;
  settings.write_s = 0.3;
  begin();
  Client slow = client();
  const auto start = Clock::now();
  for (const char c : std::string("GET /api/sess")) {
    slow.send(std::string(1, c));
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  while (slow.more()) {
  }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 2);
  // One that asks for much and reads nothing.
  Client lazy = client();
  lazy.shrink_window();
  for (int k = 0; k < 40; ++k)
    lazy.send("GET /api/runs/0/data?c=0,1,2,3&points=20000 HTTP/1.1\r\nHost: localhost:" +
              std::to_string(server->port()) + "\r\n\r\n");
  EXPECT_TRUE(soon([&] { return server->counters().open_connections == 0; }));
  expect_alive();
}

TEST_F(Network, LiveSessionsSpeakAndLeave) {
  Client a = client(), b = client();
  ASSERT_EQ(a.upgrade().status, 101);
  ASSERT_EQ(b.upgrade().status, 101);
  a.frame(1, "hello");
  const auto echo = a.message();
  EXPECT_EQ(echo.code, 1);
  EXPECT_EQ(echo.payload, "hello");
  b.frame(1, "I am here");
  EXPECT_EQ(b.message().payload, "I am here");
  server->send_state(Server::everyone, std::make_shared<const std::string>(1000, 'x'));
  EXPECT_EQ(a.message().code, 2);
  EXPECT_EQ(b.message().payload.size(), 1000U);
  EXPECT_EQ(server->counters().open_sessions, 2);
  server->close(hub.open[0]);
  EXPECT_EQ(a.message().code, 8);
  EXPECT_TRUE(soon([&] { return hub.gone() == 1; }));
  { const Client leaving = std::move(b), left = std::move(a); }
  EXPECT_TRUE(soon([&] { return hub.gone() == 2 && server->counters().open_sessions == 0; }));
}

TEST_F(Network, LiveNonsenseIsClosed) {
  server.reset();
  settings.messages_per_s = 20;  // so few that a slow machine cannot keep within
  settings.close_s = 0.4;
  begin();
  std::size_t gone = 0;
  // The other side neither answers the close nor goes: the server does.
  const auto closed = [&](const std::function<void(Client&)>& act) {
    SCOPED_TRACE("case " + std::to_string(gone + 1));
    Client c = client();
    EXPECT_EQ(c.upgrade().status, 101);
    act(c);
    EXPECT_TRUE(soon([&] { return hub.gone() == gone + 1; }, 3));
    EXPECT_TRUE(soon([&] { return server->counters().open_connections == 0; }, 3));
    gone = hub.gone();
  };
  closed([](Client& c) { c.frame(1, std::string(5000, 'a')); });
  closed([](Client& c) { c.frame(2, "binary"); });
  closed([](Client& c) { c.frame(1, "fail"); });
  closed([](Client& c) { c.frame(1, "\xff\xfe not UTF-8"); });
  closed([](Client& c) {
    c.send(
        "\x81\x03"
        "abc");
  });                                                             // not masked
  closed([](Client& c) { c.send("\xff\xff\xff\xff\xff\xff"); });  // reserved bits
  closed([](Client& c) { c.frame(3, "unknown code"); });
  closed([](Client& c) { c.send(std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10)); });
  closed([](Client& c) {
    for (int k = 0; k < 300; ++k) c.frame(1, "{}");
  });
  closed([](Client& c) {
    for (int k = 0; k < 300; ++k) c.frame(9, "ping");
  });
  EXPECT_EQ(server->counters().closed_for_rate, 2U);
  // A frame that comes byte by byte, or never ends.
  closed([](Client& c) {
    for (const char x : std::string("\x81\x85\x01\x02\x03\x04hel")) {
      c.send(std::string(1, x));
      std::this_thread::sleep_for(std::chrono::milliseconds(70));
    }
  });
  closed([](Client& c) { c.send(std::string("\x01\x81\x00\x00\x00\x00h", 7)); });  // no last piece
  std::mt19937 gen(5);
  for (int k = 0; k < 30; ++k) {
    Client c = client();
    c.upgrade();
    std::string bytes(gen() % 300, '\0');
    for (char& x : bytes) x = static_cast<char>(gen());
    c.send(bytes);
  }
  EXPECT_TRUE(soon([&] { return server->counters().open_sessions == 0; }));
  expect_alive();
}

TEST_F(Network, SlowWatchersGetTheNewestOnly) {
  Client quick = client(), slow = client();
  slow.shrink_window();
  ASSERT_EQ(quick.upgrade().status, 101);
  ASSERT_EQ(slow.upgrade().status, 101);
  ASSERT_TRUE(
      soon([&] { return server->counters().open_sessions == 2 && server->counters().sessions == 2; }));
  constexpr int frames = 400;
  int last = -1, received = 0;
  std::thread reader([&] {
    while (last < frames - 1) {
      const auto m = quick.message();
      if (m.code != 2) break;
      std::memcpy(&last, m.payload.data(), sizeof last);
      ++received;
    }
  });
  for (int k = 0; k < frames; ++k) {
    auto state = std::make_shared<std::string>(40000, 'x');
    std::memcpy(state->data(), &k, sizeof k);
    server->send_state(Server::everyone, state);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  reader.join();
  EXPECT_EQ(last, frames - 1);  // the newest arrives, whatever was left out
  const ServerCounters c = server->counters();
  EXPECT_GT(c.states_replaced, 100U);
  // The slow one: what lies in the buffers of the system, one frame under way, and then the newest.
  int seen = 0, newest = -1;
  while (newest < frames - 1) {
    const auto m = slow.message();
    ASSERT_EQ(m.code, 2);
    std::memcpy(&newest, m.payload.data(), sizeof newest);
    ++seen;
  }
  EXPECT_LT(seen, frames);
  // Texts must not be left out; who does not read them is closed.
  for (int k = 0; k < 400; ++k)
    server->send_text(Server::everyone, std::make_shared<const std::string>(60000, 'y'));
  EXPECT_TRUE(soon([&] { return server->counters().closed_for_backlog >= 1; }));
}

TEST_F(Network, TimersRunOnTheServersThread) {
  std::atomic<int> ticks{0};
  std::atomic<bool> same{true};
  std::thread::id first;
  server->every(0.005, [&] {
    if (ticks++ == 0) first = std::this_thread::get_id();
    same = same && first == std::this_thread::get_id();
  });
  EXPECT_TRUE(soon([&] { return ticks > 20; }));
  EXPECT_TRUE(same);
  server->stop();
}

TEST_F(Network, TakenPortsAreToldOrPassed) {
  ServerSettings taken;
  taken.port = server->port();
  taken.next_port_when_taken = false;
  EXPECT_THROW(Server(taken, *api), Error);
  taken.next_port_when_taken = true;
  EXPECT_NE(Server(taken, *api).port(), server->port());
  taken.host = "no.such.host.invalid";
  EXPECT_THROW(Server(taken, *api), Error);
}

}  // namespace
}  // namespace monocoque::server::test
