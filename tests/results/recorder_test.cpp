#include "results/recorder.h"
#include "results/lane_figure.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"

#ifdef __SANITIZE_ADDRESS__
// HDF5 1.10 does not free all it took when a file is damaged or a disk full; that is not ours to mend.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5";
}
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
#endif

namespace monocoque {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, removed at the end.
class Results : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("monocoque_" + std::to_string(getpid()) +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name = "run.h5") const { return (folder_ / name).string(); }
  fs::path folder_;
};

std::vector<Channel> channels(int n) {
  std::vector<Channel> c;
  for (int k = 0; k < n; ++k)
    c.push_back({"part" + std::to_string(k) + "/position/x", k % 2 == 0 ? "m" : "1"});
  return c;
}

/// The value of a channel at a time, so that a row can be checked by itself.
double known(double t, int k) {
  return std::sin(t) + 10.0 * k;
}

void fill(RunWriter& w, int rows, int columns, int first = 0) {
  for (int i = first; i < first + rows; ++i) {
    const double t = 0.01 * i;
    double* row = w.next_row(t);
    for (int k = 0; k < columns; ++k) row[k] = known(t, k);
  }
}

void expect_rows(const RunData& run, Eigen::Index at_least) {
  ASSERT_GE(run.time.size(), at_least);
  ASSERT_EQ(run.data.rows(), run.time.size());
  for (Eigen::Index i = 0; i < run.time.size(); ++i) {
    ASSERT_EQ(run.time[i], 0.01 * static_cast<double>(i));
    for (Eigen::Index k = 0; k < run.data.cols(); ++k)
      ASSERT_EQ(run.data(i, k), known(run.time[i], static_cast<int>(k))) << i << ", " << k;
  }
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST_F(Results, RoundTrip) {
  RunInfo info{
      "sedan", "brake", "hht", "{\"step\": 0.001}", "0.1.0", "abc", "model: Käfer\n", "2024-01-02T03:04:05Z"};
  {
    RunWriter w(path(), {{"rod0/position/x", "m"}, {"rad/Δφ", "rad"}}, info, 7);
    fill(w, 30, 2);
    w.flush();
    fill(w, 3, 2, 30);
    w.finish("{\"steps\": 33}");
  }
  const RunData run = read_run(path());
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.summary_json, "{\"steps\": 33}");
  EXPECT_EQ(run.info.model, "sedan");
  EXPECT_EQ(run.info.scenario, "brake");
  EXPECT_EQ(run.info.solver, "hht");
  EXPECT_EQ(run.info.settings_json, "{\"step\": 0.001}");
  EXPECT_EQ(run.info.version, "0.1.0");
  EXPECT_EQ(run.info.git_commit, "abc");
  EXPECT_EQ(run.info.source_text, "model: Käfer\n");
  EXPECT_EQ(run.info.created, "2024-01-02T03:04:05Z");
  ASSERT_EQ(run.channels.size(), 2u);
  EXPECT_EQ(run.channels[1].path, "rad/Δφ");
  EXPECT_EQ(run.channels[1].unit, "rad");
  ASSERT_EQ(run.time.size(), 33);
  expect_rows(run, 33);
  EXPECT_EQ(run.column("rad/Δφ"), 1);
  EXPECT_EQ(error_of([&] { run.column("rod0/positon/x"); }),
            "results: there is no channel 'rod0/positon/x'; did you mean 'rod0/position/x'?");
}

TEST_F(Results, LongTextsManyChannelsAndNone) {
  RunInfo info;
  info.source_text = std::string(300000, 's');
  info.settings_json = std::string(100000, 'j');
  {
    RunWriter w(path(), channels(3000), info);
    fill(w, 100, 3000);
    w.finish(std::string(200000, 'x'));
  }
  const RunData run = read_run(path());
  expect_rows(run, 100);
  EXPECT_EQ(run.info.source_text, info.source_text);
  EXPECT_EQ(run.info.settings_json, info.settings_json);
  EXPECT_EQ(run.summary_json.size(), 200000u);
  EXPECT_FALSE(run.info.created.empty());
  {
    RunWriter w(path("none.h5"), {}, {}, 4);
    fill(w, 9, 0);
    w.finish("");
  }
  const RunData none = read_run(path("none.h5"));
  EXPECT_EQ(none.time.size(), 9);
  EXPECT_EQ(none.data.cols(), 0);
  EXPECT_TRUE(none.complete);
}

TEST_F(Results, LaneAndConeHitsAreKept) {
  RunInfo info;
  LaneGeometry& lane = info.lane.emplace();
  lane.type = "path";
  lane.frame = "car.origin";
  lane.cones = {{1.5, -2, 1, -1}, {4, 2.5, 3, 1}};
  lane.cone_radius_m = 0.14;
  lane.limits = {{1, 1, {0, 2, 5}, {1, 1.5, 1}}, {1, -1, {0, 5}, {-1, -1}}};
  lane.path_x_m = {0, 2, 5};
  lane.path_y_m = {0, 0.5, 0};
  lane.outline = {1.8, 2.4, 2.5};
  const std::vector<Channel> channels = {
      {"lane/vehicle/x", "m"}, {"lane/vehicle/y", "m"}, {"lane/vehicle/heading", "rad"}};
  {
    RunWriter w(path(), channels, info);
    fill(w, 5, 3);
    w.finish("{}", {{1, 0.25, false}, {0, 0.5, true}});
  }
  const RunData run = read_run(path());
  ASSERT_TRUE(run.info.lane.has_value());
  EXPECT_EQ(run.info.lane->type, "path");
  EXPECT_EQ(run.info.lane->frame, "car.origin");
  ASSERT_EQ(run.info.lane->cones.size(), 2u);
  EXPECT_EQ(run.info.lane->cones[1].y_m, 2.5);
  EXPECT_EQ(run.info.lane->cones[1].section, 3);
  EXPECT_EQ(run.info.lane->cones[0].side, -1);
  EXPECT_EQ(run.info.lane->cone_radius_m, 0.14);
  ASSERT_EQ(run.info.lane->limits.size(), 2u);
  EXPECT_EQ(run.info.lane->limits[0].x_m, lane.limits[0].x_m);
  EXPECT_EQ(run.info.lane->limits[1].y_m, lane.limits[1].y_m);
  EXPECT_EQ(run.info.lane->path_y_m, lane.path_y_m);
  EXPECT_EQ(run.info.lane->outline.rear_m, 2.5);
  ASSERT_EQ(run.hits.size(), 2u);
  EXPECT_EQ(run.hits[0].cone, 1);
  EXPECT_EQ(run.hits[0].t_s, 0.25);
  EXPECT_TRUE(run.hits[1].wrong_side);

  const Plot plot = lane_figure(run);
  EXPECT_TRUE(plot.equal_axes);
  const auto series = [&](const std::string& name) {
    return std::any_of(plot.series.begin(), plot.series.end(),
                       [&](const PlotSeries& s) { return s.name == name; });
  };
  EXPECT_TRUE(series("cones hit"));
  EXPECT_TRUE(series("path of the driver"));
  EXPECT_NE(svg_text(plot).find("</svg>"), std::string::npos);
  EXPECT_THROW(lane_figure(RunData{}), Error);
}

TEST_F(Results, EmptyRunAndUnfinishedRun) {
  { RunWriter w(path(), channels(2), {}, 4); }
  EXPECT_EQ(read_run(path()).time.size(), 0);
  {
    RunWriter w(path(), channels(2), {}, 4);
    fill(w, 6, 2);
  }
  const RunData run = read_run(path());
  EXPECT_FALSE(run.complete);
  expect_rows(run, 6);
  // While it is written, others can read what has been flushed.
  RunWriter w(path(), channels(2), {}, 4);
  fill(w, 6, 2);
  expect_rows(read_run(path()), 4);
  w.flush();
  expect_rows(read_run(path()), 6);
  w.finish("{}");
  w.finish("{}");
  EXPECT_THROW(w.next_row(1), Error);
}

TEST_F(Results, SurvivesKill) {
  std::mt19937 gen(4711);
  for (int attempt = 0; attempt < 25; ++attempt) {
    const std::string file = path("kill" + std::to_string(attempt) + ".h5");
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      // Odd attempts start when a block is out, even ones at once, so that early kills occur too.
      RunWriter w(file, channels(40), {}, 16);
      int first = 0;
      if (attempt % 2 == 1) {
        fill(w, 16, 40);
        w.flush();
        first = 16;
      }
      const char go = 'x';
      if (write(ready[1], &go, 1) != 1) _exit(1);
      for (int i = first;; i += 16) fill(w, 16, 40, i);
    }
    char go;
    ASSERT_EQ(read(ready[0], &go, 1), 1);
    close(ready[0]);
    close(ready[1]);
    usleep(static_cast<useconds_t>(std::uniform_int_distribution<int>(0, 60000)(gen)));
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    RunData run;
    ASSERT_NO_THROW(run = read_run(file)) << "attempt " << attempt;
    EXPECT_FALSE(run.complete);
    EXPECT_EQ(run.time.size() % 16, 0);
    expect_rows(run, attempt % 2 == 1 ? 16 : 0);
    fs::remove(file);
  }
}

TEST_F(Results, SurvivesKillWhileFinishing) {
  // Runs of a few rows, one after the other, so that many kills hit creation or finish of a file.
  std::mt19937 gen(99);
  for (int attempt = 0; attempt < 40; ++attempt) {
    const pid_t child = fork();
    if (child == 0) {
      for (int k = 0;; ++k) {
        const std::string name = path(std::to_string(attempt) + "_" + std::to_string(k));
        RunWriter w(name + ".h5", channels(3), {}, 4);
        fill(w, 8, 3);
        w.flush();
        std::ofstream(name + ".promised").flush();  // from here on eight rows must be there
        w.finish("{}");
      }
    }
    usleep(static_cast<useconds_t>(std::uniform_int_distribution<int>(2000, 40000)(gen)));
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != ".h5") continue;
      if (fs::exists(fs::path(entry.path()).replace_extension(".promised"))) {
        RunData run;
        ASSERT_NO_THROW(run = read_run(entry.path().string())) << entry.path();
        expect_rows(run, 8);
      } else {
        error_of(
            [&] { read_run(entry.path().string()); });  // cut off at birth: an Error or few rows, no crash
      }
    }
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
}

TEST_F(Results, WriteErrorsSayFileReasonAndRemedy) {
  fs::create_directories(path("folder"));
  const std::string directory = error_of([&] { RunWriter w(path("folder"), channels(1), {}); });
  EXPECT_NE(directory.find("folder: the file cannot be created: Is a directory; give the name of a file"),
            std::string::npos)
      << directory;
  const std::string missing = error_of([&] { RunWriter w(path("nowhere/run.h5"), channels(1), {}); });
  EXPECT_NE(missing.find("No such file or directory; check the spelling"), std::string::npos) << missing;
  const std::string full = error_of([&] {
    RunWriter w("/dev/full", channels(1), {});
    fill(w, 1000, 1);
  });
  EXPECT_NE(full.find("/dev/full: "), std::string::npos) << full;
  if (geteuid() != 0) {
    fs::permissions(path("folder"), fs::perms::owner_read | fs::perms::owner_exec);
    const std::string denied = error_of([&] { RunWriter w(path("folder/run.h5"), channels(1), {}); });
    EXPECT_NE(denied.find("Permission denied; choose a place"), std::string::npos) << denied;
  }
  RunWriter open(path(), channels(1), {});
  const std::string locked = error_of([&] { RunWriter w(path(), channels(1), {}); });
  EXPECT_NE(locked, "no error");
}

TEST_F(Results, FullDiskIsAnErrorAndNotACrash) {
  const pid_t child = fork();
  if (child == 0) {
    // A limit on the file size is a full disk that everybody can have; stderr must stay silent.
    signal(SIGXFSZ, SIG_IGN);
    if (freopen(path("stderr").c_str(), "w", stderr) == nullptr) _exit(9);
    int code = 1;
    {
      RunWriter w(path(), channels(50), {}, 64);
      const rlimit limit{200000, 200000};
      setrlimit(RLIMIT_FSIZE, &limit);
      const std::string error = error_of([&] { fill(w, 100000, 50); });
      const bool named =
          error.find("results cannot be written: File too large; free some space") != std::string::npos;
      const bool after = error_of([&] { w.finish("{}"); }).find("incomplete") != std::string::npos;
      code = named && after ? 0 : 2;
    }
    exit(code);  // with HDF5's own cleaning up at exit
  }
  int status;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(fs::file_size(path("stderr")), 0u);
  // What was flushed before is still there.
  const RunData run = read_run(path());
  EXPECT_FALSE(run.complete);
  expect_rows(run, 64);
}

TEST_F(Results, OtherAndDamagedFilesAreErrors) {
  EXPECT_NE(error_of([&] { read_run(path("absent.h5")); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([&] { read_run(folder_.string()); }).find("it is a folder"), std::string::npos);
  std::ofstream(path("text.h5")) << "time,x\n0,1\n";
  EXPECT_NE(error_of([&] { read_run(path("text.h5")); }).find("not an HDF5 file"), std::string::npos);
  std::ofstream(path("empty.h5")).flush();
  EXPECT_NE(error_of([&] { read_run(path("empty.h5")); }), "no error");

  {
    RunWriter w(path(), channels(5), {}, 16);
    fill(w, 200, 5);
    w.finish("{}");
  }
  std::ifstream in(path(), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  const auto attempt = [&](const std::string& bytes) {
    std::ofstream(path("damaged.h5"), std::ios::binary | std::ios::trunc) << bytes;
    try {
      const RunData run = read_run(path("damaged.h5"));
      EXPECT_EQ(run.data.rows(), run.time.size());
    } catch (const Error&) {
    }
  };
  for (std::size_t n = 0; n < whole.size(); n += whole.size() / 150) attempt(whole.substr(0, n));
  std::mt19937 gen(1);
  for (int k = 0; k < 600; ++k) {
    std::string bytes = whole;
    for (int j = 0; j <= k % 4; ++j) {
      // Mostly in the first pages, where the structure is.
      const std::size_t at = gen() % (k % 3 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 3000));
      bytes[at] = static_cast<char>(gen());
    }
    attempt(bytes);
  }
}

TEST_F(Results, ThreadsWriteAtTheSameTime) {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([this, k] {
      RunWriter w(path(std::to_string(k)), channels(3), {}, 8);
      fill(w, 300, 3);
      w.finish("{}");
    });
  for (auto& t : threads) t.join();
  for (int k = 0; k < 4; ++k) expect_rows(read_run(path(std::to_string(k))), 300);
}

TEST(Csv, HeaderValuesAndChoice) {
  RunData run;
  run.channels = {{"rod0/position/x", "m"}, {"rod0/position/y", "m"}, {"odd, \"name\"", "1"}};
  run.time = VecX::LinSpaced(2, 0, 0.1);
  run.data.resize(2, 3);
  run.data << 1, 2, 3, 1.0 / 3, -4, 1e-300;
  std::ostringstream all;
  export_csv(run, {}, all, 6);
  EXPECT_EQ(all.str(),
            "time [s],rod0/position/x [m],rod0/position/y [m],\"odd, \"\"name\"\" [1]\"\n0,1,2,3\n"
            "0.1,0.333333,-4,1e-300\n");
  std::ostringstream some;
  export_csv(run, {"*/y", "rod0/position/y"}, some);
  EXPECT_EQ(some.str(), "time [s],rod0/position/y [m]\n0,2\n0.10000000000000001,-4\n");
  std::ostringstream none;
  EXPECT_EQ(error_of([&] { export_csv(run, {"rod0/position/z"}, none); }),
            "results: no channel matches 'rod0/position/z'; did you mean 'rod0/position/x'?");
  none.setstate(std::ios::badbit);
  EXPECT_THROW(export_csv(run, {}, none), Error);
}

TEST(Csv, SeventeenDigitsComeBackExactly) {
  RunData run;
  run.channels = {{"x", "1"}};
  run.time = VecX::Random(50);
  run.data = MatX::Random(50, 1);
  std::stringstream text;
  export_csv(run, {}, text);
  std::string line;
  std::getline(text, line);
  for (Eigen::Index i = 0; i < 50; ++i) {
    std::getline(text, line);
    EXPECT_EQ(std::stod(line), run.time[i]);
    EXPECT_EQ(std::stod(line.substr(line.find(',') + 1)), run.data(i, 0));
  }
}

TEST(Csv, Patterns) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*", "a/b"));
  EXPECT_TRUE(matches("a*c", "abc"));
  EXPECT_TRUE(matches("a*c", "ac"));
  EXPECT_TRUE(matches("*/x", "rod0/position/x"));
  EXPECT_TRUE(matches("*ab*ab", "aabab"));
  EXPECT_TRUE(matches("a**b", "ab"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_FALSE(matches("a", ""));
  EXPECT_FALSE(matches("a*c", "abd"));
  EXPECT_FALSE(matches("abc", "abcd"));
  EXPECT_FALSE(matches("*ab", "aba"));
  EXPECT_FALSE(matches("a*a", "a"));
  EXPECT_FALSE(matches(std::string("*a*a*a*a*a*a*a*b"), std::string(2000, 'a')));  // no exponential search
}

}  // namespace
}  // namespace monocoque
