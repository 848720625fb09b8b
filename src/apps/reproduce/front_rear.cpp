// The car cut into front and rear halves that run beside each other (Prescott, "Simulating Flexible Multibody
// Vehicle Models in Real-Time"): agreement with the undivided car and speed-up, 40 and 1000 elastic
// coordinates. The coupling is described in docs/front-rear.md.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "apps/camry_body.h"
#include "apps/reproduce/flexible_camry.h"
#include "realtime/split_run.h"

namespace monocoque {

namespace {

const std::vector<realtime::SplitGroup> kHalves = {{"front", {"engine", "FL/*", "FR/*"}},
                                                   {"rear", {"RL/*", "RR/*"}}};

const std::vector<realtime::SplitGroup> kBalanced = {{"front", {"FL/*", "FR/*"}},
                                                     {"rear", {"engine", "RL/*", "RR/*"}}};

struct Manoeuvre {
  const char *name, *scenario;
  double end_s, quick_end_s;
  std::vector<std::string> car;     ///< channels of the car body
  std::vector<std::string> corner;  ///< of each corner, * for its name
};

const Manoeuvre kRide = {"washboard",
                         "washboard-flexible.yaml",
                         4,
                         1.6,
                         {"car/position/z", "car/velocity/z", "attitude/pitch", "car/acceleration/z"},
                         {"*/deflection", "*/tire/load", "car/*/spring:from/deformation/z"}};
const Manoeuvre kHandling = {
    "double lane change",
    "double-lane-change-open-loop.yaml",
    4,
    1.6,
    {"car/position/y", "car/velocity/y", "attitude/yaw", "attitude/roll", "turning/z", "car/acceleration/y"},
    {"*/deflection", "*/tire/load", "*/tire/lateral_force"}};

/// Without speed control: its samples would make bdf2 start anew, and only in the half that has it.
LoadedScenario load(const Reproduction& r, const Manoeuvre& m, int coordinates) {
  const std::string body = camry_body(coordinates, [&](const std::string& line) { r.say("  " + line); });
  std::vector<std::string> set = {"parts.car.body=" + body, "parts.car.inertia_couplings=neglected",
                                  "control_sample_s=1000", "hold_speed=0"};
  if (coordinates > kLargestCoupledBody) set.emplace_back("parts.car.geometric_stiffening=off");
  return load_camry(m.scenario, Body::flexible, set);
}

/// Prescott's method: BDF2 with fixed step and iterations on the index-1 form, Baumgarte.
io::SimulationSpec settings(const LoadedScenario& car, double step_s, double end_s) {
  io::SimulationSpec s = car.spec.simulation;
  s.solver = "bdf2";
  s.constraints = kIndex1Psi;
  s.stabilisation = kBaumgarte;
  s.baumgarte_alpha = 100;
  s.iterations = 2;
  s.jacobian = "simplified";
  s.linear_solver = "structured";
  s.step_s = step_s;
  s.step_given = true;
  s.output_step_s = 0.002;
  s.end_s = end_s;
  return s;
}

std::vector<std::string> channels(const Manoeuvre& m, const std::vector<const char*>& corners) {
  std::vector<std::string> out = m.car;
  for (const char* corner : corners)
    for (std::string quantity : m.corner) {
      quantity.replace(quantity.find('*'), 1, corner);
      out.push_back(quantity);
    }
  return out;
}

/// Channels of both halves by name: those of the car body are the front's.
struct SplitRecord {
  RecordedRun run;
  double gap = 0;  ///< largest relative difference between the two car bodies
  realtime::SplitSummary summary;
};

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(b.size()));
}

/// RMS of the difference over RMS of the variation about the mean.
double relative(const std::vector<double>& value, const std::vector<double>& reference) {
  if (value.size() != reference.size()) return std::numeric_limits<double>::infinity();
  double mean = 0;
  for (const double v : reference) mean += v / static_cast<double>(reference.size());
  return rms_difference(value, reference) /
         rms_difference(reference, std::vector<double>(reference.size(), mean));
}

std::vector<double> differences(std::vector<double> v) {
  std::adjacent_difference(v.begin(), v.end(), v.begin());
  v.erase(v.begin());
  return v;
}

SplitRecord record_split(const LoadedScenario& car, io::SimulationSpec s, const Manoeuvre& m, int order = 1,
                         int rounds = 2) {
  realtime::SplitSettings split;
  split.extrapolation = order;
  split.rounds = rounds;
  split.outputs = {channels(m, {"FL", "FR"}), channels(m, {"RL", "RR"})};
  realtime::SplitRun run(car.spec.model, kHalves, s, split);
  std::vector<RecordedRun> halves(2);
  std::vector<RunHooks> hooks(2);
  for (std::size_t i = 0; i < 2; ++i) {
    RecordedRun& half = halves[i];
    for (const Channel& c : run.simulation(i).channels()) half.paths.push_back(c.path);
    half.columns.resize(half.paths.size());
    hooks[i].record = [&half](double t, const double* row) {
      half.t.push_back(t);
      for (std::size_t k = 0; k < half.columns.size(); ++k) half.columns[k].push_back(row[k]);
    };
  }
  hooks[0].interrupted = interrupt_requested;
  SplitRecord out;
  out.summary = run.run(hooks);
  if (out.summary.interrupted) throw Error("reproduce", "interrupted", "");
  for (const std::string& path : m.car)
    out.gap = std::max(out.gap, relative(halves[1][path], halves[0][path]));
  out.run = halves[0];
  for (std::size_t k = 0; k < halves[1].paths.size(); ++k) {
    const auto& paths = halves[0].paths;
    if (std::find(paths.begin(), paths.end(), halves[1].paths[k]) != paths.end()) continue;
    out.run.paths.push_back(halves[1].paths[k]);
    out.run.columns.push_back(halves[1].columns[k]);
  }
  return out;
}

RecordedRun record_whole(const LoadedScenario& car, io::SimulationSpec s, const Manoeuvre& m) {
  s.outputs = channels(m, {"FL", "FR", "RL", "RR"});
  return record_run(*car.model, s);
}

struct Worst {
  double value = 0;
  std::string path;
};
Worst worst_of(const RecordedRun& split, const RecordedRun& whole) {
  Worst out;
  for (const std::string& path : whole.paths) {
    const double e = relative(split[path], whole[path]);
    if (!(e <= out.value)) out = {e, path};
  }
  return out;
}

void agreement(Reproduction& r, const Manoeuvre& m, const LoadedScenario& car, int coordinates) {
  io::SimulationSpec s = settings(car, 1e-3, r.quick() || coordinates > 40 ? m.quick_end_s : m.end_s);
  if (coordinates > 40) s.output_step_s = 0.02;  // an output costs as much as a thousand steps
  r.say(fmt::format("{}, {} coordinates", m.name, coordinates));
  const RecordedRun whole = record_whole(car, s, m);
  const SplitRecord split = record_split(car, s, m);
  for (const std::string& path : whole.paths) {
    const double e = 100 * relative(split.run[path], whole[path]);
    r.expect(fmt::format("{}, {} coordinates: {}, split from whole car", m.name, coordinates, path), "-",
             fmt::format("{:.2g} %", e), "< 1 %", e < 1);
    // Mean acceleration between records.
    if (path.find("velocity") == std::string::npos) continue;
    const double rate = 100 * relative(differences(split.run[path]), differences(whole[path]));
    r.expect(fmt::format("{}, {} coordinates: rate of {} over {:g} ms", m.name, coordinates, path,
                         1e3 * s.output_step_s),
             "-", fmt::format("{:.2g} %", rate), "< 1 %", rate < 1);
  }
  r.below(fmt::format("{}, {} coordinates: the two car bodies from each other, worst channel", m.name,
                      coordinates),
          "-", 100 * split.gap, 1, "%");
  for (const std::string& shown : {m.car[1], std::string("RL/deflection")}) {
    Plot p{fmt::format("{}, {} coordinates: {}", m.name, coordinates, shown), "t / s", "", {}};
    p.series.push_back({"whole", whole.t, whole[shown]});
    p.series.push_back({"split", split.run.t, split.run[shown], true});
    std::string name = fmt::format("{}-{}-{}", m.name, coordinates, shown);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '/'; }, '-');
    r.plot(name, p);
  }
}

void error_over_step(Reproduction& r, const Manoeuvre& m, const LoadedScenario& car) {
  Plot plot{fmt::format("{}: split from whole car, worst channel", m.name),
            "step / ms",
            "relative error",
            {},
            true,
            true};
  const std::array<double, 3> steps = {2e-3, 1e-3, 5e-4};
  std::array<RecordedRun, 3> whole;
  for (std::size_t i = 0; i < steps.size(); ++i)
    whole[i] = record_whole(car, settings(car, steps[i], m.quick_end_s), m);
  for (const auto& [order, rounds] : {std::pair{0, 0}, {1, 0}, {1, 1}, {1, 2}}) {
    PlotSeries line{fmt::format("extrapolation of order {}, {} corrections", order, rounds), {}, {}};
    std::string text;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      r.say(fmt::format("{}, {}, step {:g} ms", m.name, line.name, 1e3 * steps[i]));
      const SplitRecord split = record_split(car, settings(car, steps[i], m.quick_end_s), m, order, rounds);
      const Worst e = worst_of(split.run, whole[i]);
      line.x.push_back(1e3 * steps[i]);
      line.y.push_back(e.value);
      text += fmt::format("{}{:.2g} %", text.empty() ? "" : ", ", 100 * e.value);
    }
    r.note(fmt::format("{}, {}: worst channel at 2, 1, 0.5 ms", m.name, line.name), "-", text);
    plot.series.push_back(line);
  }
  r.plot("error-over-step-" + std::string(m.scenario).substr(0, 9), plot);
}

/// Steps without outputs and controllers; the machine may be busy, so the best of several runs.
void speed_up(Reproduction& r, const LoadedScenario& car, int coordinates) {
  const int runs = r.quick() ? 2 : 7;
  io::SimulationSpec s = settings(car, 1e-3, r.quick() ? 0.2 : 0.6);
  s.output_step_s = s.end_s;
  s.outputs = {"energy/total"};
  double whole = std::numeric_limits<double>::infinity();
  realtime::SplitSummary best;
  best.wall_us = whole;
  best.work_us = {whole, whole};
  best.share_us = {whole, whole};
  for (int i = 0; i < runs; ++i) {
    Simulation simulation(*car.model, s);
    whole = std::min(whole, simulation.run().step_us.p50_us);
    const realtime::SplitSummary one = realtime::SplitRun(car.spec.model, kHalves, s).run();
    best.wall_us = std::min(best.wall_us, one.wall_us);
    for (std::size_t k = 0; k < 2; ++k) {
      best.work_us[k] = std::min(best.work_us[k], one.work_us[k]);
      best.share_us[k] = std::min(best.share_us[k], one.share_us[k]);
    }
  }
  double other = whole;
  for (int i = 0; i < runs; ++i) {
    const auto work = realtime::SplitRun(car.spec.model, kBalanced, s).run().work_us;
    other = i == 0 ? *std::max_element(work.begin(), work.end())
                   : std::min(other, *std::max_element(work.begin(), work.end()));
  }
  const std::string of = fmt::format("{} coordinates: ", coordinates);
  r.note(of + "step of the whole car, one thread", "-", fmt::format("{:.1f} us", whole));
  r.note(of + "step of front and rear without waiting (of this the exchange)", "-",
         fmt::format("{:.1f} ({:.1f}) and {:.1f} ({:.1f}) us", best.work_us[0], best.share_us[0],
                     best.work_us[1], best.share_us[1]));
  r.note(of + "step of both on two threads, barrier to barrier", "-", fmt::format("{:.1f} us", best.wall_us));
  r.note(of + "speed-up measured", "-", fmt::format("{:.2f}", whole / best.wall_us));
  r.note(of + "speed-up if nothing else used the cores (slower half without waiting)", "-",
         fmt::format("{:.2f}", whole / std::max(best.work_us[0], best.work_us[1])));
  r.note(of + "the same with the engine counted to the rear, which balances the halves", "-",
         fmt::format("{:.2f}", whole / other));
}

}  // namespace

void reproduce_front_rear(Reproduction& r) {
  for (const int coordinates : {40, 1000}) {
    if (r.quick() && coordinates > 40) continue;
    const LoadedScenario ride = load(r, kRide, coordinates), handling = load(r, kHandling, coordinates);
    agreement(r, kRide, ride, coordinates);
    agreement(r, kHandling, handling, coordinates);
    if (!r.quick() && coordinates == 40) {
      error_over_step(r, kRide, ride);
      error_over_step(r, kHandling, handling);
    }
    speed_up(r, handling, coordinates);
  }
}

}  // namespace monocoque
