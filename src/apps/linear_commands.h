#pragma once
// What the commands on linearised models share: the model at the chosen state, its eigenvalues as text and
// JSON.

#include "analysis/linear/linearise.h"
#include "analysis/linear/operating_point.h"
#include "apps/commands.h"
#include "apps/common.h"

namespace monocoque {

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

/// The eigenvalues in their plane, both of each pair, as SVG file.
void plot_eigenvalues(const std::string& model, const std::vector<analysis::ModelMode>& modes,
                      const std::string& path);

nlohmann::ordered_json json_of_eigenvalue(const analysis::Eigenvalue& e);
/// Undamped and damped frequency, damping ratio, eigenvalue; fits eigenvalue_heading().
std::string eigenvalue_row(const analysis::Eigenvalue& e);
const char* eigenvalue_heading();

}  // namespace monocoque
