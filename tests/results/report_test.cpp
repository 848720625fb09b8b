// The report of a run: well-formed, self-contained, with the numbers of the run, for runs of any kind.

#include "results/report.h"

#include <cmath>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/compare.h"
#include "results/report_digest.h"
#include "results/report_figures.h"

namespace monocoque {
namespace {

/// A car's worth of channels over n instants.
RunData some_run(int n, double amplitude = 1) {
  RunData run;
  const auto add = [&](const std::string& path, const std::string& unit) {
    run.channels.push_back({path, unit});
  };
  const auto vector = [&](const std::string& path, const std::string& unit) {
    for (const char* a : {"x", "y", "z"}) add(path + "/" + a, unit);
  };
  for (const char* part : {"car", "FL/carrier", "FR/carrier"}) {
    vector(std::string(part) + "/position", "m");
    vector(std::string(part) + "/velocity", "m/s");
    vector(std::string(part) + "/acceleration", "m/s^2");
    for (int i = 0; i < 4; ++i) add(std::string(part) + "/orientation/q" + std::to_string(i), "1");
    vector(std::string(part) + "/angular_velocity", "rad/s");
  }
  for (const char* corner : {"FL", "FR"}) {
    const std::string c = corner;
    vector(c + "/arm/reaction/force", "N");
    vector(c + "/arm/reaction/torque", "N*m");
    vector(c + "/tire/force", "N");
    vector(c + "/tire/torque", "N*m");
    for (const char* q : {"load", "lateral_force"}) add(c + "/tire/" + q, "N");
    add(c + "/tire/slip_angle", "rad");
    add(c + "/deflection", "m");
  }
  add("a<b&c", "1");
  for (const char* e : {"kinetic", "gravity", "elastic", "total", "dissipated", "supplied"})
    add(std::string("energy/") + e, "J");
  add("drift/position", "m");
  add("drift/velocity", "m/s");
  run.time.resize(n);
  run.data.resize(n, static_cast<Eigen::Index>(run.channels.size()));
  for (int r = 0; r < n; ++r) {
    run.time[r] = 0.01 * r;
    for (Eigen::Index c = 0; c < run.data.cols(); ++c)
      run.data(r, c) =
          amplitude * std::sin(0.37 * static_cast<double>(c) + 0.01 * r * static_cast<double>(1 + c % 5));
  }
  run.info.model = "a \"model\" <of> some & kind";
  run.info.solver = "rk4";
  run.info.version = "1.2.3";
  run.info.git_commit = "abcdef";
  run.info.settings_json = R"({"solver":"rk4","step_s":0.001,"relative_tolerance":1e-6})";
  run.summary_json = R"({"solver":"rk4","steps":4321,"wall_s":0.25,"rt_factor":0.0625,"energy_error":0.125,
    "drift":{"position":1e-9,"velocity":2e-9},"counts":{"evaluations":17},"warnings":["a & b"]})";
  run.complete = true;
  return run;
}

/// Strict on tags: each closed, in order; attributes quoted; no bare & or <. Empty: nothing wrong.
std::string markup_mistake(const std::string& page) {
  static const std::regex tag(
      R"(^<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z][A-Za-z0-9:_-]*="[^"<]*")*)\s*(/?)>)");
  static const std::regex entity(R"(^&(amp|lt|gt|quot|#[0-9]+);)");
  std::vector<std::string> open;
  const std::string start = "<!DOCTYPE html>";
  if (page.compare(0, start.size(), start) != 0) return "no doctype";
  for (std::size_t i = start.size(); i < page.size(); ++i) {
    if (page[i] == '&') {
      if (!std::regex_search(page.substr(i, 12), entity)) return "bare & at " + page.substr(i, 40);
    } else if (page[i] == '<') {
      const std::size_t end = page.find('>', i);
      if (end == std::string::npos) return "open tag at the end";
      std::smatch m;
      std::string text = page.substr(i, end - i + 1);
      // The data of a path is long, and no business of the expression.
      if (const std::size_t d = text.find(" d=\""); d != std::string::npos)
        text.erase(d, text.find('"', d + 4) - d + 1);
      if (!std::regex_search(text, m, tag)) return "bad tag " + text.substr(0, 80);
      if (m[1].length() > 0) {
        if (open.empty() || open.back() != m[2]) return "unexpected " + text;
        open.pop_back();
      } else if (m[4].length() == 0) {
        open.push_back(m[2]);
      }
      i = end;
    } else if (static_cast<unsigned char>(page[i]) < 32 && page[i] != '\n') {
      return "control character";
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST(Report, IsWellFormedAndNeedsNothingElse) {
  const RunData run = some_run(300), other = some_run(200, 1.1);
  for (const std::string& page :
       {report_page({"a&b.h5", &run}), report_page({"a.h5", &run}, {"b.h5", &other})}) {
    EXPECT_EQ(markup_mistake(page), "");
    for (const char* outside : {"src=", "url(", "@import", "<script", "<link"})
      EXPECT_FALSE(has(page, outside));
    // Addresses are those of name spaces only.
    EXPECT_EQ(std::regex_replace(page, std::regex("xmlns=\"[^\"]*\""), "").find("http"), std::string::npos);
    EXPECT_TRUE(has(page, "prefers-color-scheme:dark"));
    EXPECT_TRUE(has(page, "name=\"viewport\""));
  }
}

TEST(Report, ShowsTheNumbersOfTheRun) {
  const RunData run = some_run(300);
  const std::string page = report_page({"a.h5", &run});
  for (const char* cell : {">4321<", ">0.0625<", ">0.125<", ">1e-09<", ">17<", ">abcdef<", ">1.2.3<", ">rk4<",
                           ">0.001<", "a &amp; b", "a &quot;model&quot; &lt;of&gt; some &amp; kind"})
    EXPECT_TRUE(has(page, cell)) << cell;
  // Each channel has a row: path, unit, least, greatest, last.
  const std::regex row(
      "<tr><td>([^<]*)</td><td>([^<]*)</td><td class=\"n\">([^<]*)</td><td class=\"n\">([^<]*)</td>"
      "<td class=\"n\">([^<]*)</td></tr>");
  std::size_t i = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it, ++i) {
    ASSERT_LT(i, run.channels.size());
    const auto column = run.data.col(static_cast<Eigen::Index>(i));
    EXPECT_EQ((*it)[1], run.channels[i].path == "a<b&c" ? "a&lt;b&amp;c" : run.channels[i].path);
    EXPECT_NEAR(std::stod((*it)[3]), column.minCoeff(), 1e-5);
    EXPECT_NEAR(std::stod((*it)[4]), column.maxCoeff(), 1e-5);
    EXPECT_NEAR(std::stod((*it)[5]), column[column.size() - 1], 1e-5);
  }
  EXPECT_EQ(i, run.channels.size());
}

TEST(Report, GroupsChannelsByTheirNames) {
  const RunData run = some_run(50);
  std::vector<std::string> titles;
  for (const ReportSection& s : report_sections(run)) titles.push_back(s.title);
  EXPECT_EQ(titles,
            (std::vector<std::string>{"Path", "Velocities", "Attitude", "Deflections and lengths", "Tires",
                                      "Accelerations", "Reactions of the joints", "Sensors"}));
  for (const ReportSection& s : report_sections(run))
    if (s.title == "Tires") {
      ASSERT_EQ(s.figures.size(), 3U);
      EXPECT_EQ(s.figures[0].title, "tire: load");
      ASSERT_EQ(s.figures[0].curves.size(), 2U);
      EXPECT_EQ(s.figures[0].curves[1].name, "FR");
    }
}

TEST(Report, AuditsTheEnergyAsTheRunDoes) {
  RunData run = some_run(4);
  const auto set = [&](const char* path, std::vector<double> v) {
    for (int r = 0; r < 4; ++r) run.data(r, run.column(path)) = v[static_cast<std::size_t>(r)];
  };
  set("energy/kinetic", {1, 2, 3, 2});
  set("energy/elastic", {0, -2, 1, 0});
  set("energy/total", {5, 6, 8, 7});
  set("energy/dissipated", {0, 0.5, 1, 1});
  set("energy/supplied", {0, 2, 3, 4});
  const auto audit = energy_audit(run);
  ASSERT_TRUE(audit);
  EXPECT_DOUBLE_EQ(audit->largest_error_J, 1);  // 7 - 5 - 4 + 1
  EXPECT_DOUBLE_EQ(audit->largest_energy_J, 4);
}

TEST(Report, FindsTheLargestDifferences) {
  RunData a = some_run(101), b = some_run(101);
  // The same at other instants, but for one channel.
  b.time.resize(51);
  b.data.conservativeResize(51, Eigen::NoChange);
  for (int r = 0; r < 51; ++r) {
    b.time[r] = a.time[2 * r];
    b.data.row(r) = a.data.row(2 * r);
  }
  b.data(20, b.column("FL/deflection")) += 5;
  const auto list = compare_runs(a, b).channels;
  ASSERT_EQ(list.size(), a.channels.size() - 2);  // without drift
  EXPECT_EQ(list[0].path, "FL/deflection");
  EXPECT_DOUBLE_EQ(list[0].largest, 5);
  EXPECT_DOUBLE_EQ(list[0].at_s, a.time[40]);
  EXPECT_NEAR(list[1].largest, 0, 1e-15);  // at the instants of the run that has fewer
  const std::string page = report_page({"a.h5", &a}, {"b.h5", &b});
  EXPECT_TRUE(has(page, "<td>FL/deflection</td><td>m</td><td class=\"n\">5</td><td class=\"n\">0.4</td>"));
}

/// 5 m/s on a circle of 10 m to the left, rolled to the right, one tire lifted for 0.2 s.
RunData circling(int n) {
  RunData run = some_run(n);
  const auto set = [&](const std::string& path, Eigen::Index r, double v) {
    run.data(r, run.column(path)) = v;
  };
  for (Eigen::Index r = 0; r < n; ++r) {
    const double t = run.time[r], yaw = 0.5 * t, v = 5, R = 10;
    const double c = std::cos(yaw), s = std::sin(yaw);
    set("car/position/x", r, R * s);
    set("car/position/y", r, R * (1 - c));
    set("car/velocity/x", r, v * c);
    set("car/velocity/y", r, v * s);
    set("car/acceleration/x", r, -v * v / R * s);
    set("car/acceleration/y", r, v * v / R * c);
    set("car/angular_velocity/z", r, v / R);
    // Yaw, then roll of 0.03 rad.
    const double cr = std::cos(0.015), sr = std::sin(0.015);
    set("car/orientation/q0", r, std::cos(yaw / 2) * cr);
    set("car/orientation/q1", r, std::cos(yaw / 2) * sr);
    set("car/orientation/q2", r, std::sin(yaw / 2) * sr);
    set("car/orientation/q3", r, std::sin(yaw / 2) * cr);
    set("FL/tire/load", r, r >= 40 && r < 60 ? 0 : 3000);
    set("FR/tire/load", r, 4000 + (r == 70 ? 321 : 0));
  }
  return run;
}

TEST(Report, FiguresOfAVehicleAreThoseOfItsMotion) {
  const RunData run = circling(101);
  const VehicleFigures v = vehicle_figures(run, "car");
  EXPECT_EQ(v.part, "car");
  EXPECT_NEAR(v.start_speed, 5, 1e-12);
  EXPECT_NEAR(v.largest_speed, 5, 1e-12);
  EXPECT_NEAR(v.smallest_speed, 5, 1e-12);
  EXPECT_NEAR(v.distance, 5, 1e-5);
  EXPECT_NEAR(v.lateral.value, 2.5, 1e-12);
  EXPECT_NEAR(v.forward.value, 0, 1e-12);
  EXPECT_NEAR(v.roll.value, 0.03 * 180 / M_PI, 1e-9);
  EXPECT_NEAR(v.yaw_rate.value, 0.5 * 180 / M_PI, 1e-9);
  EXPECT_EQ(v.least_load.value, 0);
  EXPECT_EQ(v.greatest_load.value, 4321);
  EXPECT_EQ(v.greatest_load.of, "FR/tire");
  EXPECT_DOUBLE_EQ(v.greatest_load.at_s, run.time[70]);
  ASSERT_EQ(v.lifted.size(), 1U);
  EXPECT_EQ(v.lifted[0].first, "FL/tire");
  EXPECT_NEAR(v.lifted[0].second, 0.2, 1e-12);
  const std::string page = report_page({"a.h5", &run});
  for (const char* piece :
       {"<span>Lateral acceleration, peak</span><strong>2.5</strong> m/s", "to the left, at ",
        "<span>Roll, peak</span><strong>1.719</strong>", "<span>Yaw rate, peak</span><strong>28.65</strong>",
        "<span>Tire load, greatest</span><strong>4321</strong> N<br/><small>FR/tire, at 0.7 s</small>",
        "<span>Speed, greatest</span><strong>18</strong> km/h", "car went 5 m in 1 s",
        "Wheels lost the road: FL/tire for 0.2 s."})
    EXPECT_TRUE(has(page, piece)) << piece;
}

TEST(Report, JudgesEnergyAndDriftInWords) {
  RunData run = some_run(20);
  const auto judged = [&](double energy, double drift) {
    run.summary_json =
        fmt::format(R"({{"energy_error":{},"drift":{{"position":{},"velocity":0}}}})", energy, drift);
    return report_page({"a.h5", &run});
  };
  EXPECT_TRUE(has(judged(1e-5, 1e-10), "verdict good\"><b>Energy:</b> the balance closes, to 1e-05"));
  EXPECT_TRUE(has(judged(1e-5, 1e-10), "verdict good\"><b>Drift:</b> joints stay closed, within 1e-10 m"));
  EXPECT_TRUE(has(judged(0.02, 1e-3), "verdict fair\"><b>Energy:</b> the balance closes roughly, to 0.02"));
  EXPECT_TRUE(has(judged(0.02, 1e-3), "verdict fair\"><b>Drift:</b> joints open by up to 0.001 m"));
  EXPECT_TRUE(has(judged(0.2, 0.1), "verdict bad\"><b>Energy:</b>"));
  EXPECT_TRUE(has(judged(0.2, 0.1), "verdict bad\"><b>Drift:</b>"));
}

TEST(Report, TellsHowToRunItAgain) {
  RunData run = some_run(20);
  run.info.settings_json = R"({"solver":"rk4","command":"monocoque run 'a b.yaml' --set x=1 -o a.h5"})";
  run.info.source_text = "parts:\n  - {name: <a>}\n";
  const std::string page = report_page({"a.h5", &run});
  EXPECT_EQ(markup_mistake(page), "");
  EXPECT_TRUE(has(page, "<pre>monocoque run 'a b.yaml' --set x=1 -o a.h5\nmonocoque report a.h5</pre>"));
  EXPECT_TRUE(has(page, "<pre>parts:\n  - {name: &lt;a&gt;}\n"));
  EXPECT_FALSE(has(page, "<th scope=\"row\">command</th>"));
}

TEST(Report, StaysSmall) {
  // Several waves of every channel in each pixel column: more instants would not add to the page.
  const RunData run = some_run(60000);
  EXPECT_LT(report_page({"long.h5", &run}).size(), 5000000U);
}

TEST(Report, RefusesRunsWithoutContent) {
  RunData run = some_run(3);
  run.time.resize(0);
  run.data.resize(0, run.data.cols());
  EXPECT_THROW(report_page({"a.h5", &run}), Error);
  const RunData empty;
  EXPECT_THROW(report_page({"a.h5", &empty}), Error);
  // Values that are no numbers are said to be so, in a page that is still well-formed.
  RunData broken = some_run(3);
  broken.data.col(0).setConstant(std::nan(""));
  broken.summary_json = "not json";
  broken.info.settings_json = "";
  broken.complete = false;
  const std::string page = report_page({"a.h5", &broken});
  EXPECT_EQ(markup_mistake(page), "");
  EXPECT_TRUE(has(page, "not finite"));
  EXPECT_TRUE(has(page, "cut off"));
}

}  // namespace
}  // namespace monocoque
