// The washboard track (dissertation 5.3.1): the flexible body beside the rigid one of equal mass and inertia.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "apps/reproduce/flexible_camry.h"
#include "core/spectrum.h"

namespace monocoque {

namespace {

constexpr std::array kCorners = {"FL", "FR", "RL", "RR"};
constexpr double kWindow_s = 2, kSample_s = 0.002;
/// Instants of the document's pictures of its first bumps, and the time by which ours come later: its track
/// begins elsewhere (first bump under the front wheels at 0.80 s, here at 1.34 s).
constexpr double kFirstPicture_s = 0.80, kPictureStep_s = 0.01, kLater_s = 0.54;
constexpr int kPictures = 16;

RecordedRun drive(const Reproduction& r, Body body, const std::vector<std::string>& overrides,
                  double step_s) {
  const LoadedScenario car = load_camry("washboard-flexible.yaml", body, overrides);
  r.say(fmt::format("{}, step {:g} ms", body == Body::rigid ? "rigid" : "flexible", 1e3 * step_s));
  io::SimulationSpec s = car.spec.simulation;
  s.step_s = step_s;
  s.step_given = true;
  s.end_s = 7;
  s.output_step_s = kSample_s;
  s.outputs = {"*/dome/*", "car/acceleration/*", "speed/*", "energy/*"};
  if (body == Body::flexible) s.outputs.insert(s.outputs.end(), {"car/elastic/*", "car/*/stress/von_mises"});
  return record_run(*car.model, s);
}

Spectrum spectrum(const RecordedRun& run, const std::string& path) {
  return welch(run[path], kSample_s, kWindow_s);
}
std::string dome(std::size_t corner) {
  return fmt::format("{}/dome/z", kCorners[corner]);
}

double mean_of(double a, double b) {
  return 0.5 * (a + b);
}

void compare(Reproduction& r, const RecordedRun& flexible, const RecordedRun& rigid) {
  const auto level = [&](const std::string& path, double from, double to) {
    return level_difference_dB(spectrum(flexible, path), spectrum(rigid, path), from, to);
  };
  const double body = level("car/acceleration/z", 11, 50);
  r.expect("power of the car body's vertical acceleration, 11 to 50 Hz, flexible over rigid",
           "nearly identical", fmt::format("{:+.2f} dB", body), "within 1 dB", std::abs(body) < 1);
  std::array<double, 4> high{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double low = level(dome(i), 11, 20);
    high[i] = level(dome(i), 20, 30);
    r.expect(fmt::format("dome {}: the same, 11 to 20 Hz", kCorners[i]), "alike",
             fmt::format("{:+.2f} dB", low), "within 2 dB", std::abs(low) < 2);
    if (i >= 2)
      r.expect(fmt::format("dome {}: the same, 20 to 30 Hz", kCorners[i]), "clearly above",
               fmt::format("{:+.2f} dB", high[i]), "> 3 dB", high[i] > 3);
    else
      r.note(fmt::format("dome {}: the same, 20 to 30 Hz", kCorners[i]), "above, less than at the rear",
             fmt::format("{:+.2f} dB", high[i]));
    r.note(fmt::format("dome {}: the same, 20 to 50 Hz", kCorners[i]), "-",
           fmt::format("{:+.2f} dB", level(dome(i), 20, 50)));
  }
  const double more = mean_of(high[2], high[3]) - mean_of(high[0], high[1]);
  r.expect("rear domes over front domes, 20 to 30 Hz", "rear more than front",
           fmt::format("{:+.2f} dB", more), "> 0 dB", more > 0);
}

void draw(Reproduction& r, const RecordedRun& flexible, const RecordedRun& rigid) {
  Plot time{"Vertical acceleration of the rear left dome", "t / s", "m/s^2", {}};
  time.series.push_back({"flexible", flexible.t, flexible[dome(2)]});
  time.series.push_back({"rigid", rigid.t, rigid[dome(2)], true});
  r.plot("dome-RL", time);
  const auto density = [&](const std::string& name, const std::string& title, const std::string& path) {
    Plot p{title, "frequency / Hz", "(m/s^2)^2/Hz", {}, false, true};
    for (const auto& [label, run] : {std::pair{"flexible", &flexible}, std::pair{"rigid", &rigid}}) {
      const Spectrum s = spectrum(*run, path);
      PlotSeries line{label, {}, {}};
      for (std::size_t i = 0; i < s.frequency_Hz.size() && s.frequency_Hz[i] <= 60; ++i)
        if (s.frequency_Hz[i] >= 1) {
          line.x.push_back(s.frequency_Hz[i]);
          line.y.push_back(s.density[i]);
        }
      p.series.push_back(line);
    }
    r.plot(name, p);
  };
  density("psd-car", "Power spectral density, car body", "car/acceleration/z");
  for (std::size_t i = 0; i < 4; ++i)
    density(fmt::format("psd-dome-{}", kCorners[i]),
            fmt::format("Power spectral density, dome {}", kCorners[i]), dome(i));
  plot_elastic_coordinates(r, flexible, "Elastic coordinates that move most", [](const auto& q) {
    const auto [low, high] = std::minmax_element(q.begin(), q.end());
    return *high - *low;
  });
  Plot stress{"Stress beside the domes and at the foot of the B pillar", "t / s", "Pa (von Mises)", {}};
  for (const auto& [node, name] :
       {std::pair{3400, "corner of the dome RL"}, std::pair{741, "foot of the B pillar"},
        std::pair{3228, "corner of the dome FL"}})
    stress.series.push_back({name, flexible.t, flexible[fmt::format("car/node_{}/stress/von_mises", node)]});
  r.plot("stress", stress);
  BodySheet sheet{"deformed-body", "Washboard: deformation of the body on the first bumps", {}, 0.5, 60};
  for (int i = 0; i < kPictures; ++i)
    sheet.times_s.push_back(kFirstPicture_s + kLater_s + i * kPictureStep_s);
  draw_body_sheet(r, flexible, camry_shapes(), sheet);
}

}  // namespace

void reproduce_washboard(Reproduction& r) {
  const double step = r.quick() ? 2e-3 : 1e-3;
  const RecordedRun rigid = drive(r, Body::rigid, {}, step), flexible = drive(r, Body::flexible, {}, step);
  compare(r, flexible, rigid);
  r.below("energy audit of the flexible run", "-", flexible.summary.energy_error, 1e-3, "");
  r.note("real-time factor, flexible and rigid, at the same step", "-",
         fmt::format("{:.3g}, {:.3g}", flexible.summary.wall_s / flexible.summary.simulated_s,
                     rigid.summary.wall_s / rigid.summary.simulated_s));
  if (!r.quick()) {
    const RecordedRun stiff = drive(r, Body::flexible, {"parts.car.stiffness_factor=100"}, step);
    for (std::size_t i = 0; i < 4; ++i) {
      const double left = level_difference_dB(spectrum(stiff, dome(i)), spectrum(rigid, dome(i)), 11, 50);
      r.expect(fmt::format("dome {}, 11 to 50 Hz: body 100 times as stiff over rigid", kCorners[i]), "-",
               fmt::format("{:+.3f} dB", left), "within 0.5 dB", std::abs(left) < 0.5);
    }
    const RecordedRun fine = drive(r, Body::flexible, {}, 0.5 * step);
    double worst = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (const auto& [from, to] : {std::pair{11.0, 20.0}, std::pair{20.0, 30.0}, std::pair{30.0, 40.0}})
        worst = std::max(worst, std::abs(level_difference_dB(spectrum(flexible, dome(i)),
                                                             spectrum(fine, dome(i)), from, to)));
    r.below("largest change of a dome's band (11-20, 20-30, 30-40 Hz) by half the step", "-", worst, 0.5,
            "dB");
  }
  draw(r, flexible, rigid);
}

}  // namespace monocoque
