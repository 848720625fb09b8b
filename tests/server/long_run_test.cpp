// An hour at 1 kHz. Disabled, since it writes half a gigabyte and measures times:
//   test_server --gtest_filter=LongRun.* --gtest_also_run_disabled_tests

#include <algorithm>
#include <chrono>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "client.h"
#include "server/run_api.h"

namespace monocoque::server::test {
namespace {

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

long memory_kB() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  return 0;
}

class LongRun : public Folder {};

TEST_F(LongRun, DISABLED_StaysFluid) {
  constexpr std::size_t rows = 3600000, columns = 20;
  std::vector<Channel> channels;
  for (std::size_t k = 0; k < columns; ++k) channels.push_back({"channel" + std::to_string(k), "m"});
  {
    RunWriter w(path(), channels, {}, 8192);
    for (std::size_t i = 0; i < rows; ++i) {
      const double t = known_time(i);
      double* row = w.next_row(t);
      for (std::size_t k = 0; k < columns; ++k)
        row[k] = static_cast<double>((i * (2 * k + 2654435761U)) % 1000) + t * static_cast<double>(k);
    }
    w.finish("{}");
  }
  const long before = memory_kB();
  std::unique_ptr<RunApi> api;
  ApiSettings settings;
  settings.runs = {path()};
  const auto ask = [&](const std::string& query) {
    Request r;
    r.method = "GET";
    r.path = "/api/runs/0/data";
    r.query = query;
    const Reply reply = api->answer(r);
    EXPECT_EQ(reply.status, 200) << reply.body;
  };
  fmt::print("open                {:8.3f} s\n", seconds([&] { api = std::make_unique<RunApi>(settings); }));
  fmt::print("first whole curve   {:8.3f} s\n", seconds([&] { ask("c=0&points=2000"); }));
  fmt::print("next whole curve    {:8.3f} s\n", seconds([&] { ask("c=1&points=2000"); }));
  fmt::print("24 whole curves     {:8.3f} s\n", seconds([&] {
               ask("c=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,0,1,2,3&points=2000");
             }));
  fmt::print("first derived curve {:8.3f} s\n",
             seconds([&] { ask("c=e:%5Bchannel3%5D*2%2B%5Bchannel4%5D"); }));
  std::mt19937 gen(1);
  std::vector<double> times;
  for (int k = 0; k < 300; ++k) {
    const double width = 3600 * std::pow(10.0, -static_cast<double>(gen() % 500) / 100);
    const double from = static_cast<double>(gen() % 1000000) * 1e-6 * (3600 - width);
    times.push_back(seconds([&] {
      ask(fmt::format("c=2,3,e:%5Bchannel3%5D*2%2B%5Bchannel4%5D&from={}&to={}&points=4000", from,
                      from + width));
    }));
  }
  std::sort(times.begin(), times.end());
  fmt::print("300 zooms           {:8.3f} s median, {:.3f} s 95 %, {:.3f} s longest\n", times[150],
             times[285], times.back());
  fmt::print("memory              {:8.0f} MB more\n", static_cast<double>(memory_kB() - before) / 1000);
  EXPECT_LT(times[150], 0.05);
}

}  // namespace
}  // namespace monocoque::server::test
