#include "results/report_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/compare.h"
#include "results/report.h"
#include "results/report_figures.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kFirstDifferences = 20, kLongestSource = 262144;

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "not finite";
}

std::string shown(const Json& value) {
  if (value.is_null()) return "not finite";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number(value.get<double>());
  return value.dump();
}

/// As escape_markup, but lines stay lines.
std::string escape_lines(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    out += escape_markup(text.substr(i, end - i)) + "\n";
    i = end + 1;
  }
  return out;
}

/// Rows of name and one value for each run; rows whose values differ are marked.
class RunTable {
 public:
  RunTable(std::string caption, const ReportSides& sides) : sides_(sides) {
    text_ = fmt::format("<div class=\"wide\"><table><caption>{}</caption>\n", escape_markup(caption));
    if (sides.size() > 1) text_ += "<tr><th></th><th>first</th><th>second</th></tr>\n";
  }
  template <class Value>
  void row(const std::string& name, Value value) {
    std::vector<std::string> cells;
    bool any = false;
    for (const ReportSide& side : sides_) {
      cells.push_back(value(side));
      any = any || !cells.back().empty();
    }
    if (!any) return;
    const bool differs = cells.size() > 1 && cells[0] != cells[1];
    text_ +=
        fmt::format("<tr{}><th scope=\"row\">{}</th>", differs ? " class=\"d\"" : "", escape_markup(name));
    for (const std::string& cell : cells)
      text_ += fmt::format("<td{}>{}</td>", cell.size() <= 12 ? " class=\"v\"" : "", escape_markup(cell));
    text_ += "</tr>\n";
  }
  void json_row(const std::string& name, Json ReportSide::*of, const std::string& pointer) {
    row(name, [&](const ReportSide& side) {
      const Json::json_pointer p(pointer);
      return (side.*of).contains(p) ? shown((side.*of)[p]) : std::string{};
    });
  }
  std::string text() const { return text_ + "</table></div>\n"; }

 private:
  const ReportSides& sides_;
  std::string text_;
};

std::string origin_table(const ReportSides& sides) {
  RunTable t("Run", sides);
  t.row("file", [](const ReportSide& s) { return s.file; });
  t.row("model", [](const ReportSide& s) { return s.run.info.model; });
  t.row("scenario", [](const ReportSide& s) { return s.run.info.scenario; });
  t.row("created", [](const ReportSide& s) { return s.run.info.created; });
  t.row("program", [](const ReportSide& s) { return s.run.info.version; });
  t.row("git commit", [](const ReportSide& s) { return s.run.info.git_commit; });
  t.row("finished",
        [](const ReportSide& s) { return std::string(s.run.complete ? "yes" : "no, it was cut off"); });
  t.row("instants", [](const ReportSide& s) { return fmt::format("{}", s.run.time.size()); });
  t.row("from, to", [](const ReportSide& s) {
    return fmt::format("{:g} s, {:g} s", s.run.time[0], s.run.time[s.run.time.size() - 1]);
  });
  t.row("channels", [](const ReportSide& s) { return fmt::format("{}", s.run.channels.size()); });
  return t.text();
}

std::string settings_table(const ReportSides& sides) {
  RunTable t("Settings", sides);
  std::vector<std::string> names;
  for (const ReportSide& side : sides)
    for (const auto& [name, value] : side.settings.items())
      if (name != "command" && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  // What the solver made of settings that were left to it.
  for (const std::string& name : names)
    t.row(name, [&](const ReportSide& s) {
      for (const Json* of : {&s.summary, &s.settings})
        if (of->contains(name)) return shown((*of)[name]);
      return std::string{};
    });
  return t.text();
}

std::string count_table(const ReportSides& sides) {
  RunTable t("Work and time", sides);
  const auto row = [&](const char* name, const char* pointer) {
    t.json_row(name, &ReportSide::summary, pointer);
  };
  row("steps", "/steps");
  row("evaluations", "/counts/evaluations");
  row("factorisations", "/counts/factorisations");
  row("Newton iterations", "/counts/newton_iterations");
  row("failed error tests", "/counts/error_test_failures");
  row("simulated, s", "/simulated_s");
  row("wall time of the steps, s", "/wall_s");
  row("wall time with outputs, s", "/total_wall_s");
  row("real-time factor (wall time / simulated time)", "/rt_factor");
  row("step, mean, us", "/step_us/mean");
  row("step, median, us", "/step_us/p50");
  row("step, 99 %, us", "/step_us/p99");
  row("step, largest, us", "/step_us/max");
  return t.text();
}

std::string audit_table(const ReportSides& sides) {
  RunTable t("Energy and drift", sides);
  t.json_row("energy error", &ReportSide::summary, "/energy_error");
  t.row("energy error, from the recorded instants", [](const ReportSide& s) {
    const auto audit = energy_audit(s.run);
    if (!audit) return std::string{};
    return number(audit->largest_energy_J > 0 ? audit->largest_error_J / audit->largest_energy_J
                                              : audit->largest_error_J);
  });
  t.row("largest energy left over, J", [](const ReportSide& s) {
    const auto audit = energy_audit(s.run);
    return audit ? number(audit->largest_error_J) : std::string{};
  });
  t.row("largest kinetic plus elastic energy, J", [](const ReportSide& s) {
    const auto audit = energy_audit(s.run);
    return audit ? number(audit->largest_energy_J) : std::string{};
  });
  t.json_row("largest drift, positions", &ReportSide::summary, "/drift/position");
  t.json_row("largest drift, velocities", &ReportSide::summary, "/drift/velocity");
  return t.text();
}

const char* level_name(Verdict::Level level) {
  static constexpr const char* kNames[] = {"good", "fair", "bad", "unknown"};
  return kNames[static_cast<int>(level)];
}

/// "Energy: ..." with its first word in the colour of the verdict.
std::string verdict_text(const Verdict& v, const std::string& of) {
  const std::size_t colon = v.text.find(':');
  return fmt::format("<p class=\"verdict {}\">{}<b>{}</b>{}</p>\n", level_name(v.level), escape_markup(of),
                     escape_markup(v.text.substr(0, colon + 1)), escape_markup(v.text.substr(colon + 1)));
}

std::string key_tiles(const RunDigest& digest) {
  std::string out = "<div class=\"keys\">\n";
  for (const KeyFigure& k : digest.figures)
    out += fmt::format(
        "<div class=\"key\"><span>{}</span><strong>{}</strong> {}<br/><small>{}</small></div>\n",
        escape_markup(k.name), escape_markup(k.value), escape_markup(k.unit), escape_markup(k.note));
  return out + "</div>\n";
}

/// Of two runs: side by side, by name and the order in which they come.
std::string key_table(const ReportSides& sides) {
  RunTable t("Key figures", sides);
  std::vector<std::pair<std::string, int>> names;
  const auto numbered = [](const RunDigest& digest) {
    std::vector<std::pair<std::string, int>> out;
    for (const KeyFigure& k : digest.figures) {
      int before = 0;
      for (const auto& [name, number] : out) before += name == k.name ? 1 : 0;
      out.emplace_back(k.name, before);
    }
    return out;
  };
  for (const ReportSide& side : sides)
    for (const auto& name : numbered(side.digest))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const auto& name : names)
    t.row(name.first, [&](const ReportSide& side) {
      const auto list = numbered(side.digest);
      const auto it = std::find(list.begin(), list.end(), name);
      if (it == list.end()) return std::string{};
      const KeyFigure& k = side.digest.figures[static_cast<std::size_t>(it - list.begin())];
      return fmt::format("{} {}", k.value, k.unit);
    });
  return t.text();
}

std::string doubts_text(const ReportSides& sides) {
  std::string out;
  for (const ReportSide& side : sides)
    for (const std::string& doubt : side.digest.doubts)
      out += fmt::format("<p class=\"warning\">{}{}</p>\n",
                         sides.size() > 1 ? escape_markup(side.file + ": ") : "", escape_markup(doubt));
  return out;
}

std::string repeated_constraints(const ReportSides& sides) {
  std::string out;
  for (const ReportSide& side : sides) {
    if (!side.summary.contains("redundant_constraints") || !side.summary["redundant_constraints"].is_array())
      continue;
    for (const Json& w : side.summary["redundant_constraints"])
      out += fmt::format("<p class=\"dim\">{}{} repeats other constraints and was taken out.</p>\n",
                         sides.size() > 1 ? escape_markup(side.file + ": ") : "", escape_markup(shown(w)));
  }
  return out;
}

std::string difference_rows(const std::vector<ChannelDifference>& list, std::size_t from, std::size_t to) {
  std::string out =
      "<div class=\"wide\"><table>\n<tr><th>channel</th><th>unit</th><th class=\"n\">largest "
      "difference</th><th>at t in "
      "s</th>"
      "<th class=\"n\">over the range</th></tr>\n";
  for (std::size_t i = from; i < std::min(to, list.size()); ++i)
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        escape_markup(list[i].path), escape_markup(list[i].unit), number(list[i].largest),
        number(list[i].at_s), number(list[i].relative));
  return out + "</table></div>\n";
}

}  // namespace

std::string first_screen(const ReportSides& sides) {
  std::string out = doubts_text(sides);
  for (const ReportSide& side : sides) {
    const std::string of = sides.size() > 1 ? side.file + " \u2014 " : "";
    out += "<div class=\"outcome\">\n";
    if (sides.size() > 1) out += fmt::format("<h3>{}</h3>\n", escape_markup(side.file));
    std::string text;
    for (const std::string& sentence : side.digest.outcome) text += (text.empty() ? "" : " ") + sentence;
    out += fmt::format("<p>{}</p>\n", escape_markup(text));
    out += verdict_text(side.digest.energy, of) + verdict_text(side.digest.drift, of) + "</div>\n";
  }
  return out + (sides.size() > 1 ? key_table(sides) : key_tiles(sides[0].digest)) +
         repeated_constraints(sides);
}

std::string reproduction(const ReportSides& sides) {
  std::string out = "<h2 id=\"reproduce\">The same again</h2>\n";
  for (const ReportSide& side : sides) {
    const RunInfo& info = side.run.info;
    const std::string command =
        side.settings.contains("command") ? shown(side.settings["command"]) : std::string{};
    out += fmt::format("<p>{}Version {}, git commit {}, made {}.</p>\n",
                       sides.size() > 1 ? escape_markup(side.file + ": ") : "", escape_markup(info.version),
                       escape_markup(info.git_commit), escape_markup(info.created));
    if (info.git_commit.find("dirty") != std::string::npos)
      out += "<p class=\"warning\">The program was built from files that differ from that commit.</p>\n";
    if (command.empty())
      out +=
          "<p>The file does not say by which command it was made; the model as it was read is below.</p>\n";
    else
      out += fmt::format("<pre>{}\nmonocoque report {}</pre>\n", escape_markup(command),
                         escape_markup(side.file));
    const std::string& source = info.source_text;
    if (!source.empty() && source.size() <= kLongestSource)
      out += fmt::format("<details><summary>The model as it was read</summary>\n<pre>{}</pre></details>\n",
                         escape_lines(source));
  }
  return out;
}

std::string run_tables(const ReportSides& sides) {
  return "<div class=\"tables\">\n" + origin_table(sides) + settings_table(sides) + count_table(sides) +
         audit_table(sides) + "</div>\n";
}

std::string channel_table(const RunData& run) {
  std::string out =
      "<div class=\"wide\"><table>\n<tr><th>channel</th><th>unit</th><th class=\"n\">least</th><th "
      "class=\"n\">greatest</th>"
      "<th class=\"n\">at the end</th></tr>\n";
  for (std::size_t i = 0; i < run.channels.size(); ++i) {
    const auto values = run.data.col(static_cast<Eigen::Index>(i));
    double low = INFINITY, high = -INFINITY;
    bool finite = true;
    for (const double v : values) {
      finite = finite && std::isfinite(v);
      low = std::min(low, v);
      high = std::max(high, v);
    }
    if (!finite) low = high = std::nan("");
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        escape_markup(run.channels[i].path), escape_markup(run.channels[i].unit), number(low), number(high),
        number(values[values.size() - 1]));
  }
  return out + "</table></div>\n";
}

std::string comparison(const ReportSides& sides) {
  const auto list = compare_runs(sides[0].run, sides[1].run).channels;
  std::string out = "<h2 id=\"differences\">Largest differences</h2>\n";
  out += fmt::format(
      "<p>{} channels are in both runs ({} in the first, {} in the second). Within the time both cover, "
      "the run with more instants is interpolated to those of the other.</p>\n",
      list.size(), sides[0].run.channels.size(), sides[1].run.channels.size());
  if (list.empty()) return out;
  out += difference_rows(list, 0, kFirstDifferences);
  if (list.size() > kFirstDifferences)
    out +=
        fmt::format("<details><summary>The other {} channels</summary>\n{}</details>\n",
                    list.size() - kFirstDifferences, difference_rows(list, kFirstDifferences, list.size()));
  return out;
}

}  // namespace monocoque
