// Schiehlen 5.2, figures 24 and 25: a vehicle of 7 rigid bodies and 4 mass points on a random road, by the
// covariance of the linear system with its road filters. The source prints neither numbers of the vehicle nor
// of the road; what it says of the outcome is checked, and our two ways and a simulation against each other.

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "analysis/linear/operating_point.h"
#include "analysis/ride/ride.h"
#include "apps/reproduce/reproduction.h"

namespace monocoque {

namespace {

using analysis::RandomVibration;
using analysis::RideSystem;
using std::numbers::pi;

constexpr double kGravity = 9.81, kSpeed_m_per_s = 20, kPeriod_m = 1024, kSettling_m = 240, kGrid_m = 0.05;
constexpr double kLeast_per_m = 0.01, kMost_per_m = 2.5;

constexpr double kClassA_m3 = 16e-6, kClassC_m3 = 256e-6;

RideSystem ride_of(const LoadedScenario& car, double coherence, const std::vector<std::string>& outputs,
                   double roughness_m3 = kClassC_m3) {
  const auto point = analysis::operating_point(*car.model, car.spec.simulation, {});
  analysis::RideOptions options;
  options.outputs = outputs;
  options.road.speed_m_per_s = 0;
  options.road.roughness_m3 = roughness_m3;
  options.road.coherence = coherence;
  options.road.lowest_wave_number_per_m = kLeast_per_m;
  return analysis::ride_system(car.spec.model, *car.model, point->workspace(), point->state(), options);
}

/// RMS of the vertical acceleration at points of the car body, from that of its centre and its turning.
void map_of_the_body(Reproduction& r, const LoadedScenario& car) {
  RideSystem ride =
      ride_of(car, 0.5, {"car/acceleration/z", "car/angular_acceleration/x", "car/angular_acceleration/y"});
  std::vector<double> xs, ys{0, 0.6, -0.6};
  for (double x = -2.2; x < 2.21; x += 0.1) xs.push_back(x);
  const analysis::RoadDrivenSystem base = ride.system;
  // Channels come in the order of the model, not of the patterns.
  const auto row = [&](const std::string& path) {
    return static_cast<Eigen::Index>(std::find(base.outputs.begin(), base.outputs.end(), path) -
                                     base.outputs.begin());
  };
  const Eigen::Index up = row("car/acceleration/z"), roll = row("car/angular_acceleration/x"),
                     pitch = row("car/angular_acceleration/y");
  const auto count = static_cast<Eigen::Index>(xs.size() * ys.size());
  MatX combine = MatX::Zero(count, base.C.rows());
  Eigen::Index at = 0;
  for (const double y : ys)
    for (const double x : xs) {
      combine(at, up) = 1;
      combine(at, roll) = y;
      combine(at++, pitch) = -x;
    }
  ride.system.C = combine * base.C;
  ride.system.D_height = combine * base.D_height;
  ride.system.D_rate = combine * base.D_rate;
  const RandomVibration random(ride.system, ride.road, ride.wheels);
  const VecX sigma = random.deviations() / kGravity;
  r.note("order of the system with four road filters", "44",
         fmt::format("{} and {} states of motions that no output sees", random.order(), random.removed()));
  r.expect("its order in all", "44", fmt::format("{}", random.order() + random.removed()), "= 44",
           random.order() + random.removed() == 44);

  Plot plot{"Standard deviation of the vertical acceleration over the car body (figure 25)",
            "x / m, forward",
            "sigma / g",
            {}};
  at = 0;
  Eigen::Index best = 0;
  for (const double y : ys) {
    PlotSeries line{y == 0 ? "middle" : fmt::format("y = {:+.1f} m", y), xs, {}};
    for (std::size_t i = 0; i < xs.size(); ++i) {
      if (y == 0 && sigma[at] < sigma[best]) best = at;
      line.y.push_back(sigma[at++]);
    }
    plot.series.push_back(line);
  }
  r.plot("body-map", plot);
  const double place = xs[static_cast<std::size_t>(best)];
  r.expect("place of the least acceleration on the centre line", "in the middle of the body",
           fmt::format("x = {:+.1f} m, {:.4f} g", place, sigma[best]), "|x| < 0.7 m", std::abs(place) < 0.7);
  r.expect("at the ends of the body", "more",
           fmt::format("{:.4f} g in front, {:.4f} g behind", sigma[static_cast<Eigen::Index>(xs.size()) - 1],
                       sigma[0]),
           "more", sigma[static_cast<Eigen::Index>(xs.size()) - 1] > sigma[best] && sigma[0] > sigma[best]);
}

/// A profile whose waves have the amplitudes of the spectrum and phases by chance, the same in both tracks.
/// Over a whole period its response has no scatter.
void write_profile(const std::string& path, const analysis::RoadProcess& road) {
  std::mt19937_64 chance(7);
  std::uniform_real_distribution<double> phase(0, 2 * pi);
  std::vector<double> amplitude, angle;
  const int waves = static_cast<int>(kMost_per_m * kPeriod_m);
  for (int i = 1; i <= waves; ++i) {
    const double f = road.speed_m_per_s * i / kPeriod_m;
    // Density over n is V times that over f; a wave of amplitude a has the mean square a^2/2.
    amplitude.push_back(std::sqrt(2 * road.speed_m_per_s * analysis::road_density(road, f) / kPeriod_m));
    angle.push_back(phase(chance));
  }
  const int rows = static_cast<int>((kSettling_m + kPeriod_m + 20) / kGrid_m);
  std::ofstream out(path);
  out << "x/y, -3, -1, 1, 3\n";
  for (int k = -200; k < rows; ++k) {
    const double x = kGrid_m * k, fade = x < 10 ? 0 : x < 50 ? 0.5 - 0.5 * std::cos(pi * (x - 10) / 40) : 1;
    double z = 0;
    for (int i = 0; fade > 0 && i < waves; ++i)
      z += amplitude[static_cast<std::size_t>(i)] *
           std::cos(2 * pi * (i + 1) * x / kPeriod_m + angle[static_cast<std::size_t>(i)]);
    out << fmt::format("{0:.2f}, {1:.9f}, {1:.9f}, {1:.9f}, {1:.9f}\n", x, fade * z);
  }
}

double rms_of(const RecordedRun& run, const std::string& path, double from_s, double to_s) {
  double sum = 0, mean = 0;
  int count = 0;
  const std::vector<double>& values = run[path];
  for (std::size_t i = 0; i < run.t.size(); ++i)
    if (run.t[i] > from_s && run.t[i] <= to_s + 1e-9) {
      sum += values[i] * values[i];
      mean += values[i];
      ++count;
    }
  mean /= count;
  return std::sqrt(sum / count - mean * mean);
}

/// One period on a profile of the road's spectrum beside the covariance.
void against_simulation(Reproduction& r, const LoadedScenario& car, const std::string& road_class,
                        double roughness_m3, bool linear) {
  const std::vector<std::string> outputs{"car/acceleration/z", "driver/acceleration/z",
                                         "engine/acceleration/z", "FL/tire/load", "RR/tire/load"};
  const RideSystem ride = ride_of(car, 1, outputs, roughness_m3);
  const RandomVibration random(ride.system, ride.road, ride.wheels);
  const VecX sigma = random.deviations();
  if (linear) {
    double worst = 0;
    for (Eigen::Index i = 0; i < sigma.size(); ++i)
      worst = std::max(worst, std::abs(random.deviation_by_spectrum(static_cast<int>(i)) / sigma[i] - 1));
    r.below("Lyapunov's equation and integrated spectrum, largest relative difference", "-", worst, 1e-6, "");
  }
  r.say(fmt::format("a profile with the spectrum of class {} is made and driven over", road_class));
  const std::string name = "ride-19-class-" + road_class;
  write_profile(r.file(name + ".csv"), ride.road);
  {
    std::ofstream out(r.file(name + ".yaml"));
    out << fmt::format(
        "monocoque: 1\nname: rough road\nmodel: {}\nroad: [{{type: grid, file: {}.csv, friction: 0}}]\n"
        "simulation: {{solver: linearly-implicit-2, step_s: 0.001, end_s: {:g}, output_step_s: 0.005}}\n",
        shipped_model("vehicles/ride-19.yaml"), name, (kSettling_m + kPeriod_m) / kSpeed_m_per_s);
  }
  const LoadedScenario rough = load_scenario(r.file(name + ".yaml"), {});
  io::SimulationSpec settings = rough.spec.simulation;
  settings.outputs = outputs;
  const RecordedRun run = record_run(*rough.model, settings);
  for (std::size_t i = 0; i < ride.system.outputs.size(); ++i) {
    const std::string& path = ride.system.outputs[i];
    const double found =
        rms_of(run, path, kSettling_m / kSpeed_m_per_s, (kSettling_m + kPeriod_m) / kSpeed_m_per_s);
    // The profile has no waves shorter than 0.4 m; a wheel load would feel them.
    const double expected = random.deviation_by_spectrum(
        static_cast<int>(i), 1e-6, [](double f) { return f > kSpeed_m_per_s * kMost_per_m ? 0.0 : 1.0; });
    const double off = found / expected - 1;
    const std::string quantity =
        fmt::format("class {}, RMS of {}: covariance and simulation", road_class, path);
    const std::string measured =
        fmt::format("{:.4g} and {:.4g} {} ({:+.2f} %)", expected, found, ride.system.units[i], 100 * off);
    // On a bad road wheels lift off and springs are no longer upright: that is not the linear system's.
    if (linear)
      r.expect(quantity, "-", measured, "within 2 %", std::abs(off) < 0.02);
    else
      r.note(quantity, "-", measured);
  }
}

}  // namespace

void reproduce_comfort(Reproduction& r) {
  const LoadedScenario car = load_scenario(shipped_model("vehicles/ride-19.yaml"),
                                           {fmt::format("speed_m_per_s={}", kSpeed_m_per_s)});
  int rigid = 0, points = 0;
  for (const io::PartSpec& part : car.spec.model.parts) {
    rigid += part.kind == io::PartKind::rigid ? 1 : 0;
    points += part.kind == io::PartKind::particle ? 1 : 0;
  }
  r.expect("rigid bodies, mass points, constraints", "7, 4, 35",
           fmt::format("{}, {}, {}", rigid, points, car.model->nlambda), "equal",
           rigid == 7 && points == 4 && car.model->nlambda == 35);
  r.expect("degrees of freedom, inner states", "19, 2",
           fmt::format("{}, {}", car.model->nz - car.model->nlambda, car.model->nc), "equal",
           car.model->nz - car.model->nlambda == 19 && car.model->nc == 2);
  map_of_the_body(r, car);
  against_simulation(r, car, "A", kClassA_m3, true);
  if (!r.quick()) against_simulation(r, car, "C", kClassC_m3, false);
  const RideSystem seat = ride_of(car, 0.5, {"driver/acceleration/z"});
  const RandomVibration random(seat.system, seat.road, seat.wheels);
  using analysis::SensationFilter;
  const double in_time =
      SensationFilter::alpha * random.filtered_deviations({0}, SensationFilter::b1, SensationFilter::b0,
                                                          SensationFilter::c1, SensationFilter::c0)[0];
  const double in_frequency =
      SensationFilter::alpha * random.deviation_by_spectrum(0, 1e-8, SensationFilter::gain);
  r.below("perception at the seat in time (41) and frequency (39), relative difference", "equal",
          std::abs(in_time / in_frequency - 1), 1e-6, "");
  r.note("perception at the seat, class C, 20 m/s, coherence 0.5", "-", fmt::format("{:.2f}", in_time));
}

}  // namespace monocoque
