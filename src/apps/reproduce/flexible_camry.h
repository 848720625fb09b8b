#pragma once
// What the experiments on the flexible Camry share: its two variants from one file, and pictures of its body.

#include <functional>

#include "apps/reproduce/reproduction.h"
#include "io/body/body_shapes.h"

namespace monocoque {

enum class Body { rigid, flexible };

/// A scenario below models/camry/scenarios; the rigid variant has mass and inertia of the same body.
LoadedScenario load_camry(const std::string& scenario, Body body, std::vector<std::string> overrides = {});

/// Surface and shapes of the body of models/camry/car-flexible.yaml, in the very coordinates of its file.
io::BodyShapes camry_shapes();

/// Elastic coordinates of the car at the recorded instant nearest to t.
VecX elastic_coordinates(const RecordedRun& run, double t);

/// The six elastic coordinates that are largest by this measure of their history.
void plot_elastic_coordinates(Reproduction& r, const RecordedRun& run, const std::string& title,
                              const std::function<double(const std::vector<double>&)>& size_of);

/// Pictures of the deformed body at these instants, 4 in a row, one colour bar for all.
struct BodySheet {
  std::string name, title;
  std::vector<double> times_s;
  double high_mm = 1;         ///< end of the colour bar
  double magnification = 50;  ///< of the drawn deformation
};
void draw_body_sheet(Reproduction& r, const RecordedRun& run, const io::BodyShapes& shapes,
                     const BodySheet& sheet);

}  // namespace monocoque
