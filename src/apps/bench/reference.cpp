#include "apps/bench/reference.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/spectrum.h"
#include "io/files/text_source.h"
#include "solve/acceleration_system.h"

namespace monocoque::bench {

namespace {

constexpr double kWindow_s = 2;
constexpr double kLow_Hz = 11, kHigh_Hz = 40;
constexpr const char* kDome = "RL/dome/z";
constexpr double kReferenceStep_s = 6.25e-5;
constexpr const char* kReferenceMethod = "linearly-implicit-2";
constexpr const char* kSecondMethod = "bdf2";
constexpr double kSameProbe = 1e-7;

double sample_of(const RecordedRun& run) {
  return (run.t.back() - run.t.front()) / static_cast<double>(run.t.size() - 1);
}

std::vector<Deviation> compare_spectra(const RecordedRun& run, const RecordedRun& reference) {
  const auto of = [](const RecordedRun& r) { return welch(r[kDome], sample_of(r), kWindow_s); };
  const Spectrum a = of(run), b = of(reference);
  const measure::LineDeviation line = measure::largest_line_deviation(a, b, kLow_Hz, kHigh_Hz);
  std::vector<Deviation> out = {{"largest of a line, 11 to 40 Hz", "dB", line.dB},
                                {"at", "Hz", line.frequency_Hz}};
  for (const auto& [from, to] : {std::pair{11.0, 20.0}, std::pair{20.0, 30.0}, std::pair{30.0, 40.0}}) {
    const double dB = level_difference_dB(a, b, from, to);
    out.push_back({fmt::format("band {:g} to {:g} Hz", from, to), "dB", dB});
  }
  return out;
}

/// Largest distance of the places of the car body at equal times.
std::vector<Deviation> compare_paths(const RecordedRun& run, const RecordedRun& reference) {
  double worst = 0, yaw = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < run.t.size(); ++i) {
    while (k < reference.t.size() && reference.t[k] < run.t[i] - 1e-9) ++k;
    if (k == reference.t.size() || std::abs(reference.t[k] - run.t[i]) > 1e-9) continue;
    worst = std::max(worst, std::hypot(run["place/x"][i] - reference["place/x"][k],
                                       run["place/y"][i] - reference["place/y"][k]));
    yaw = std::max(yaw, std::abs(run["turning/z"][i] - reference["turning/z"][k]));
  }
  return {{"largest distance of the trajectories", "m", worst}, {"largest of the yaw rate", "rad/s", yaw}};
}

/// Values at the end: loads, spring deflections and the yaw rate.
std::vector<Deviation> compare_steady(const RecordedRun& run, const RecordedRun& reference) {
  double worst = 0;
  const auto relative = [&](const std::string& path) {
    const double deviation = std::abs(run[path].back() / reference[path].back() - 1);
    worst = std::max(worst, deviation);
    return deviation;
  };
  const double yaw = relative("turning/z");
  for (const char* corner : {"FL", "FR", "RL", "RR"}) {
    relative(fmt::format("{}/deflection", corner));
    relative(fmt::format("{}/tire/load", corner));
  }
  return {{"largest of a steady value", "", worst}, {"of the yaw rate", "", yaw}};
}

/// Texts of all models of the folder: any of them may be part of the manoeuvre.
std::size_t text_of_models() {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  const fs::path scenario = shipped_model("camry/scenarios/straight.yaml");
  for (const auto& entry : fs::recursive_directory_iterator(scenario.parent_path().parent_path()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::string all;
  for (const std::string& file : files) all += io::read_text_file(file);
  return std::hash<std::string>{}(all);
}

/// What the program makes of the model: accelerations where all velocities and elastic coordinates differ a
/// little from those of the start. A change of any law, mass or stiffness shows here.
VecX probe(const Model& model) {
  Workspace ws(model);
  State s = initial_state(model);
  for (Eigen::Index i = 0; i < s.z.size(); ++i) s.z[i] += 1e-2 * std::sin(1.0 + static_cast<double>(i));
  AccelerationSystem system(model, LinearSolverKind::automatic);
  VecX z_dot = VecX::Zero(model.nz);
  if (!system.solve(ws, s, {}, 20, z_dot)) z_dot.setZero();
  return z_dot;
}

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<Deviation>& list) {
  Json out = Json::array();
  for (const Deviation& d : list) out.push_back({d.name, d.unit, d.value});
  return out;
}
std::vector<Deviation> deviations_from(const Json& list) {
  std::vector<Deviation> out;
  for (const Json& d : list) out.push_back({d[0], d[1], d[2]});
  return out;
}

Json to_json(const RecordedRun& run) {
  return {{"t", run.t}, {"paths", run.paths}, {"columns", run.columns}};
}
RecordedRun run_from(const Json& json) {
  RecordedRun run;
  json.at("t").get_to(run.t);
  json.at("paths").get_to(run.paths);
  json.at("columns").get_to(run.columns);
  return run;
}

/// False: not there, damaged, or of another model.
bool read_kept(const std::string& path, std::size_t text, const VecX& expected, const std::string& recipe,
               Reference& out) {
  std::ifstream in(path);
  if (!in) return false;
  try {
    const Json json = Json::parse(in);
    const auto kept = json.at("probe").get<std::vector<double>>();
    const Eigen::Map<const VecX> was(kept.data(), static_cast<Eigen::Index>(kept.size()));
    if (json.at("text").get<std::size_t>() != text || json.at("recipe") != recipe ||
        was.size() != expected.size() || !((was - expected).norm() <= kSameProbe * expected.norm()))
      return false;
    out.run = run_from(json.at("run"));
    out.by_step = deviations_from(json.at("by_step"));
    out.by_method = deviations_from(json.at("by_method"));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

const std::vector<Manoeuvre>& manoeuvres() {
  static const std::vector<Manoeuvre> list = {
      {"cornering",
       "cornering-flexible.yaml",
       15,
       5,
       {"turning/z", "*/deflection", "*/tire/load"},
       0.01,
       compare_steady},
      {"double-lane-change",
       "double-lane-change-open-loop.yaml",
       5,
       2.5,
       {"place/*", "turning/z"},
       0.01,
       compare_paths},
      {"washboard", "washboard-flexible.yaml", 7, 4, {kDome}, 0.002, compare_spectra},
  };
  return list;
}

const Manoeuvre& find_manoeuvre(const std::string& name) {
  std::vector<std::string> names;
  for (const Manoeuvre& m : manoeuvres()) {
    if (m.name == name) return m;
    names.push_back(m.name);
  }
  throw Error("--manoeuvre", fmt::format("there is no manoeuvre '{}'", name),
              fmt::format("{} known: {}", suggestion(name, names), fmt::join(names, ", ")));
}

io::SimulationSpec settings_for(const Manoeuvre& m, const io::SimulationSpec& given, bool quick) {
  io::SimulationSpec s = given;
  s.end_s = quick ? m.quick_end_s : m.end_s;
  s.outputs = m.outputs;
  s.output_step_s = m.sample_s;
  s.step_given = true;
  return s;
}

Reference reference_for(const Bench& bench, const Manoeuvre& m, const LoadedScenario& car) {
  const double step = (bench.quick() ? 8 : 1) * kReferenceStep_s;
  Reference out;
  out.recipe = fmt::format("{} at {:g} ms, simplified Jacobian", kReferenceMethod, 1e3 * step);
  const VecX expected = probe(*car.model);
  const std::size_t text = text_of_models();
  const std::string folder = cache_folder();
  const std::string path =
      fmt::format("{}/reference-{}{}.json", folder, m.name, bench.quick() ? "-quick" : "");
  if (read_kept(path, text, expected, out.recipe, out)) return out;
  const auto drive = [&](const char* method, double h) {
    bench.say(fmt::format("reference of {}: {} at {:g} ms (once)", m.name, method, 1e3 * h));
    io::SimulationSpec s = settings_for(m, car.spec.simulation, bench.quick());
    s.solver = method;
    s.step_s = h;
    s.jacobian = "simplified";
    s.linear_solver = "structured";
    s.constraints = s.stabilisation = "";
    return record_run(*car.model, s);
  };
  out.run = drive(kReferenceMethod, step);
  out.by_step = m.compare(drive(kReferenceMethod, 2 * step), out.run);
  out.by_method = m.compare(drive(kSecondMethod, step), out.run);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::vector<double> kept(expected.begin(), expected.end());
  std::ofstream(path) << Json{{"recipe", out.recipe},
                              {"text", text},
                              {"probe", kept},
                              {"by_step", to_json(out.by_step)},
                              {"by_method", to_json(out.by_method)},
                              {"run", to_json(out.run)}}
                             .dump()
                      << '\n';
  return out;
}

}  // namespace monocoque::bench
