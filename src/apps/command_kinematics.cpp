// `monocoque kinematics`: suspension curves and compliance of any model.

#include <cmath>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/suspension/suspension.h"
#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/ranges.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::CornerColumn;
using analysis::CornerCurve;
using analysis::CornerPoint;
using analysis::SuspensionRig;
using analysis::SuspensionSweep;
using analysis::SweepKind;

struct KinematicsOptions : ModelOptions, ResultOptions {
  std::vector<std::string> corners, wheels;        ///< wheels: NAME=PART@x,y,z; empty: found by tires
  std::string body, steer_signal;                  ///< empty: found
  std::string travel = "-0.08:0.08", roll, steer;  ///< ranges; empty: none
  std::string hold = "wheel";                      ///< or carrier: point that the posts move
  int points = 17;
  bool quasi_static = false, compliance = false;
  double load_kN = 3;
};

const char* name_of(SweepKind kind) {
  return kind == SweepKind::travel ? "travel" : kind == SweepKind::roll ? "roll" : "steer";
}

/// NAME=PART@x,y,z or NAME=PART@x,y,z,radius
analysis::RigCorner wheel_of(const std::string& text) {
  const std::size_t equals = text.find('='), at = text.find('@');
  if (equals == std::string::npos || at == std::string::npos || at < equals)
    throw Error("--wheel", fmt::format("'{}' is not of the form NAME=PART@x,y,z", text),
                "for example --wheel L=upright@0,0.75,0.3");
  analysis::RigCorner c;
  c.name = text.substr(0, equals);
  c.carrier = text.substr(equals + 1, at - equals - 1);
  const std::vector<double> v = parse_numbers("--wheel", text.substr(at + 1));
  if (v.size() != 3 && v.size() != 4)
    throw Error("--wheel", fmt::format("'{}' has {} numbers, 3 or 4 are wanted", text, v.size()),
                "x,y,z of the wheel centre in m, then its height above the road if it is not z");
  c.centre = Vec3(v[0], v[1], v[2]);
  c.radius_m = v.size() == 4 ? v[3] : v[2];
  return c;
}

std::string cell(double value) {
  if (!std::isfinite(value)) return fmt::format("{:>10}", "-");
  return fmt::format("{:>10.3f}", std::abs(value) < 5e-7 ? 0.0 : value);
}

void print_table(const SuspensionSweep& s, const CornerCurve& curve, const std::vector<const char*>& keys) {
  std::string head[3], units;
  std::vector<const CornerColumn*> columns;
  for (const char* key : keys)
    for (const CornerColumn& c : analysis::corner_columns())
      if (std::string(c.key) == key) {
        columns.push_back(&c);
        // Words of a name one below the other.
        std::vector<std::string> words(1);
        for (const char* k = c.key; *k != 0; ++k)
          if (*k == '_')
            words.emplace_back();
          else
            words.back() += *k;
        for (std::size_t i = 0; i < 3; ++i)
          head[i] += fmt::format("{:>10}", i + words.size() >= 3 ? words[i + words.size() - 3] : "");
        units += fmt::format("{:>10}", c.unit);
      }
  fmt::print("\n{} of {}\n", name_of(s.kind), curve.name);
  for (const std::string& line : head)
    if (line.find_first_not_of(' ') != std::string::npos) fmt::print("{}\n", line);
  fmt::print("{}\n", units);
  for (const CornerPoint& p : curve.points) {
    for (const CornerColumn* c : columns) fmt::print("{}", cell(p.*c->value * c->factor));
    fmt::print("\n");
  }
}

const CornerPoint* reference_point(const SuspensionSweep& s, const CornerCurve& c) {
  for (std::size_t i = 0; i < s.parameter.size(); ++i)
    if (s.parameter[i] == 0) return &c.points[i];
  return nullptr;
}

void print_reference(const SuspensionSweep& s) {
  fmt::print("reference position\n{:<44}", "");
  for (const CornerCurve& c : s.corners) fmt::print("{:>12}", c.name);
  fmt::print("\n");
  for (const CornerColumn& column : analysis::corner_columns()) {
    const std::string key = column.key;
    if (key.find("travel") != std::string::npos || key.find("change") != std::string::npos ||
        key.find("centre_") == 0 || key == "steer")
      continue;
    std::string row = fmt::format("  {:<36}{:<6}", column.label, column.unit);
    bool any = false;
    for (const CornerCurve& c : s.corners) {
      const CornerPoint* p = reference_point(s, c);
      const double value = p == nullptr ? NAN : p->*column.value * column.factor;
      any = any || std::isfinite(value);
      row += fmt::format("  {}", cell(value));
    }
    if (any) fmt::print("{}\n", row);
  }
  for (const analysis::AxleCurve& a : s.axles)
    for (std::size_t i = 0; i < s.parameter.size(); ++i)
      if (s.parameter[i] == 0)
        fmt::print(
            "  axle {}: track {:.1f} mm, roll centre {:.1f} mm above the road, {:.1f} mm left of the "
            "middle\n",
            a.name, 1000 * a.points[i].track_m, 1000 * a.points[i].roll_centre_z_m,
            1000 * a.points[i].roll_centre_y_m);
}

Json json_of(const SuspensionSweep& s) {
  Json corners = Json::object(), axles = Json::object();
  for (const CornerCurve& c : s.corners) {
    Json columns = Json::object();
    for (const CornerColumn& column : analysis::corner_columns()) {
      Json values = Json::array();
      for (const CornerPoint& p : c.points) values.push_back(json_number(p.*column.value * column.factor));
      columns[fmt::format("{}_{}", column.key, column.unit)] = values;
    }
    corners[c.name] = columns;
  }
  for (const analysis::AxleCurve& a : s.axles) {
    Json y = Json::array(), z = Json::array(), track = Json::array();
    for (const analysis::AxlePoint& p : a.points) {
      y.push_back(json_number(1000 * p.roll_centre_y_m));
      z.push_back(json_number(1000 * p.roll_centre_z_m));
      track.push_back(json_number(1000 * p.track_m));
    }
    axles[a.name] = {{"roll_centre_y_mm", y}, {"roll_centre_z_mm", z}, {"track_mm", track}};
  }
  return {{"parameter", s.parameter}, {"corners", corners}, {"axles", axles}, {"ends", s.ends}};
}

std::string csv_of(const std::vector<SuspensionSweep>& sweeps) {
  std::string out = "sweep,corner,parameter";
  for (const CornerColumn& c : analysis::corner_columns()) out += fmt::format(",{}_{}", c.key, c.unit);
  out += '\n';
  for (const SuspensionSweep& s : sweeps)
    for (const CornerCurve& curve : s.corners)
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        out += fmt::format("{},{},{:.9g}", name_of(s.kind), curve.name, s.parameter[i]);
        for (const CornerColumn& c : analysis::corner_columns()) {
          const double value = curve.points[i].*c.value * c.factor;
          out += std::isfinite(value) ? fmt::format(",{:.9g}", value) : std::string(",");
        }
        out += '\n';
      }
  return out;
}

void plot_sweep(const SuspensionSweep& s, const std::string& folder) {
  struct Figure {
    const char *file, *title;
    std::vector<const char*> keys;
  };
  const std::vector<Figure> figures{
      {"toe", "toe, + in / deg", {"toe"}},
      {"camber", "camber, + top outward / deg", {"camber"}},
      {"kingpin", "caster, kingpin inclination / deg", {"caster", "kingpin"}},
      {"track", "contact point outward, forward / mm", {"track_change", "wheelbase_change"}},
      {"motion-ratio", "motion ratio of the spring", {"motion_ratio_spring"}},
      {"scrub", "scrub radius, trail / mm", {"scrub_radius", "trail"}},
      {"roll-centre", "roll centre height / mm", {"roll_centre_height"}}};
  for (const Figure& f : figures) {
    Plot plot;
    plot.title = fmt::format("{}: {}", name_of(s.kind), f.title);
    plot.x_label = s.kind == SweepKind::steer ? "steering signal" : "wheel travel / mm";
    plot.y_label = f.title;
    for (std::size_t k = 0; k < f.keys.size(); ++k)
      for (const CornerColumn& c : analysis::corner_columns()) {
        if (std::string(c.key) != f.keys[k]) continue;
        int color = 0;
        for (const CornerCurve& curve : s.corners) {
          PlotSeries series;
          series.name = f.keys.size() > 1 ? fmt::format("{} {}", curve.name, c.key) : curve.name;
          series.dashed = k > 0;
          series.color = color++;
          bool any = false;
          for (const CornerPoint& p : curve.points) {
            series.x.push_back(s.kind == SweepKind::steer ? p.steer : 1000 * p.centre_m);
            series.y.push_back(p.*c.value * c.factor);
            any = any || std::isfinite(series.y.back());
          }
          if (any) plot.series.push_back(std::move(series));
        }
      }
    if (!plot.series.empty()) write_svg(plot, fmt::format("{}/{}-{}.svg", folder, name_of(s.kind), f.file));
  }
}

void plot_compliance(const std::vector<analysis::Compliance>& list, const std::string& folder) {
  for (int k = 0; k < 4; ++k)
    for (const bool toe : {true, false}) {
      Plot plot;
      for (std::size_t i = static_cast<std::size_t>(k); i < list.size(); i += 4) {
        PlotSeries series;
        series.name = list[i].corner;
        for (const auto& p : list[i].curve) {
          series.x.push_back(p.load);
          series.y.push_back(toe ? p.toe_deg : p.camber_deg);
        }
        plot.title = list[i].load;
        plot.x_label = fmt::format("load / {}", list[i].unit);
        plot.y_label = toe ? "change of toe / deg" : "change of camber / deg";
        plot.series.push_back(std::move(series));
      }
      constexpr const char* names[] = {"lateral", "brake", "drive", "aligning"};
      if (!plot.series.empty())
        write_svg(plot, fmt::format("{}/compliance-{}-{}.svg", folder, names[k], toe ? "toe" : "camber"));
    }
}

void print_compliance(const std::vector<analysis::Compliance>& list) {
  fmt::print("\ncompliance (posts held), per unit of load\n{:<6}{:<60}{:>8}{:>11}{:>11}{:>10}{:>10}{:>10}\n",
             "", "load", "unit", "toe deg", "camber deg", "x mm", "y mm", "spin deg");
  for (const analysis::Compliance& c : list)
    fmt::print("{:<6}{:<60}{:>8}{:>11.5f}{:>11.5f}{:>10.4f}{:>10.4f}{:>10.5f}\n", c.corner, c.load, c.unit,
               c.toe_deg, c.camber_deg, c.x_mm, c.y_mm, c.spin_deg);
}

std::string csv_of(const std::vector<analysis::Compliance>& list) {
  std::string out = "corner,load,unit,value,toe_deg,camber_deg,x_mm,y_mm\n";
  for (const analysis::Compliance& c : list)
    for (const auto& p : c.curve)
      out += fmt::format("{},\"{}\",{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", c.corner, c.load, c.unit,
                         p.load, p.toe_deg, p.camber_deg, p.x_mm, p.y_mm);
  return out;
}

int execute(const KinematicsOptions& o) {
  const io::ScenarioSpec spec = read_specification(o.scenario, o.overrides);
  analysis::RigOptions options;
  options.body = o.body;
  options.steer = o.steer_signal;
  options.only = o.corners;
  options.hold_carrier = o.hold == "carrier";
  options.equilibrium = o.quasi_static;
  for (const std::string& wheel : o.wheels) options.corners.push_back(wheel_of(wheel));
  SuspensionRig rig(spec.model, options);
  std::vector<SuspensionSweep> sweeps;
  const auto values = [&](const Range& r) {
    return analysis::sweep_values(r.from, r.to, r.points > 0 ? r.points : o.points);
  };
  sweeps.push_back(
      analysis::sweep(rig, SweepKind::travel, values(parse_range("--travel", o.travel)), o.corners));
  if (!o.roll.empty())
    sweeps.push_back(analysis::sweep(rig, SweepKind::roll, values(parse_range("--roll", o.roll)), o.corners));
  if (!o.steer.empty()) {
    if (rig.steer().empty())
      throw Error("--steer", "the model has no steering signal", "name it: --steer-signal");
    rig.set_steer_step(1e-4 * std::max(1e-3, parse_range("--steer", o.steer).to));
    sweeps.push_back(
        analysis::sweep(rig, SweepKind::steer, values(parse_range("--steer", o.steer)), o.corners));
  }
  std::vector<analysis::Compliance> loads;
  if (o.compliance) {
    options.equilibrium = true;
    SuspensionRig elastic(spec.model, options);
    loads = analysis::compliance(elastic, 1000 * o.load_kN, 7, o.corners);
  }
  Json json = {{"model", spec.model.name},
               {"body", rig.body()},
               {"held_point", options.hold_carrier ? "centre of mass of the carrier" : "wheel centre"},
               {"method", rig.equilibrium() ? "quasi-static equilibrium" : "constraints"}};
  for (const SuspensionSweep& s : sweeps) json[name_of(s.kind)] = json_of(s);
  if (o.compliance) {
    json["compliance"] = Json::array();
    for (const analysis::Compliance& c : loads)
      json["compliance"].push_back({{"corner", c.corner},
                                    {"load", c.load},
                                    {"unit", c.unit},
                                    {"toe_deg", json_number(c.toe_deg)},
                                    {"camber_deg", json_number(c.camber_deg)},
                                    {"x_mm", json_number(c.x_mm)},
                                    {"y_mm", json_number(c.y_mm)},
                                    {"spin_deg", json_number(c.spin_deg)}});
  }
  if (!o.output.empty()) write_table_file(o.output, csv_of(sweeps), json);
  if (!o.plot.empty()) {
    make_folder(o.plot);
    io::write_text_file(o.plot + "/kinematics.json", json.dump(2) + "\n");
    io::write_text_file(o.plot + "/kinematics.csv", csv_of(sweeps));
    for (const SuspensionSweep& s : sweeps) plot_sweep(s, o.plot);
    if (o.compliance) {
      io::write_text_file(o.plot + "/compliance.csv", csv_of(loads));
      plot_compliance(loads, o.plot);
    }
  }
  if (o.json) {
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}: suspension of '{}', {}; posts move the {}\n", spec.model.name, rig.body(),
             rig.equilibrium() ? "quasi-static equilibrium" : "by its constraints",
             options.hold_carrier ? "centres of mass of the carriers" : "wheel centres");
  print_reference(sweeps.front());
  for (const SuspensionSweep& s : sweeps) {
    for (const CornerCurve& c : s.corners)
      if (s.kind == SweepKind::steer)
        print_table(s, c,
                    {"steer", "heading", "toe", "camber", "caster", "kingpin", "scrub_radius", "trail",
                     "track_change"});
      else
        print_table(
            s, c,
            {"post_travel", "wheel_travel", "toe", "heading", "carrier_yaw", "camber", "caster", "kingpin",
             "track_change", "wheelbase_change", "motion_ratio_spring", "roll_centre_height"});
    for (const std::string& end : s.ends) fmt::print("{}\n", end);
  }
  if (o.compliance) print_compliance(loads);
  if (!o.quiet)
    fmt::print(stderr, "{}\n",
               o.plot.empty() ? fmt::format("next: --plot FOLDER for curves, CSV and JSON{}",
                                            o.compliance ? "" : "; --compliance for loads on the wheels")
                              : fmt::format("next: look at {}/travel-toe.svg", o.plot));
  return 0;
}

void declare(CLI::App& app, KinematicsOptions& o) {
  add_model(app, o);
  app.add_option("--corner", o.corners, "wheels to show, e.g. FL,FR; all")->delimiter(',');
  app.add_option("--wheel", o.wheels, "wheel of a model without tires: NAME=PART@x,y,z of its centre")
      ->take_all();
  app.add_option("--body", o.body, "part that the rig holds; car, chassis or body, else the ground");
  app.add_option("--travel", o.travel, "m, from:to or from:to:points; -0.08:0.08");
  app.add_option("--roll", o.roll, "the same with left up and right down");
  app.add_option("--steer", o.steer, "range of the steering signal");
  app.add_option("--steer-signal", o.steer_signal, "its name; rack");
  app.add_option("--points", o.points, "of each curve; 17")->check(CLI::Range(2, 10000));
  app.add_option("--hold", o.hold, "point that the posts move: wheel (centre) or carrier (centre of mass)")
      ->check(CLI::IsMember({"wheel", "carrier"}));
  app.add_flag("--quasi-static", o.quasi_static, "balance of forces, with bushings and flexible parts");
  app.add_flag("--compliance", o.compliance, "deflections under forces and moments at the wheels");
  app.add_option("--load", o.load_kN, "kN, largest of the compliance curves; 3")->check(CLI::PositiveNumber);
  add_results(app, o, "curves: .csv or .json", "folder for figures (SVG), tables (CSV) and JSON");
}

}  // namespace

Command kinematics_command() {
  return make_command("kinematics",
                      "suspension curves of any model: toe, camber, kingpin, roll centre, compliance",
                      declare, execute);
}

}  // namespace monocoque
