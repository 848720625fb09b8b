// Answers without a network, compared with the run read as a whole.

#include "server/run_api.h"

#include <fstream>
#include <random>
#include <sstream>

#include "client.h"
#include "core/error.h"
#include "core/spectrum.h"
#include "server/html_export.h"
#include "server/page.h"

#ifdef __SANITIZE_ADDRESS__
// HDF5 1.10 does not free all it took when a file is damaged; that is not ours to mend.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5";
}
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
#endif

namespace monocoque::server::test {
namespace {

Reply ask(RunApi& api, const std::string& target, const std::string& method = "GET",
          const std::string& body = {}) {
  const std::size_t mark = target.find('?');
  Request r{method, target.substr(0, mark), mark == std::string::npos ? "" : target.substr(mark + 1), body,
            false};
  return api.answer(r);
}

std::string streamed(const Reply& r) {
  std::string out;
  for (std::string piece;; out += piece) {
    piece.clear();
    r.stream(piece);
    if (piece.empty()) return out;
  }
}

void same(double a, double b) {
  EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
}

class RunAnswers : public Folder {
 protected:
  static constexpr std::size_t rows = 5000;
  void SetUp() override {
    Folder::SetUp();
    write_known(path(), rows);
    run =
        read_run(path());  // with a lock, which HDF5 refuses to mix with the server's way within one program
    ApiSettings settings;
    settings.runs = {path()};
    api = std::make_unique<RunApi>(settings);
  }
  Unpacked data(const std::string& query) {
    const Reply r = ask(*api, "/api/runs/0/data?" + query);
    EXPECT_EQ(r.status, 200) << r.body;
    return unpack(r.body);
  }
  std::unique_ptr<RunApi> api;
  RunData run;
};

TEST_F(RunAnswers, SessionTellsTheRun) {
  const Json j = Json::parse(ask(*api, "/api/session").body);
  EXPECT_EQ(j["mode"], "view");
  const Json& r = j["runs"][0];
  EXPECT_EQ(r["file"], "run.h5");
  EXPECT_EQ(r["model"], "known");
  EXPECT_EQ(r["rows"], rows);
  EXPECT_EQ(r["channels"], 5);
  EXPECT_EQ(r["motion_rows"], rows / 5);
  EXPECT_EQ(r["complete"], true);
  EXPECT_EQ(r["t1"], run.time[run.time.size() - 1]);
  EXPECT_EQ(r["summary"]["steps"], 7);
  EXPECT_EQ(r["settings"]["step_s"], 0.001);
  const Json channels = Json::parse(ask(*api, "/api/runs/0/channels").body)["channels"];
  ASSERT_EQ(channels.size(), 5U);
  EXPECT_EQ(channels[1]["path"], "car/velocity/x");
  EXPECT_EQ(channels[1]["unit"], "m/s");
}

TEST_F(RunAnswers, SamplesAreThoseOfTheFile) {
  const Unpacked d = data("c=0,3&from=1.2&to=1.7&points=2000");
  const auto& t = d.arrays.at("t_0");
  ASSERT_EQ(t.size(), 501U);
  EXPECT_EQ(d.arrays.count("lo_0"), 0U);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(1200 + i);
    EXPECT_EQ(t[i], run.time[row]);
    EXPECT_EQ(d.arrays.at("hi_0")[i], run.data(row, 0));
    EXPECT_EQ(d.arrays.at("hi_1")[i], run.data(row, 3));
  }
}

/// Least and greatest value of rows whose time lies in the bucket, from the whole run.
void check_buckets(const Unpacked& d, int k, const RunData& run, Eigen::Index column, Eigen::Index first,
                   Eigen::Index last) {
  const std::string n = std::to_string(k);
  const auto &t = d.arrays.at("t_" + n), &lo = d.arrays.at("lo_" + n), &hi = d.arrays.at("hi_" + n);
  const auto width = d.head["series"][static_cast<std::size_t>(k)]["rows_each"].get<Eigen::Index>();
  Eigen::Index row = first;
  for (std::size_t b = 0; b < t.size(); ++b) {
    const Eigen::Index end = std::min(last, (row / width + 1) * width);
    double least = std::nan(""), most = std::nan("");
    for (Eigen::Index i = row; i < end; ++i) {
      const double v = run.data(i, column);
      if (std::isnan(v)) continue;
      if (!(least <= v)) least = v;
      if (!(most >= v)) most = v;
    }
    same(lo[b], least);
    same(hi[b], most);
    EXPECT_EQ(t[b], 0.5 * (run.time[row] + run.time[end - 1]));
    row = end;
  }
  EXPECT_EQ(row, last);
}

TEST_F(RunAnswers, BucketsHoldLeastAndGreatest) {
  for (const int points : {10, 37, 100, 700, 2500, 4999}) {
    const Unpacked d = data("c=0,2,4&points=" + std::to_string(points));
    EXPECT_LE(d.arrays.at("t_0").size(), static_cast<std::size_t>(points));
    check_buckets(d, 0, run, 0, 0, 5000);
    check_buckets(d, 1, run, 2, 0, 5000);
    check_buckets(d, 2, run, 4, 0, 5000);
    const Unpacked part = data("c=2&from=0.5005&to=4.2&points=" + std::to_string(points));
    if (part.arrays.count("lo_0") > 0) check_buckets(part, 0, run, 2, 501, 4201);
  }
}

TEST_F(RunAnswers, ValuesAtATime) {
  const Json at = Json::parse(ask(*api, "/api/runs/0/at?c=0,3,e:%5Bramp%5D*2&t=1.2345").body);
  EXPECT_NEAR(at["values"][0], 0.5 * (run.data(1234, 0) + run.data(1235, 0)), 1e-12);
  EXPECT_NEAR(at["values"][1], 12.345, 1e-12);
  EXPECT_NEAR(at["values"][2], 24.69, 1e-12);
  EXPECT_EQ(Json::parse(ask(*api, "/api/runs/0/at?c=0&t=4.999").body)["values"][0], run.data(4999, 0));
  EXPECT_TRUE(Json::parse(ask(*api, "/api/runs/0/at?c=0&t=5.1").body)["values"][0].is_null());
  const Json all = Json::parse(ask(*api, "/api/runs/0/values?t=1.2344").body);
  EXPECT_EQ(all["t"], run.time[1234]);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(all["values"][k], run.data(1234, static_cast<Eigen::Index>(k)));
  EXPECT_EQ(Json::parse(ask(*api, "/api/runs/0/values?t=-3").body)["row"], 0);
  EXPECT_EQ(Json::parse(ask(*api, "/api/runs/0/values?t=99").body)["row"], 4999);
}

TEST_F(RunAnswers, DerivedChannels) {
  // [car/velocity/x]*3.6 + t, derivative of the position, integral of the velocity.
  const Unpacked d = data(
      "c=e:%5Bcar%2Fvelocity%2Fx%5D*3.6%2Bt,e:derivative(%5Bcar%2Fposition%2Fx%5D),"
      "e:integral(%5Bcar%2Fvelocity%2Fx%5D)%2B1,e:derivative(integral(sqrt(%5Bramp%5D%5E2)))&points=20000");
  for (std::size_t i = 1; i < 4999; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    EXPECT_DOUBLE_EQ(d.arrays.at("hi_0")[i], run.data(row, 1) * 3.6 + run.time[row]);
    EXPECT_NEAR(d.arrays.at("hi_1")[i], run.data(row, 1), 5e-6);  // h^2/6 * 27
    EXPECT_NEAR(d.arrays.at("hi_2")[i], 1 + run.data(row, 0), 2e-6);
    EXPECT_NEAR(d.arrays.at("hi_3")[i], run.data(row, 3), 1e-9);
  }
  const auto error = [&](const std::string& expression) {
    const Reply r = ask(*api, "/api/runs/0/data?c=e:" + expression);
    EXPECT_EQ(r.status, 400);
    return Json::parse(r.body)["error"].get<std::string>();
  };
  EXPECT_NE(error("%5Bramq%5D").find("there is no 'ramq' (character 2)"), std::string::npos);
  EXPECT_NE(error("%5Bramq%5D").find("did you mean 'ramp'?"), std::string::npos);
  EXPECT_NE(error("2*derivative(%5Bramp%5D%2B)").find("at the end"), std::string::npos);
  EXPECT_NE(error("2*derivative(%5Bramp%5D*%5Bno%5D)").find("character 22"), std::string::npos);
  EXPECT_NE(error("integral(%5Bramp%5D").find("character 9 is not closed"), std::string::npos);
  EXPECT_NE(error("1%2B").find("at the end"), std::string::npos);
  std::string deep;
  for (int k = 0; k < 40; ++k) deep += "derivative(";
  EXPECT_NE(error(deep + "t" + std::string(40, ')')).find("nested"), std::string::npos);
}

TEST_F(RunAnswers, CurvesOfXAndY) {
  const Unpacked all = unpack(ask(*api, "/api/runs/0/xy?x=0&y=1&points=6000").body);
  ASSERT_EQ(all.arrays.at("x").size(), rows);
  EXPECT_EQ(all.arrays.at("y")[321], run.data(321, 1));
  const Unpacked thin = unpack(ask(*api, "/api/runs/0/xy?x=0&y=1&points=200").body);
  const auto &x = thin.arrays.at("x"), &y = thin.arrays.at("y"), &t = thin.arrays.at("t");
  EXPECT_LE(x.size(), 200U);
  EXPECT_EQ(*std::max_element(x.begin(), x.end()), run.data.col(0).maxCoeff());
  EXPECT_EQ(*std::min_element(y.begin(), y.end()), run.data.col(1).minCoeff());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], std::sin(3 * t[i]), 1e-12);
}

TEST_F(RunAnswers, SpectrumIsThatOfAnalysis) {
  const Unpacked d = unpack(ask(*api, "/api/runs/0/psd?c=2&from=1&to=4&window=0.5&overlap=0.25").body);
  std::vector<double> signal;
  for (Eigen::Index i = 1000; i <= 4000; ++i) signal.push_back(run.data(i, 2));
  const Spectrum s = welch(signal, 0.001, 0.5, 0.25);
  ASSERT_EQ(d.arrays.at("f").size(), s.frequency_Hz.size());
  for (std::size_t i = 0; i < s.density.size(); ++i) {
    EXPECT_NEAR(d.arrays.at("f")[i], s.frequency_Hz[i], 1e-9);
    EXPECT_NEAR(d.arrays.at("p")[i], s.density[i], 1e-12);
  }
  EXPECT_EQ(d.head["unit"], "1/Hz");
  EXPECT_EQ(unpack(ask(*api, "/api/runs/0/psd?c=1").body).head["unit"], "(m/s)^2/Hz");
  EXPECT_EQ(ask(*api, "/api/runs/0/psd?c=1&window=-1").status, 400);
  EXPECT_EQ(ask(*api, "/api/runs/0/psd?c=1&from=1&to=1.001").status, 400);
  EXPECT_EQ(ask(*api, "/api/runs/0/psd?c=4").status, 422);  // values that are no numbers
}

TEST_F(RunAnswers, TableIsThatOfExport) {
  std::ostringstream expected;
  export_csv(run, {"ramp", "noise"}, expected);
  const Reply r = ask(*api, "/api/runs/0/csv?c=2,3");
  EXPECT_EQ(r.file_name, "run.csv");
  EXPECT_EQ(streamed(r), expected.str());
  const std::string part = streamed(ask(*api, "/api/runs/0/csv?c=3&from=1&to=1.002"));
  EXPECT_EQ(part, "time [s],ramp [N]\n1,10\n1.0010000000000001,10.010000000000002\n1.002,10.02\n");
}

TEST_F(RunAnswers, SceneMotionAndAssets) {
  const Json scene = Json::parse(ask(*api, "/api/runs/0/scene").body);
  EXPECT_EQ(scene["row"], 8);
  EXPECT_EQ(scene["assets"][0]["points"], 3);
  EXPECT_EQ(scene["assets"][0]["nq"], 2);
  EXPECT_EQ(scene["assets"][0]["stress"], false);
  const Unpacked asset = unpack(ask(*api, "/api/runs/0/asset/0").body);
  EXPECT_EQ(asset.shapes.at("modes"), (std::vector<std::size_t>{3, 3, 2}));
  EXPECT_EQ(asset.arrays.at("points")[5], 0.5);
  EXPECT_EQ(asset.arrays.at("triangles"), (std::vector<double>{0, 1, 2}));
  const Unpacked m = unpack(ask(*api, "/api/runs/0/motion?from=100&count=10&stride=7").body);
  EXPECT_EQ(m.shapes.at("x"), (std::vector<std::size_t>{10, 8}));
  EXPECT_EQ(m.shapes.at("arrows"), (std::vector<std::size_t>{10, 6}));
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(m.arrays.at("time")[i], known_time(5 * (100 + 7 * i)));
    EXPECT_FLOAT_EQ(static_cast<float>(m.arrays.at("x")[8 * i]), static_cast<float>(m.arrays.at("time")[i]));
  }
  EXPECT_EQ(m.arrays.at("arrows")[3], 2.5);
  EXPECT_EQ(unpack(ask(*api, "/api/runs/0/motion?from=990&count=100").body).arrays.at("time").size(), 10U);
  EXPECT_EQ(unpack(ask(*api, "/api/runs/0/motion?from=5000").body).arrays.at("time").size(), 0U);
  EXPECT_EQ(ask(*api, "/api/runs/0/asset/1").status, 404);
  EXPECT_EQ(ask(*api, "/api/runs/0/road").status, 404);
  EXPECT_EQ(ask(*api, "/api/runs/0/modes").status, 404);
}

TEST_F(RunAnswers, LayoutIsKeptBesideTheRun) {
  EXPECT_EQ(ask(*api, "/api/runs/0/layout").body, "null");
  EXPECT_EQ(ask(*api, "/api/runs/0/layout", "PUT", "{\"plots\":").status, 400);
  const std::string layout = R"({"plots":[{"kind":"time","series":["ramp"]}]})";
  EXPECT_EQ(ask(*api, "/api/runs/0/layout", "PUT", layout).status, 200);
  EXPECT_EQ(ask(*api, "/api/runs/0/layout").body, layout);
  EXPECT_TRUE(fs::exists(path("run.layout.json")));
  ApiSettings settings;
  settings.runs = {path()};
  settings.read_only = true;
  RunApi closed(settings);
  EXPECT_EQ(ask(closed, "/api/runs/0/layout").body, layout);
  EXPECT_EQ(ask(closed, "/api/runs/0/layout", "PUT", "{}").status, 403);
}

TEST_F(RunAnswers, NothingElseIsServed) {
  for (const char* target :
       {"/api", "/api/", "/api/runs", "/api/runs/0", "/api/runs/1/scene", "/api/runs/-1/scene",
        "/api/runs/0/../x", "/../etc/passwd", "/%2e%2e/etc/passwd", "/run.h5", "/api/runs/0/asset/..",
        "/api/runs/0/file?name=/etc/passwd", "/api/runs/0/scene/1", "/api/runs/99999999999999999999/scene",
        "//api/session", "/api//session"})
    EXPECT_EQ(ask(*api, target).status, 404) << target;
  for (const char* target :
       {"/api/runs/0/data", "/api/runs/0/data?c=", "/api/runs/0/data?c=5", "/api/runs/0/data?c=-1",
        "/api/runs/0/data?c=0&from=x", "/api/runs/0/data?c=0&points=1e9", "/api/runs/0/data?c=0&points=-4",
        "/api/runs/0/data?c=0&from=nan", "/api/runs/0/at?c=0", "/api/runs/0/data?c=%zz",
        "/api/runs/0/data?c=e:", "/api/runs/0/motion?stride=0", "/api/runs/0/motion?from=1.5",
        "/api/runs/0/xy?x=0", "/api/runs/0/data?c=%"})
    EXPECT_EQ(ask(*api, target).status, 400) << target;
  EXPECT_EQ(ask(*api, "/api/runs/0/data?c=0", "PUT", "{}").status, 405);
  // An interval in which nothing lies is empty, not wrong.
  EXPECT_EQ(data("c=0&from=7&to=8").arrays.at("t_0").size(), 0U);
  EXPECT_EQ(data("c=0&from=2&to=1").arrays.at("t_0").size(), 0U);
}

TEST_F(RunAnswers, OneFileHoldsTheAnswers) {
  ask(*api, "/api/runs/0/layout", "PUT",
      R"({"plots":[{"kind":"time","series":["ramp","e:[ramp]*2"]},{"kind":"xy","x":"car/position/x","series":["noise"]},
          {"kind":"psd","series":["noise"],"window":0.5},7,{"series":3}]})");
  const std::string page = exported_page(*api, {});
  const std::string mark = "id=\"monocoque-data\">";
  const std::size_t begin = page.find(mark) + mark.size(), end = page.find("</script>", begin);
  ASSERT_LT(begin, end);
  std::string bytes;
  std::uint32_t bits = 0;
  int have = 0;
  for (std::size_t i = begin; i < end && page[i] != '='; ++i) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(page[i]));
    have += 6;
    if (have >= 8) bytes += static_cast<char>(bits >> (have -= 8));
  }
  const Unpacked pack = unpack(gunzip(bytes));
  const auto text = [&](const std::string& name) {
    std::string out;
    for (const double c : pack.arrays.at(name)) out += static_cast<char>(static_cast<int>(c));
    return out;
  };
  const Json session = Json::parse(text("/api/session"));
  EXPECT_EQ(session["export"], true);
  EXPECT_EQ(session["runs"][0]["channels"], 4);
  const Json channels = Json::parse(text("/api/runs/0/channels"))["channels"];
  EXPECT_EQ(channels[1]["path"], "e:[ramp]*2");
  const Unpacked d = unpack(text("/api/runs/0/data"));
  EXPECT_EQ(d.arrays.count("t_1"), 0U);
  EXPECT_EQ(d.arrays.at("hi_1")[4000], 2 * run.data(4000, 3));
  const Unpacked m = unpack(text("/api/runs/0/motion"));
  EXPECT_LE(m.arrays.at("time").size(), 301U);
  EXPECT_EQ(session["runs"][0]["motion_rows"], m.arrays.at("time").size());
  EXPECT_EQ(text("/api/runs/0/xy?x=2&y=3"), ask(*api, "/api/runs/0/xy?x=0&y=2").body);
  EXPECT_EQ(text("/api/runs/0/psd?c=3&window=0.5"), ask(*api, "/api/runs/0/psd?c=2&window=0.5").body);
  EXPECT_EQ(text("/api/runs/0/scene"), ask(*api, "/api/runs/0/scene").body);
}

class RunFiles : public Folder {};

TEST_F(RunFiles, LongRunsStayWithinTheirMemory) {
  constexpr std::size_t rows = 300000;
  {
    RunWriter w(path(), known_channels(), {}, 4096);
    for (std::size_t i = 0; i < rows; ++i) {
      double* row = w.next_row(known_time(i));
      for (std::size_t k = 0; k < 5; ++k) row[k] = known_value(i, k);
    }
    w.finish("{}");
  }
  RunFile file(path(), RunUse::viewing);
  Series series(file, 1U << 20);
  series.update();
  const auto noise = series.curve("2"), ramp = series.curve("3");
  for (const auto& [first, last, points] :
       {std::tuple{0UL, rows, 2000UL}, std::tuple{1234UL, 290001UL, 1500UL},
        std::tuple{65530UL, 65550UL, 100UL}, std::tuple{60000UL, 140000UL, 20000UL},
        std::tuple{100001UL, 110077UL, 500UL}}) {
    const auto all = series.buckets({noise, ramp}, first, last, points);
    const Buckets& b = all[0];
    ASSERT_LE(b.t.size(), points);
    std::size_t row = first;
    for (std::size_t k = 0; k < b.t.size(); ++k) {
      const std::size_t end = std::min(last, (row / b.rows_each + 1) * b.rows_each);
      Extremes e;
      for (std::size_t i = row; i < end; ++i) e.take(known_value(i, 2), known_value(i, 2));
      ASSERT_EQ(b.hi[k], e.hi) << first << " " << k;
      if (b.rows_each > 1) {
        ASSERT_EQ(b.lo[k], e.lo);
        ASSERT_EQ(all[1].hi[k], known_value(end - 1, 3));
      }
      row = end;
    }
    ASSERT_EQ(row, last);
    EXPECT_LE(series.memory(), (1U << 20) + 2 * 8 * 65536);
  }
  EXPECT_EQ(series.progress(), 1);
}

TEST_F(RunFiles, RunsThatGrowAreFollowed) {
  const auto show = [&](const std::string& from) {
    fs::copy_file(path(from), path("new.h5"), fs::copy_options::overwrite_existing);
    fs::rename(path("new.h5"), path("run.h5"));
    usleep(550000);  // looked at every half second
  };
  write_known(path("a.h5"), 1000, false);
  write_known(path("b.h5"), 3000, true);
  write_known(path("c.h5"), 2000, true, "2027-01-01T00:00:00Z");
  fs::copy_file(path("a.h5"), path("run.h5"));
  ApiSettings settings;
  settings.runs = {path()};
  RunApi api(settings);
  const auto state = [&] { return Json::parse(ask(api, "/api/session").body)["runs"][0]; };
  const auto last = [&] {
    const Unpacked d = unpack(ask(api, "/api/runs/0/data?c=3,e:%5Bramp%5D*2&points=20000").body);
    EXPECT_EQ(2 * d.arrays.at("hi_0").back(), d.arrays.at("hi_1").back());
    return d.arrays.at("hi_0").back();
  };
  EXPECT_EQ(state()["complete"], false);
  EXPECT_EQ(state()["rows"], 1000);
  EXPECT_EQ(last(), known_value(999, 3));
  show("b.h5");
  EXPECT_EQ(last(), known_value(2999, 3));
  EXPECT_EQ(state()["complete"], true);
  EXPECT_EQ(state()["generation"], 1);
  show("c.h5");
  EXPECT_EQ(state()["generation"], 2);
  EXPECT_EQ(last(), known_value(1999, 3));
}

TEST_F(RunFiles, DamagedFilesGiveErrorsOrAnswers) {
  write_known(path("good.h5"), 200);
  std::ifstream in(path("good.h5"), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  int opened = 0, refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    std::ofstream(path("bad.h5"), std::ios::binary | std::ios::trunc) << bytes;
    try {
      ApiSettings settings;
      settings.runs = {path("bad.h5")};
      RunApi api(settings);
      ++opened;
      while (api.background()) {
      }
      for (const char* target :
           {"/api/session", "/api/runs/0/scene", "/api/runs/0/asset/0", "/api/runs/0/motion",
            "/api/runs/0/road", "/api/runs/0/channels", "/api/runs/0/data?c=0,3,e:%5Bramp%5D&points=50",
            "/api/runs/0/values?t=0.1", "/api/runs/0/at?c=0&t=0.05", "/api/runs/0/xy?x=0&y=1",
            "/api/runs/0/psd?c=0", "/api/runs/0/modes"}) {
        const Reply r = ask(api, target);
        EXPECT_TRUE(r.status == 200 || (r.status >= 400 && r.status < 500)) << target << " " << r.status;
      }
    } catch (const Error&) {
      ++refused;
    }
  };
  for (std::size_t n = 0; n < whole.size(); n += whole.size() / 40) attempt(whole.substr(0, n));
  std::mt19937 gen(7);
  for (int k = 0; k < 150; ++k) {
    std::string bytes = whole;
    for (int j = 0; j <= k % 3; ++j) {
      const std::size_t at = gen() % (k % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 12000));
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << gen() % 8));
    }
    attempt(bytes);
  }
  EXPECT_GT(opened, 20);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace monocoque::server::test
