#include "apps/reproduce/reproduction.h"
#include "apps/version.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "core/error_kinds.h"
#include "io/files/text_source.h"

namespace monocoque {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> list = {
      {"car-body", "dissertation 4.2 and 4.5.2",
       "reduction of the car body, number of modes, cheaper bodies of the same car", reproduce_car_body},
      {"cornering", "dissertation 5.2, figures 5.5 to 5.7", "rigid Camry at 40 km/h, rack step of 15 mm",
       reproduce_cornering},
      {"double-lane-change", "dissertation 5.3.2, figures 5.13 and 5.14",
       "rigid and flexible Camry at 60 km/h, the same steering in open loop", reproduce_double_lane_change},
      {"double-pendulum", "dissertation 3.2.4, figures 3.1 to 3.3",
       "two flexible beams in three formulations", reproduce_double_pendulum},
      {"front-rear", "Prescott, flexible vehicle models in real time",
       "flexible Camry cut into front and rear halves on two threads, beside the whole car",
       reproduce_front_rear},
      {"manoeuvres", "dissertation 5.1.4, this program's manoeuvres",
       "rigid Camry from 1 to 40 m/s, linearly implicit Euler at 10 ms beside the converged solution",
       reproduce_manoeuvres},
      {"performance", "dissertation 5.4, figure 5.15, this program's bounds",
       "cost of a step of the Camry and accuracy for it, from `monocoque bench`", reproduce_performance},
      {"comfort", "Schiehlen 5.2, figures 24 and 25",
       "random vibration of a vehicle with 19 degrees of freedom", reproduce_comfort},
      {"van", "Schiehlen 2 and 5.1, figures 14 and 22", "a van from its data model, overtaking",
       reproduce_van},
      {"rolling-wheel", "dissertation 2.3.2, figures 2.16 and 2.17",
       "kinematic matrix in the mixed and the floating frame", reproduce_rolling_wheel},
      {"slider-crank", "virtual-body paper 4.3, figure 7 and table 3",
       "flexible rod with none, one and two virtual bodies", reproduce_slider_crank},
      {"washboard", "dissertation 5.3.1, figures 5.8 to 5.12",
       "rigid and flexible Camry at 50 km/h over six segments of bumps, 11 to 20 Hz", reproduce_washboard},
  };
  return list;
}

std::string shipped_model(const std::string& relative) {
  const char* folder = std::getenv("MONOCOQUE_MODELS");
  std::string path = std::string(folder != nullptr ? folder : models_folder()) + "/" + relative;
  if (!std::filesystem::exists(path))
    throw Error(Place{path, 0}, "", "this model of the program's own is missing",
                "set the environment variable MONOCOQUE_MODELS to the folder models/ of the source tree");
  return path;
}

const std::vector<double>& RecordedRun::operator[](const std::string& path) const {
  const auto it = std::find(paths.begin(), paths.end(), path);
  if (it == paths.end()) throw Error(path, "the run has no such channel", suggestion(path, paths));
  return columns[static_cast<std::size_t>(it - paths.begin())];
}

RecordedRun record_run(const Model& model, const io::SimulationSpec& settings) {
  Simulation simulation(model, settings);
  RecordedRun run;
  for (const Channel& channel : simulation.channels()) run.paths.push_back(channel.path);
  run.columns.resize(run.paths.size());
  RunHooks hooks;
  hooks.record = [&](double t, const double* row) {
    run.t.push_back(t);
    for (std::size_t i = 0; i < run.columns.size(); ++i) run.columns[i].push_back(row[i]);
  };
  hooks.interrupted = interrupt_requested;
  run.summary = simulation.run(hooks);
  if (run.summary.interrupted) throw Error("reproduce", "interrupted", "");
  return run;
}

Reproduction::Reproduction(std::string folder, bool quick) : folder_(std::move(folder)), quick_(quick) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error)
    throw SystemError(Place{folder_, 0}, "", fmt::format("the folder cannot be made: {}", error.message()),
                      "choose another one with -o");
}

void Reproduction::note(const std::string& quantity, const std::string& published,
                        const std::string& measured) {
  rows_.push_back({quantity, published, measured, "", true});
}

void Reproduction::below(const std::string& quantity, const std::string& published, double measured,
                         double bound, const std::string& unit) {
  const auto text = [&](double v) { return fmt::format("{:.3g}{}{}", v, unit.empty() ? "" : " ", unit); };
  rows_.push_back({quantity, published, text(measured), "< " + text(bound), measured < bound});
}

void Reproduction::expect(const std::string& quantity, const std::string& published,
                          const std::string& measured, const std::string& bound, bool met) {
  rows_.push_back({quantity, published, measured, bound, met});
}

void Reproduction::plot(const std::string& name, const Plot& plot) {
  plots_.push_back(file(name + ".svg"));
  write_svg(plot, plots_.back());
}

void Reproduction::picture(const std::string& name, const std::string& svg) {
  plots_.push_back(file(name + ".svg"));
  io::write_text_file(plots_.back(), svg);
}

void Reproduction::say(const std::string& progress) const {
  fmt::print(stderr, "{}\n", progress);
}

bool Reproduction::met() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const ReproductionRow& row) { return row.met; });
}

}  // namespace monocoque
