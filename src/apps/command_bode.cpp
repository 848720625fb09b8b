// `monocoque bode`: transfer functions of a linearised model.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/linear/linear_system.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/linear_commands.h"
#include "apps/options.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

struct BodeOptions : ModelOptions, ResultOptions {
  std::vector<std::string> inputs, outputs;
  StateOptions state;
  double from_Hz = 0.1, to_Hz = 100;
  int points = 401;
};

struct TransferCurve {
  std::string name;
  std::vector<double> gain, phase_deg;  ///< phase without jumps
};

struct TransferTable {
  std::vector<double> frequency_Hz;
  std::vector<TransferCurve> curves;
};

TransferTable transfer_table(const analysis::LinearSystem& system, double from, double to, int points) {
  const analysis::FrequencyResponse response(system);
  TransferTable table;
  for (const analysis::LinearInput& u : system.inputs)
    for (const Channel& y : system.outputs)
      table.curves.push_back({fmt::format("{} / {}", y.path, u.name), {}, {}});
  for (int k = 0; k < points; ++k) {
    const double f = from * std::pow(to / from, points > 1 ? static_cast<double>(k) / (points - 1) : 0);
    table.frequency_Hz.push_back(f);
    const Eigen::MatrixXcd H = response.at({0, 2 * std::numbers::pi * f});
    for (Eigen::Index i = 0; i < H.size(); ++i) {  // outputs of the first input first
      TransferCurve& c = table.curves[static_cast<std::size_t>(i)];
      const std::complex<double> h = H.data()[i];
      double phase = std::arg(h) * 180 / std::numbers::pi;
      if (!c.phase_deg.empty()) phase += 360 * std::round((c.phase_deg.back() - phase) / 360);
      c.gain.push_back(std::abs(h));
      c.phase_deg.push_back(phase);
    }
  }
  return table;
}

/// Two pictures, one below the other.
std::string bode_picture(const TransferTable& table, const std::string& title, const std::string& unit) {
  Plot gain{title, "frequency / Hz", fmt::format("gain / {}", unit), {}, true, true};
  Plot phase{"", "frequency / Hz", "phase / deg", {}, true, false};
  gain.height = 360;
  phase.height = 280;
  for (const TransferCurve& c : table.curves) {
    gain.series.push_back({c.name, table.frequency_Hz, c.gain});
    phase.series.push_back({"", table.frequency_Hz, c.phase_deg});
  }
  return stacked_svg({gain, phase});
}

int execute(const BodeOptions& o) {
  if (!(o.to_Hz > o.from_Hz))
    throw Error("--to", fmt::format("{} Hz is not above --from, {} Hz", o.to_Hz, o.from_Hz));
  LinearModel m = linear_model(o.scenario, o.overrides, o.state);
  const std::vector<analysis::LinearInput> inputs =
      analysis::choose_inputs(m.loaded.spec.model, m.model(), o.inputs);
  OutputSet outputs(m.model(), o.outputs, linear_solver_kind(m.run->settings().linear_solver),
                    Place{"--output"});
  const analysis::LinearSystem system =
      analysis::linear_system(m.run->workspace(), m.run->state(), m.l, inputs, outputs);
  const TransferTable table = transfer_table(system, o.from_Hz, o.to_Hz, o.points);
  std::string unit = "1";
  if (table.curves.size() == 1)
    unit = fmt::format("{} per {}", system.outputs[0].unit, system.inputs[0].unit);
  if (!o.plot.empty())
    io::write_text_file(figure_path(o.plot, "bode.svg"), bode_picture(table, m.model().name, unit));
  if (!o.output.empty()) {
    std::string text = "frequency_Hz";
    for (const TransferCurve& c : table.curves)
      text += fmt::format(",\"{0} gain\",\"{0} phase_deg\"", c.name);
    text += '\n';
    for (std::size_t k = 0; k < table.frequency_Hz.size(); ++k) {
      text += fmt::format("{:.12g}", table.frequency_Hz[k]);
      for (const TransferCurve& c : table.curves)
        text += fmt::format(",{:.12g},{:.12g}", c.gain[k], c.phase_deg[k]);
      text += '\n';
    }
    io::write_text_file(o.output, text);
  }
  if (o.json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < table.curves.size(); ++i) {
      const std::size_t u = i / system.outputs.size(), y = i % system.outputs.size();
      list.push_back({{"input", system.inputs[u].name},
                      {"input_unit", system.inputs[u].unit},
                      {"output", system.outputs[y].path},
                      {"output_unit", system.outputs[y].unit},
                      {"gain", table.curves[i].gain},
                      {"phase_deg", table.curves[i].phase_deg}});
    }
    const Json json = {{"model", m.model().name},
                       {"time_s", json_number(m.run->state().t)},
                       {"state", kind_of_state(m.l)},
                       {"frequency_Hz", table.frequency_Hz},
                       {"responses", list}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}", remark_on_state(m.l, m.run->state().t));
  const std::size_t shown = 21, n = table.frequency_Hz.size(), stride = std::max<std::size_t>(1, n / shown);
  for (std::size_t i = 0; i < table.curves.size(); ++i) {
    const TransferCurve& c = table.curves[i];
    const std::size_t u = i / system.outputs.size(), y = i % system.outputs.size();
    fmt::print("\n{} [{} per {}]\nfrequency [Hz]            gain   phase [deg]\n", c.name,
               system.outputs[y].unit, system.inputs[u].unit);
    const std::size_t peak =
        static_cast<std::size_t>(std::max_element(c.gain.begin(), c.gain.end()) - c.gain.begin());
    for (std::size_t k = 0; k < n; ++k)
      if (k % stride == 0 || k + 1 == n || k == peak)
        fmt::print("{:14.5g}  {:14.6g}  {:12.2f}{}\n", table.frequency_Hz[k], c.gain[k], c.phase_deg[k],
                   k == peak ? "  largest" : "");
  }
  if (!o.quiet && o.plot.empty())
    fmt::print(stderr, "next: --plot FOLDER draws it; -o FILE.csv has all points\n");
  return 0;
}

void declare(CLI::App& app, BodeOptions& o) {
  add_model(app, o);
  app.add_option("--input", o.inputs, "input or pattern, as of linearize; repeatable")
      ->delimiter(',')
      ->required();
  app.add_option("--output", o.outputs, "channel or pattern; repeatable")->delimiter(',')->required();
  app.add_option("--from", o.from_Hz, "lowest frequency, Hz; 0.1")->check(CLI::PositiveNumber);
  app.add_option("--to", o.to_Hz, "highest frequency, Hz; 100")->check(CLI::PositiveNumber);
  app.add_option("--points", o.points, "frequencies; 401")->check(CLI::Range(2, 100000));
  add_state(app, o.state);
  // --output names the system's output here, so the file has -o alone.
  app.add_option("-o,--csv", o.output, "gain and phase at all frequencies (CSV)");
  add_plot(app, o.plot, "folder for gain and phase (bode.svg)");
  add_print(app, o);
}

}  // namespace

Command bode_command() {
  return make_command("bode", "transfer functions from inputs to outputs of a model", declare, execute);
}

}  // namespace monocoque
