#pragma once
// A run of a model with all its channels in memory, found by their names.

#include <map>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "integrate/simulation.h"
#include "io/model/reader.h"

namespace monocoque::test {

class RecordedRun {
 public:
  explicit RecordedRun(const io::ScenarioSpec& spec) {
    const auto model = build_model(spec.model);
    Simulation simulation(*model, spec.simulation);
    for (const Channel& c : simulation.channels()) column_.emplace(c.path, column_.size());
    RunHooks hooks;
    hooks.record = [this](double t, const double* row) {
      times_.push_back(t);
      rows_.emplace_back(row, row + column_.size());
    };
    summary_ = simulation.run(hooks);
  }

  std::size_t size() const { return times_.size(); }
  double time(std::size_t i) const { return times_.at(i); }
  double value(std::size_t i, const std::string& path) const { return rows_.at(i).at(column_.at(path)); }
  Vec3 vector(std::size_t i, const std::string& path) const {
    return {value(i, path + "/x"), value(i, path + "/y"), value(i, path + "/z")};
  }
  Vec4 quaternion(std::size_t i, const std::string& part) const {
    const std::string path = part + "/orientation/q";
    return {value(i, path + "0"), value(i, path + "1"), value(i, path + "2"), value(i, path + "3")};
  }
  bool has(const std::string& path) const { return column_.count(path) > 0; }
  const RunSummary& summary() const { return summary_; }

 private:
  std::map<std::string, std::size_t> column_;
  std::vector<double> times_;
  std::vector<std::vector<double>> rows_;
  RunSummary summary_;
};

inline io::ScenarioSpec read_file(const std::string& path) {
  Diagnostics diagnostics;
  io::ScenarioSpec spec = io::read_scenario(path, element_library(), {}, diagnostics);
  diagnostics.throw_if_errors();
  return spec;
}

inline io::ScenarioSpec read_text(const std::string& text) {
  Diagnostics diagnostics;
  io::ScenarioSpec spec = io::read_scenario_text(text, "test.yaml", element_library(), {}, diagnostics);
  diagnostics.throw_if_errors();
  return spec;
}

}  // namespace monocoque::test
