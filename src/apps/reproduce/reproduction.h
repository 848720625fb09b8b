#pragma once
// One published experiment run again: a table of published and measured figures, plots, and a verdict.

#include <functional>
#include <string>
#include <vector>

#include "apps/common.h"
#include "integrate/simulation.h"
#include "results/svg_plot.h"

namespace monocoque {

struct ReproductionRow {
  std::string quantity, published, measured, bound;
  bool met = true;
};

/// Channels of a run in memory, by path.
struct RecordedRun {
  std::vector<double> t;
  std::vector<std::string> paths;
  std::vector<std::vector<double>> columns;
  RunSummary summary;

  const std::vector<double>& operator[](const std::string& path) const;  ///< throws Error for an unknown one
};
RecordedRun record_run(const Model& model, const io::SimulationSpec& settings);

class Reproduction {
 public:
  /// Makes the folder where it is missing.
  Reproduction(std::string folder, bool quick);

  /// A figure without a bound of its own.
  void note(const std::string& quantity, const std::string& published, const std::string& measured);
  /// A figure that must stay below its bound.
  void below(const std::string& quantity, const std::string& published, double measured, double bound,
             const std::string& unit);
  /// A statement that must hold.
  void expect(const std::string& quantity, const std::string& published, const std::string& measured,
              const std::string& bound, bool met);
  void plot(const std::string& name, const Plot& plot);
  void picture(const std::string& name, const std::string& svg);
  void say(const std::string& progress) const;  ///< one line on stderr
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  bool quick() const { return quick_; }  ///< a shorter run for tests

  const std::vector<ReproductionRow>& rows() const { return rows_; }
  const std::vector<std::string>& plots() const { return plots_; }
  bool met() const;

 private:
  std::string folder_;
  bool quick_;
  std::vector<ReproductionRow> rows_;
  std::vector<std::string> plots_;
};

struct Experiment {
  std::string name, source, doc;
  std::function<void(Reproduction&)> run;
};
/// The one list of all experiments.
const std::vector<Experiment>& experiments();

/// A file below the folder of models that belongs to this program: MONOCOQUE_MODELS, or the source tree's.
std::string shipped_model(const std::string& relative);

void reproduce_car_body(Reproduction& r);
void reproduce_comfort(Reproduction& r);
void reproduce_cornering(Reproduction& r);
void reproduce_double_lane_change(Reproduction& r);
void reproduce_double_pendulum(Reproduction& r);
void reproduce_front_rear(Reproduction& r);
void reproduce_manoeuvres(Reproduction& r);
void reproduce_performance(Reproduction& r);
void reproduce_slider_crank(Reproduction& r);
void reproduce_rolling_wheel(Reproduction& r);
void reproduce_van(Reproduction& r);
void reproduce_washboard(Reproduction& r);

}  // namespace monocoque
