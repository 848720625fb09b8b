#include "apps/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/version.h"

namespace monocoque::bench {

Cell::Cell(double number, const std::string& format)
    : text(std::isfinite(number) ? fmt::format(fmt::runtime(format), number) : "-"),
      value(json_number(number)) {}

std::string Table::markdown() const {
  std::vector<std::size_t> width(columns.size());
  std::vector<bool> numeric(columns.size(), true);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    width[c] = std::max<std::size_t>(columns[c].size(), 3);
    for (const std::vector<Cell>& row : rows) {
      width[c] = std::max(width[c], row[c].text.size());
      if (row[c].value.is_string() && row[c].text != "-") numeric[c] = false;
    }
  }
  std::string out = fmt::format("### {}\n\n|", title);
  for (std::size_t c = 0; c < columns.size(); ++c) out += fmt::format(" {:<{}} |", columns[c], width[c]);
  out += "\n|";
  for (std::size_t c = 0; c < columns.size(); ++c)
    out += fmt::format(" {:-<{}}{} |", "", width[c] - (numeric[c] ? 1 : 0), numeric[c] ? ":" : "");
  for (const std::vector<Cell>& row : rows) {
    out += "\n|";
    for (std::size_t c = 0; c < columns.size(); ++c)
      out += numeric[c] ? fmt::format(" {:>{}} |", row[c].text, width[c])
                        : fmt::format(" {:<{}} |", row[c].text, width[c]);
  }
  out += '\n';
  if (!note.empty()) out += '\n' + note + '\n';
  return out;
}

nlohmann::ordered_json Table::json() const {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : rows) {
    nlohmann::ordered_json line;
    for (std::size_t c = 0; c < columns.size(); ++c) line[columns[c]] = row[c].value;
    lines.push_back(line);
  }
  return {{"title", title}, {"rows", lines}, {"note", note}};
}

void Bench::say(const std::string& progress) const {
  if (!command_.quiet) figures_.say(progress);
}

void Bench::at_most(const std::string& quantity, const std::string& published, double measured, double bound,
                    const std::string& unit) {
  const auto text = [&](double v) { return fmt::format("{:.3g}{}{}", v, unit.empty() ? "" : " ", unit); };
  figures_.expect(quantity, published, text(measured), "<= " + text(bound), measured <= bound);
}

void Bench::at_least(const std::string& quantity, const std::string& published, double measured,
                     double bound) {
  figures_.expect(quantity, published, fmt::format("{:.3g}", measured), fmt::format(">= {:g}", bound),
                  measured >= bound);
}

void Bench::time_at_most(const std::string& quantity, const std::string& published, double measured,
                         double bound, const std::string& unit) {
  if (!quick()) return at_most(quantity, published, measured, bound, unit);
  figures_.note(quantity, published, fmt::format("{:.3g}{}{}", measured, unit.empty() ? "" : " ", unit));
}

void Bench::time_at_least(const std::string& quantity, const std::string& published, double measured,
                          double bound) {
  if (!quick()) return at_least(quantity, published, measured, bound);
  figures_.note(quantity, published, fmt::format("{:.3g}", measured));
}

void Bench::check_interrupt() const {
  if (interrupt_requested()) throw Error("bench", "interrupted", "");
}

const std::vector<Part>& parts() {
  static const std::vector<Part> list = {
      {"table", "figure 5.15 of the dissertation: five models of the Camry", figure_5_15},
      {"modes", "cost against the number of elastic coordinates", cost_by_modes},
      {"units", "cost against the number of units of a road train", cost_by_units},
      {"step-size", "cost against the step size", cost_by_step},
      {"solve", "factorisation and solution, structured against dense", linear_solvers},
      {"phases", "where the time of a step goes, operations, share of the machine's peak", phases},
      {"spread", "median and rarest steps of a long drive", spread},
      {"couplings", "what compressed or neglected inertia couplings change and save", couplings},
      {"frontier", "error against real-time factor, every method and step size", frontier},
  };
  return list;
}

nlohmann::ordered_json machine() {
  std::string processor = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  return {{"processor", processor},         {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"compiler", MONOCOQUE_COMPILER}, {"flags", MONOCOQUE_COMPILE_FLAGS},
          {"version", version()},           {"commit", git_commit()}};
}

}  // namespace monocoque::bench
