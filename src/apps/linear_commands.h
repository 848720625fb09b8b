#pragma once
// What the commands on linearised models share: the model at the chosen state, its eigenvalues as text and
// JSON.

#include "analysis/linear/linearise.h"
#include "analysis/linear/operating_point.h"
#include "apps/common.h"

namespace CLI {
class App;
}

namespace monocoque {

/// Where a model is linearised; both: a run, then the equilibrium near its end.
struct StateOptions {
  bool equilibrium = false;
  std::optional<double> at_s;
  std::string turning_with;  ///< part whose turning about the vertical the frame follows; empty: world axes
};
void add_state(CLI::App& app, StateOptions& o);

struct LinearModel {
  LoadedScenario loaded;
  std::unique_ptr<Simulation> run;
  analysis::Linearisation l;
  const Model& model() const { return *loaded.model; }
};

LinearModel linear_model(const std::string& scenario, const std::vector<std::string>& overrides,
                         const StateOptions& state);

/// "equilibrium", "at rest, not in equilibrium", "in motion".
std::string kind_of_state(const analysis::Linearisation& l);
/// One or two lines on what the linearisation holds for.
std::string remark_on_state(const analysis::Linearisation& l, double t);

/// The eigenvalues in the complex plane, both of each pair, as eigenvalues.svg in the folder of --plot.
void plot_eigenvalues(const std::string& model, const std::vector<analysis::ModelMode>& modes,
                      const std::string& folder);

nlohmann::ordered_json json_of_eigenvalue(const analysis::Eigenvalue& e);
/// Undamped and damped frequency, damping ratio, eigenvalue; fits eigenvalue_heading().
std::string eigenvalue_row(const analysis::Eigenvalue& e);
const char* eigenvalue_heading();

}  // namespace monocoque
