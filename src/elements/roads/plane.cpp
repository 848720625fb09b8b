// Flat and sloping planes: z = height + grade s + bank n, s along the heading, n to its left.

#include <cmath>

#include <fmt/format.h>

#include "elements/roads/road_fields.h"

namespace monocoque {

namespace {

class PlaneRoad : public Road {
 public:
  void sample(double x, double y, RoadHint&, RoadSample& out) const noexcept override {
    out = RoadSample{};
    out.z = height_ + z_x_ * x + z_y_ * y;
    out.z_x = z_x_;
    out.z_y = z_y_;
    out.mu = friction_;
  }
  std::string description() const override {
    return z_x_ == 0 && z_y_ == 0 ? fmt::format("flat road at z = {} m", height_)
                                  : fmt::format("plane with gradient ({:.4g}, {:.4g})", z_x_, z_y_);
  }

 protected:
  double height_ = 0, z_x_ = 0, z_y_ = 0, friction_ = 1;
};

class FlatRoad final : public PlaneRoad {
 public:
  explicit FlatRoad(const io::ParameterSet& p) {
    height_ = p.number("height_m");
    friction_ = p.number("friction");
  }
};

class SlopeRoad final : public PlaneRoad {
 public:
  explicit SlopeRoad(const io::ParameterSet& p) {
    const double c = std::cos(p.number("heading_rad")), s = std::sin(p.number("heading_rad"));
    const double grade = p.number("grade"), bank = p.number("bank");
    height_ = p.number("height_m");
    friction_ = p.number("friction");
    z_x_ = grade * c - bank * s;
    z_y_ = grade * s + bank * c;
  }
};

}  // namespace

ElementType<Road> flat_road_type() {
  using namespace fields;
  return road<FlatRoad>("flat", "horizontal plane", {number("height_m", "height", "0", "0.12"), friction()});
}

ElementType<Road> slope_road_type() {
  using namespace fields;
  return road<SlopeRoad>("slope", "inclined plane through (0, 0, height)",
                         {number("grade", "rise per length along the heading; 0.1 is 10 %", "0", "0.08"),
                          number("bank", "rise per length to the left", "0", "-0.03"), heading(),
                          number("height_m", "height at the origin", "0", "0.12"), friction()});
}

}  // namespace monocoque
