#include "results/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include "io/files/json.h"

#include "core/error.h"
#include "results/lane_figure.h"
#include "results/report_bodies.h"
#include "results/report_figures.h"
#include "results/report_style.h"
#include "results/report_tables.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFigures = 80;

Json parsed(const std::string& text) {
  const Json out = Json::parse(text, nullptr, false);
  return out.is_object() ? out : Json::object();
}

std::string figure_text(const ReportFigure& figure, const ReportSides& sides) {
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
std::string lane_text(const ReportSides& sides) {
  std::string out;
  for (const ReportSide& side : sides) {
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

ReportSide side_of(const ReportRun& r) {
  static const RunMotion none;
  require_content(r);
  ReportSide side{r.file,
                  *r.run,
                  parsed(r.run->info.settings_json),
                  parsed(r.run->summary_json),
                  r.motion != nullptr ? *r.motion : none,
                  {},
                  {}};
  for (const BodyMotion& body : side.motion.bodies) side.peaks.push_back(body_peaks(body));
  side.digest = digest_of(side.run, side.settings, side.summary, side.motion, side.peaks);
  return side;
}

}  // namespace

std::string report_page(const ReportRun& first, const ReportRun& second) {
  ReportSides sides;
  for (const ReportRun& r : {first, second})
    if (r.run != nullptr) sides.push_back(side_of(r));
  const RunInfo& info = first.run->info;
  const std::string title =
      info.scenario.empty() || info.scenario == info.model ? info.model : info.scenario + ", " + info.model;
  std::string links, body;
  const auto section = [&](const std::string& id, const std::string& name, const std::string& text) {
    if (text.empty()) return;
    links += fmt::format("<a href=\"#{}\">{}</a>", id, escape_markup(name));
    body += text;
  };
  section("bodies", "Deformed bodies", body_pictures(sides));
  section("lane", "Lane and cones", lane_text(sides));
  if (sides.size() > 1) section("differences", "Largest differences", comparison(sides));
  section("run", "Run, settings, work", "<h2 id=\"run\">Run, settings, work</h2>\n" + run_tables(sides));
  std::string audit =
      "<h2 id=\"audit\">Energy and drift</h2>\n<p class=\"dim\">Energy error: the largest violation of "
      "E - E(0) = supplied - dissipated, over the largest kinetic plus elastic energy. Supplied and "
      "dissipated energies are sums over the recorded instants, so they need instants that are close enough. "
      "Drift: the largest opening of a joint, in m or rad, and its rate.</p>\n<div class=\"figures\">\n";
  for (const ReportFigure& figure : audit_figures(*first.run)) audit += figure_text(figure, sides);
  section("audit", "Energy and drift", audit + "</div>\n");
  std::size_t figures = 0, left_out = 0;
  for (const ReportSection& s : report_sections(*first.run)) {
    std::string text = fmt::format("<h2 id=\"{}\">{}</h2>\n", anchor(s.title), escape_markup(s.title));
    if (!s.text.empty()) text += fmt::format("<p class=\"dim\">{}</p>\n", escape_markup(s.text));
    text += "<div class=\"figures\">\n";
    for (const ReportFigure& figure : s.figures)
      if (++figures <= kMostFigures)
        text += figure_text(figure, sides);
      else
        ++left_out;
    section(anchor(s.title), s.title, text + "</div>\n");
  }
  if (left_out > 0) body += fmt::format("<p>{} further figures are left out.</p>\n", left_out);
  section("reproduce", "The same again", reproduction(sides));
  std::string channels = "<h2 id=\"channels\">All channels</h2>\n";
  for (const ReportSide& side : sides)
    channels += fmt::format(
        "<details><summary>{}: {} channels, least, greatest and last value</summary>\n{}</details>\n",
        escape_markup(side.file), side.run.channels.size(), channel_table(side.run));
  section("channels", "All channels", channels);

  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escape_markup(title), report_style());
  if (sides.size() > 1)
    page += fmt::format(
        "<p>Two runs: <b>first</b> {} (solid lines), <b>second</b> {} (dashed lines). Rows that differ are "
        "marked.</p>\n",
        escape_markup(first.file), escape_markup(second.file));
  else
    page += fmt::format("<p class=\"dim\">{}; {}, {}</p>\n", escape_markup(first.file),
                        escape_markup(info.solver), escape_markup(info.created));
  return page + first_screen(sides) + fmt::format("<nav>{}</nav>\n", links) + body + "</body>\n</html>\n";
}

}  // namespace monocoque
