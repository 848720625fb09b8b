#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/linear/operating_point.h"
#include "analysis/ride/ride.h"
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
using analysis::RandomVibration;
using analysis::RideSystem;
using analysis::SensationFilter;

struct CovarianceOptions : ModelOptions, ResultOptions {
  std::vector<std::string> outputs;
  std::string road_class = "C", over;  ///< over: path=from:to:count
  std::optional<double> roughness_m3, speed_m_per_s, at_s;
  double coherence = 1, longest_wavelength_m = 100, shortest_wavelength_m = 0;  ///< shortest 0: none
  bool isotropic = false;
};

double roughness_of(const CovarianceOptions& c) {
  if (c.roughness_m3) return *c.roughness_m3;
  if (c.road_class.size() != 1 || c.road_class[0] < 'A' || c.road_class[0] > 'H')
    throw Error("--class", fmt::format("'{}' is no class of ISO 8608", c.road_class), "give one of A to H");
  return 16e-6 * std::pow(4.0, c.road_class[0] - 'A');
}

struct RideRow {
  std::string path, unit;
  double at_rest = 0, deviation = 0, by_spectrum = 0;
  double sensation = std::numeric_limits<double>::quiet_NaN();  ///< K, of accelerations upwards
  bool is_load = false;
};

std::vector<RideRow> rows_of(const RideSystem& ride, const RandomVibration& random) {
  const VecX deviations = random.deviations();
  std::vector<RideRow> rows;
  std::vector<int> felt;  // accelerations upwards
  for (std::size_t i = 0; i < ride.system.outputs.size(); ++i) {
    const int k = static_cast<int>(i);
    RideRow row{ride.system.outputs[i], ride.system.units[i], ride.at_rest[k], deviations[k]};
    // A coherence that changes with the frequency has no shape filter.
    if (ride.road.isotropic || std::isfinite(row.deviation))
      row.by_spectrum = random.deviation_by_spectrum(k);
    if (ride.road.isotropic) row.deviation = row.by_spectrum;
    row.is_load = row.path.ends_with("/load");
    if (row.unit == "m/s^2" && row.path.ends_with("/z")) felt.push_back(k);
    rows.push_back(row);
  }
  VecX sigma(static_cast<Eigen::Index>(felt.size()));
  if (ride.road.isotropic)
    for (std::size_t i = 0; i < felt.size(); ++i)
      sigma[static_cast<Eigen::Index>(i)] =
          random.deviation_by_spectrum(felt[i], 1e-8, SensationFilter::gain);
  else
    sigma = random.filtered_deviations(felt, SensationFilter::b1, SensationFilter::b0, SensationFilter::c1,
                                       SensationFilter::c0);
  for (std::size_t i = 0; i < felt.size(); ++i)
    rows[static_cast<std::size_t>(felt[i])].sensation =
        SensationFilter::alpha * sigma[static_cast<Eigen::Index>(i)];
  return rows;
}

void write_spectra(const RideSystem& ride, const RandomVibration& random, const std::string& path) {
  std::ofstream out(path);
  out << "frequency [Hz]";
  for (std::size_t i = 0; i < ride.system.outputs.size(); ++i)
    out << fmt::format(",{} [({})^2/Hz]", ride.system.outputs[i], ride.system.units[i]);
  out << '\n';
  for (double f = 0.1; f < 50.001; f *= std::pow(10.0, 0.005)) {
    out << fmt::format("{:.6g}", f);
    for (std::size_t i = 0; i < ride.system.outputs.size(); ++i)
      out << fmt::format(",{:.9g}", random.density(static_cast<int>(i), f));
    out << '\n';
  }
  out.close();
  if (!out)
    throw SystemError(Place{path, 0}, "-o", "cannot be written", "check the folder and the free space");
}

Plot spectra(const RideSystem& ride, const RandomVibration& random, const std::string& name) {
  Plot plot{name + ": spectra on the rough road", "f / Hz", "", {}, true, true};
  for (std::size_t i = 0; i < ride.system.outputs.size() && plot.series.size() < 8; ++i) {
    if (ride.system.units[i] != ride.system.units[0]) continue;
    plot.y_label = fmt::format("({})^2/Hz", ride.system.units[i]);
    PlotSeries line{ride.system.outputs[i], {}, {}};
    for (double f = 0.1; f < 50.001; f *= 1.01) {
      line.x.push_back(f);
      line.y.push_back(random.density(static_cast<int>(i), f));
    }
    plot.series.push_back(line);
  }
  return plot;
}

struct RideOfModel {
  RideSystem ride;
  std::unique_ptr<RandomVibration> random;
  std::vector<RideRow> rows;
  std::string model;
};

RideOfModel ride_of(const CovarianceOptions& c, const std::vector<std::string>& overrides) {
  const LoadedScenario loaded = load_scenario(c.scenario, overrides);
  analysis::StateChoice choice;
  choice.at_s = c.at_s;
  const auto point = analysis::operating_point(*loaded.model, loaded.spec.simulation, choice);
  analysis::RideOptions options;
  options.outputs = c.outputs;
  options.road.speed_m_per_s = c.speed_m_per_s.value_or(0);
  options.road.roughness_m3 = roughness_of(c);
  options.road.coherence = c.coherence;
  options.road.isotropic = c.isotropic;
  options.road.lowest_wave_number_per_m = 1 / c.longest_wavelength_m;
  options.road.highest_wave_number_per_m = c.shortest_wavelength_m > 0 ? 1 / c.shortest_wavelength_m : 0;
  RideOfModel out;
  out.model = loaded.model->name;
  out.ride =
      analysis::ride_system(loaded.spec.model, *loaded.model, point->workspace(), point->state(), options);
  out.random = std::make_unique<RandomVibration>(out.ride.system, out.ride.road, out.ride.wheels);
  out.rows = rows_of(out.ride, *out.random);
  return out;
}

Json json_of(const RideOfModel& r) {
  Json rows = Json::array(), wheels = Json::array();
  for (const RideRow& row : r.rows) {
    Json entry = {{"channel", row.path},
                  {"unit", row.unit},
                  {"at_rest", row.at_rest},
                  {"rms", json_number(row.deviation)},
                  {"rms_by_spectrum", json_number(row.by_spectrum)}};
    if (!std::isnan(row.sensation)) entry["perception_K"] = row.sensation;
    if (row.is_load) entry["rms_over_static"] = json_number(row.deviation / row.at_rest);
    rows.push_back(entry);
  }
  for (const analysis::RoadWheel& w : r.ride.wheels)
    wheels.push_back({{"tire", w.name}, {"x_m", w.x_m}, {"y_m", w.y_m}});
  return {{"model", r.model},
          {"speed_m_per_s", r.ride.road.speed_m_per_s},
          {"roughness_m3", r.ride.road.roughness_m3},
          {"coherence", r.ride.road.isotropic ? Json("isotropic") : Json(r.ride.road.coherence)},
          {"order", r.random->order()},
          {"states_left_out", r.random->removed()},
          {"wheels", wheels},
          {"outputs", rows}};
}

void print_ride(const RideOfModel& r) {
  const analysis::RoadProcess& road = r.ride.road;
  fmt::print("model       {}\n", r.model);
  fmt::print(
      "road        {:.4g} m^3 at 0.1 1/m, {} at {:.4g} m/s\n", road.roughness_m3,
      road.isotropic ? std::string("isotropic") : fmt::format("coherence of the tracks {:g}", road.coherence),
      road.speed_m_per_s);
  fmt::print("order       {} with {} filters of the road; {} states of motions that do not settle left out\n",
             r.random->order(), r.ride.wheels.size(), r.random->removed());
  fmt::print("{:<36} {:>12} {:>14} {:>14} {:>10} {:>12}\n", "output", "smooth road", "RMS", "by spectrum",
             "K", "RMS/static");
  for (const RideRow& row : r.rows)
    fmt::print("{:<36} {:>12.5g} {:>14.7g} {:>14.7g} {:>10} {:>12}  {}\n", row.path, row.at_rest,
               row.deviation, row.by_spectrum,
               std::isnan(row.sensation) ? "" : fmt::format("{:.3f}", row.sensation),
               row.is_load ? fmt::format("{:.4f}", row.deviation / row.at_rest) : "", row.unit);
}

struct RideSweep {
  std::string path;
  std::vector<double> values;
};

/// "path=from:to:count".
RideSweep ride_sweep_of(const std::string& text) {
  constexpr int kUsualPoints = 11, kMostPoints = 1000;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error("--over", fmt::format("'{}' is not of the form path=from:to:count", text),
                "for example --over front_Ns_per_m=500:5000:10");
  const Range range = parse_range("--over", text.substr(equals + 1));
  const int count = range.single() ? 1 : range.points > 0 ? range.points : kUsualPoints;
  if (count > kMostPoints)
    throw Error("--over", fmt::format("{} points are asked for, {} are the most", count, kMostPoints), "");
  RideSweep out{text.substr(0, equals), {}};
  for (int i = 0; i < count; ++i)
    out.values.push_back(range.from + (count > 1 ? (range.to - range.from) * i / (count - 1) : 0));
  return out;
}

/// Comfort against safety: every acceleration's and every load's figure over one parameter.
int trade_off(const CovarianceOptions& c) {
  const RideSweep range = ride_sweep_of(c.over);
  Json all = Json::array();
  std::vector<RideOfModel> results;
  for (const double value : range.values) {
    if (interrupt_requested()) break;
    std::vector<std::string> set = c.overrides;
    set.push_back(fmt::format("{}={:.17g}", range.path, value));
    results.push_back(ride_of(c, set));
    if (!c.quiet && progress_wanted()) fmt::print(stderr, "\r{} of {}", results.size(), range.values.size());
    Json entry = json_of(results.back());
    entry["value"] = value;
    all.push_back(entry);
  }
  if (!c.quiet && progress_wanted()) fmt::print(stderr, "\r{:40}\r", "");
  if (c.json) {
    fmt::print("{}\n", Json({{"over", range.path}, {"points", all}}).dump(2));
  } else {
    fmt::print("{:>14}", range.path);
    for (const RideRow& row : results.at(0).rows) fmt::print(" {:>18}", row.path);
    fmt::print("\n");
    for (std::size_t i = 0; i < results.size(); ++i) {
      fmt::print("{:>14.6g}", range.values[i]);
      for (const RideRow& row : results[i].rows)
        fmt::print(" {:>18.6g}", row.is_load ? row.deviation / row.at_rest : row.deviation);
      fmt::print("\n");
    }
    fmt::print("RMS; of loads over the static load\n");
  }
  if (!c.output.empty()) {
    std::string csv = range.path;
    for (const RideRow& row : results.at(0).rows)
      csv += fmt::format(",{}{} [{}]", row.path, row.is_load ? " over static" : "",
                         row.is_load ? "1" : row.unit);
    for (std::size_t i = 0; i < results.size(); ++i) {
      csv += fmt::format("\n{:.9g}", range.values[i]);
      for (const RideRow& row : results[i].rows)
        csv += fmt::format(",{:.9g}", row.is_load ? row.deviation / row.at_rest : row.deviation);
    }
    io::write_text_file(c.output, csv + "\n");
  }
  if (!c.plot.empty()) {
    // Each acceleration against the worst wheel: the left lower corner is comfortable and safe.
    Plot plot{"Comfort against safety over " + range.path,
              "largest RMS of a wheel load over its static load",
              "RMS / m/s^2",
              {}};
    for (std::size_t k = 0; k < results.at(0).rows.size(); ++k) {
      if (results[0].rows[k].is_load) continue;
      PlotSeries line{results[0].rows[k].path, {}, {}};
      for (const RideOfModel& r : results) {
        double worst = 0;
        for (const RideRow& row : r.rows)
          if (row.is_load) worst = std::max(worst, row.deviation / row.at_rest);
        line.x.push_back(worst);
        line.y.push_back(r.rows[k].deviation);
      }
      plot.series.push_back(line);
    }
    write_svg(plot, figure_path(c.plot, "trade-off.svg"));
  }
  return interrupt_requested() ? kInterrupted : kSuccess;
}

int execute(const CovarianceOptions& options) {
  catch_interrupts();
  if (!options.over.empty()) return trade_off(options);
  const RideOfModel r = ride_of(options, options.overrides);
  if (options.json)
    fmt::print("{}\n", json_of(r).dump(2));
  else
    print_ride(r);
  if (!options.output.empty()) {
    write_spectra(r.ride, *r.random, options.output);
  }
  if (!options.plot.empty()) {
    write_svg(spectra(r.ride, *r.random, r.model), figure_path(options.plot, "spectra.svg"));
  }
  for (const RideRow& row : r.rows)
    if (std::isinf(row.deviation)) {
      fmt::print(stderr,
                 "note: {} has no finite RMS: tire dampers pass on waves of any shortness; give "
                 "--shortest-wavelength 0.3 or another length of the tread\n",
                 row.path);
      break;
    }
  if (!options.quiet && options.output.empty() && options.plot.empty())
    fmt::print(stderr,
               "next: --plot FOLDER draws the spectra, --over path=from:to:count the trade-off of comfort "
               "and safety\n");
  return 0;
}

void declare(CLI::App& app, CovarianceOptions& o) {
  add_model(app, o);
  app.add_option("--class", o.road_class, "of ISO 8608, A to H; C");
  app.add_option("--roughness", o.roughness_m3, "m^3 at 0.1 1/m, instead of a class")
      ->check(CLI::PositiveNumber);
  app.add_option("--speed", o.speed_m_per_s, "m/s; that of the model")->check(CLI::PositiveNumber);
  app.add_option("--coherence", o.coherence, "of the two tracks, 0 to 1; 1")->check(CLI::Range(0.0, 1.0));
  app.add_flag("--isotropic", o.isotropic, "tracks as on an isotropic road");
  app.add_option("--longest-wavelength", o.longest_wavelength_m, "m, of the road; 100")
      ->check(CLI::PositiveNumber);
  app.add_option("--shortest-wavelength", o.shortest_wavelength_m,
                 "m: shorter waves do not reach the wheel, because of the length of the tread; 0: all do")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--outputs", o.outputs, "channel patterns with *")->delimiter(',');
  app.add_option("--at", o.at_s, "linearise there: the model is run to this time, s");
  app.add_option("--over", o.over, "path=from:to:count: trade-off over a value of the model");
  add_results(app, o, "spectra, or with --over the trade-off (CSV)",
              "folder for spectra.svg, or with --over trade-off.svg");
}

}  // namespace

Command covariance_command() {
  return make_command("covariance",
                      "random vibration of a vehicle on a rough road: RMS of accelerations and wheel loads",
                      declare, execute);
}

}  // namespace monocoque
