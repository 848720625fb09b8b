#include "results/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/compare.h"
#include "results/lane_figure.h"
#include "results/report_figures.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFigures = 80, kFirstDifferences = 20;

// Light and dark by the reader's wish; one column on a phone, several on a wide screen.
constexpr const char* kStyle = R"css(
:root{color-scheme:light dark;--ground:#fff;--text:#1b1d20;--dim:#5d646d;--line:#d5d9de;--band:#f3f5f7;--mark:#fff1c9}
@media (prefers-color-scheme:dark){:root{--ground:#15181c;--text:#e4e7eb;--dim:#9aa3ad;--line:#39404a;--band:#1e2329;--mark:#4a3d10}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:90rem;background:var(--ground);color:var(--text);font:16px/1.45 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .6rem;border-bottom:1px solid var(--line)}
h3{font-size:.95rem;margin:0 0 .3rem}p{margin:.3rem 0;max-width:60rem}.dim{color:var(--dim)}
.warning{background:var(--mark);padding:.5rem .7rem;border-radius:.3rem}
nav a{display:inline-block;margin:.15rem .8rem .15rem 0}a{color:inherit}
.tables,.figures{display:grid;gap:1.2rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr));align-items:start}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td.v{white-space:nowrap}th.n{text-align:right}td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}tr.d td{background:var(--mark)}
figure{margin:0;padding:.6rem;background:var(--band);border-radius:.4rem;min-width:0}
svg.plot{display:block;width:100%;height:auto}svg.plot text{font:12px system-ui,sans-serif;fill:var(--text)}
svg.plot path{fill:none;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round}svg.plot circle{fill:currentColor}
svg.plot .g{stroke:var(--line)}svg.plot .f{fill:none;stroke:var(--dim)}
figcaption{font-size:.82rem;line-height:1.5}figcaption span{display:inline-block;margin-right:.9rem}
figcaption i{display:inline-block;width:1.3rem;border-top:3px solid currentColor;margin-right:.35rem;vertical-align:middle}
figcaption i.b{border-top-style:dashed}figcaption b{font-weight:400;color:var(--text)}
summary{cursor:pointer;margin:.6rem 0}
@media (max-width:600px){svg.plot text{font-size:15px}}
)css";

// The colours of svg_plot for a light ground, lighter ones for a dark ground.
std::string color_styles() {
  constexpr const char* dark[kPlotColors] = {"#6fa8e8", "#f08a5d", "#5cc08b", "#c490dc",
                                             "#dcb13c", "#5ccfdf", "#e57f98", "#b5b5b5"};
  std::string light_rules, dark_rules;
  for (int i = 0; i < kPlotColors; ++i) {
    light_rules += fmt::format(".c{}{{color:{}}}", i, plot_color(i));
    dark_rules += fmt::format(".c{}{{color:{}}}", i, dark[i]);
  }
  return light_rules + "\n@media (prefers-color-scheme:dark){" + dark_rules + "}\n";
}

Json parsed(const std::string& text) {
  const Json out = Json::parse(text, nullptr, false);
  return out.is_object() ? out : Json::object();
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "not finite";
}

std::string shown(const Json& value) {
  if (value.is_null()) return "not finite";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number(value.get<double>());
  return value.dump();
}

/// A run with what its file says of it.
struct Side {
  std::string file;
  const RunData& run;
  Json settings, summary;
};

/// Rows of name and one value for each run; rows whose values differ are marked.
class RunTable {
 public:
  RunTable(std::string caption, const std::vector<Side>& sides) : sides_(sides) {
    text_ = fmt::format("<div class=\"wide\"><table><caption>{}</caption>\n", escape_markup(caption));
    if (sides.size() > 1) text_ += "<tr><th></th><th>first</th><th>second</th></tr>\n";
  }
  template <class Value>
  void row(const std::string& name, Value value) {
    std::vector<std::string> cells;
    bool any = false;
    for (const Side& side : sides_) {
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
  void json_row(const std::string& name, Json Side::*of, const std::string& pointer) {
    row(name, [&](const Side& side) {
      const Json::json_pointer p(pointer);
      return (side.*of).contains(p) ? shown((side.*of)[p]) : std::string{};
    });
  }
  std::string text() const { return text_ + "</table></div>\n"; }

 private:
  const std::vector<Side>& sides_;
  std::string text_;
};

std::string origin_table(const std::vector<Side>& sides) {
  RunTable t("Run", sides);
  t.row("file", [](const Side& s) { return s.file; });
  t.row("model", [](const Side& s) { return s.run.info.model; });
  t.row("scenario", [](const Side& s) { return s.run.info.scenario; });
  t.row("created", [](const Side& s) { return s.run.info.created; });
  t.row("program", [](const Side& s) { return s.run.info.version; });
  t.row("git commit", [](const Side& s) { return s.run.info.git_commit; });
  t.row("finished", [](const Side& s) { return std::string(s.run.complete ? "yes" : "no, it was cut off"); });
  t.row("instants", [](const Side& s) { return fmt::format("{}", s.run.time.size()); });
  t.row("from, to", [](const Side& s) {
    return fmt::format("{:g} s, {:g} s", s.run.time[0], s.run.time[s.run.time.size() - 1]);
  });
  t.row("channels", [](const Side& s) { return fmt::format("{}", s.run.channels.size()); });
  return t.text();
}

std::string settings_table(const std::vector<Side>& sides) {
  RunTable t("Settings", sides);
  std::vector<std::string> names;
  for (const Side& side : sides)
    for (const auto& [name, value] : side.settings.items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  // What the solver made of settings that were left to it.
  for (const std::string& name : names)
    t.row(name, [&](const Side& s) {
      for (const Json* of : {&s.summary, &s.settings})
        if (of->contains(name)) return shown((*of)[name]);
      return std::string{};
    });
  return t.text();
}

std::string count_table(const std::vector<Side>& sides) {
  RunTable t("Work and time", sides);
  const auto row = [&](const char* name, const char* pointer) { t.json_row(name, &Side::summary, pointer); };
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

std::string audit_table(const std::vector<Side>& sides) {
  RunTable t("Energy and drift", sides);
  t.json_row("energy error", &Side::summary, "/energy_error");
  t.row("energy error, from the recorded instants", [](const Side& s) {
    const auto audit = energy_audit(s.run);
    if (!audit) return std::string{};
    return number(audit->largest_energy_J > 0 ? audit->largest_error_J / audit->largest_energy_J
                                              : audit->largest_error_J);
  });
  t.row("largest energy left over, J", [](const Side& s) {
    const auto audit = energy_audit(s.run);
    return audit ? number(audit->largest_error_J) : std::string{};
  });
  t.row("largest kinetic plus elastic energy, J", [](const Side& s) {
    const auto audit = energy_audit(s.run);
    return audit ? number(audit->largest_energy_J) : std::string{};
  });
  t.json_row("largest drift, positions", &Side::summary, "/drift/position");
  t.json_row("largest drift, velocities", &Side::summary, "/drift/velocity");
  return t.text();
}

std::string warnings(const std::vector<Side>& sides) {
  std::string out;
  const auto add = [&](const Side& side, const std::string& text, const char* kind = "warning") {
    out += fmt::format("<p class=\"{}\">{}{}</p>\n", kind,
                       sides.size() > 1 ? escape_markup(side.file + ": ") : "", escape_markup(text));
  };
  for (const Side& side : sides) {
    if (!side.run.complete)
      add(side, "The run was cut off: what is here ends early, and there is no summary.");
    if (side.summary.value("interrupted", false)) add(side, "The run was interrupted.");
    if (side.summary.contains("warnings") && side.summary["warnings"].is_array())
      for (const Json& w : side.summary["warnings"]) add(side, shown(w));
    if (side.summary.contains("redundant_constraints") && side.summary["redundant_constraints"].is_array())
      for (const Json& w : side.summary["redundant_constraints"])
        add(side, shown(w) + " repeats other constraints and was taken out.", "dim");
  }
  return out;
}

std::string figure_text(const ReportFigure& figure, const std::vector<Side>& sides) {
  Plot plot;
  plot.title = figure.title;
  plot.x_label = figure.x_label;
  plot.y_label = figure.y_label == "1" ? "" : figure.y_label;
  plot.log_y = figure.log_y;
  plot.equal_axes = figure.equal_axes;
  plot.width = 480;
  plot.height = 290;
  std::string legend;
  for (std::size_t k = 0; k < sides.size(); ++k)
    for (std::size_t i = 0; i < figure.curves.size(); ++i) {
      auto series = report_series(figure.curves[i], sides[k].run);
      if (!series) continue;
      series->color = static_cast<int>(i);
      series->dashed = k > 0;
      if (k == 0)
        legend += fmt::format("<span class=\"c{}\"><i></i><b>{}</b></span>", i % kPlotColors,
                              escape_markup(figure.curves[i].name));
      plot.series.push_back(std::move(*series));
    }
  return fmt::format("<figure><h3>{}</h3>\n{}<figcaption>{}</figcaption></figure>\n",
                     escape_markup(figure.title), svg_inline(plot), legend);
}

/// Lane, cones and the vehicle's track of each run that has a lane.
std::string lane_text(const std::vector<Side>& sides) {
  std::string out;
  for (const Side& side : sides) {
    if (!side.run.info.lane) continue;
    std::string hits;
    for (const ConeHit& hit : side.run.hits)
      hits += fmt::format("{}{}", hits.empty() ? "" : ", ", hit.cone + 1);
    out +=
        fmt::format("<figure>{}<figcaption>{}: {}</figcaption></figure>\n", svg_inline(lane_figure(side.run)),
                    escape_markup(side.file), hits.empty() ? "no cone hit" : "cones hit: " + hits);
  }
  return out.empty() ? out : "<h2 id=\"lane\">Lane and cones</h2>\n" + out;
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

std::string comparison(const std::vector<Side>& sides) {
  const std::vector<ChannelDifference> list = compare_runs(sides[0].run, sides[1].run).channels;
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

std::string anchor(const std::string& title) {
  std::string out = title;
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

void require_content(const ReportRun& r) {
  if (r.run->channels.empty())
    throw Error(Place{r.file}, "report", "the run has no channels, there is nothing to show",
                "let `outputs` of the simulation choose some");
  if (r.run->time.size() == 0)
    throw Error(Place{r.file}, "report",
                "the run has no instants, it was cut off before the first was written", "run it again");
}

}  // namespace

std::string report_page(const ReportRun& first, const ReportRun& second) {
  std::vector<Side> sides;
  for (const ReportRun& r : {first, second}) {
    if (r.run == nullptr) continue;
    require_content(r);
    sides.push_back({r.file, *r.run, parsed(r.run->info.settings_json), parsed(r.run->summary_json)});
  }
  const RunInfo& info = first.run->info;
  const std::string title =
      info.scenario.empty() || info.scenario == info.model ? info.model : info.scenario + ", " + info.model;
  const std::vector<ReportSection> sections = report_sections(*first.run);
  std::string body, links = "<a href=\"#audit\">Energy and drift</a>";
  std::size_t figures = 0, left_out = 0;
  for (const ReportSection& section : sections) {
    links += fmt::format("<a href=\"#{}\">{}</a>", anchor(section.title), escape_markup(section.title));
    body += fmt::format("<h2 id=\"{}\">{}</h2>\n", anchor(section.title), escape_markup(section.title));
    if (!section.text.empty()) body += fmt::format("<p class=\"dim\">{}</p>\n", escape_markup(section.text));
    body += "<div class=\"figures\">\n";
    for (const ReportFigure& figure : section.figures)
      if (++figures <= kMostFigures)
        body += figure_text(figure, sides);
      else
        ++left_out;
    body += "</div>\n";
  }
  if (left_out > 0) body += fmt::format("<p>{} further figures are left out.</p>\n", left_out);

  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escape_markup(title), kStyle, color_styles());
  if (sides.size() > 1) {
    page += fmt::format(
        "<p>Two runs: <b>first</b> {} (solid lines), <b>second</b> {} (dashed lines). Rows that differ are "
        "marked.</p>\n",
        escape_markup(first.file), escape_markup(second.file));
    links = "<a href=\"#differences\">Largest differences</a>" + links;
  }
  page += warnings(sides);
  page += fmt::format("<nav>{}<a href=\"#channels\">All channels</a></nav>\n", links);
  page += "<div class=\"tables\">\n" + origin_table(sides) + settings_table(sides) + count_table(sides) +
          audit_table(sides) + "</div>\n";
  if (sides.size() > 1) page += comparison(sides);
  page +=
      "<h2 id=\"audit\">Energy and drift</h2>\n<p class=\"dim\">Energy error: the largest violation of "
      "E - E(0) = supplied - dissipated, over the largest kinetic plus elastic energy. Supplied and "
      "dissipated energies "
      "are sums over the recorded instants, so they need instants that are close enough. Drift: the largest "
      "opening of a joint, in m or rad, and its rate.</p>\n<div class=\"figures\">\n";
  for (const ReportFigure& figure : audit_figures(*first.run)) page += figure_text(figure, sides);
  page += "</div>\n" + lane_text(sides) + body;
  page += "<h2 id=\"channels\">All channels</h2>\n";
  for (const Side& side : sides)
    page += fmt::format(
        "<details><summary>{}: {} channels, least, greatest and last value</summary>\n{}</details>\n",
        escape_markup(side.file), side.run.channels.size(), channel_table(side.run));
  return page + "</body>\n</html>\n";
}

}  // namespace monocoque
