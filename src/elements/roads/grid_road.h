#pragma once
// Heights on a regular grid of x and y, bicubic between (Catmull-Rom): through the given heights, gradient
// continuous, second derivatives jump at the lines of the grid. Beyond the grid the height of its border goes
// on and on_road is false. The heights stand in the model file or in a table:
//   first line: any word, then the y of each column; every other line: x, then the heights. Commas, blanks or
//   semicolons divide; # begins a comment. A height that is missing or no number is refused.

#include <string>
#include <vector>

#include "elements/road.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class GridRoad final : public Road {
 public:
  explicit GridRoad(const io::ParameterSet& p);
  void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept override;
  RoadExtent extent() const override;
  double shortest_wavelength_m() const override;
  std::string description() const override;

 private:
  struct Axis {
    double begin = 0, step = 1;
    std::size_t count = 0;
  };
  struct Table {
    std::vector<double> x, y, z;
  };
  static Table read_table(const std::string& path);
  static Axis axis(const io::ParameterSet& p, const std::string& field, const std::vector<double>& values);

  Axis x_, y_;
  double friction_;
  std::string source_;
  /// (x count + 2) x (y count + 2): one line around the grid, continued linearly.
  std::vector<double> z_;
};

}  // namespace monocoque
