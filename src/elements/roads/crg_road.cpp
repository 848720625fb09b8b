// An OpenCRG file as a road. The surface is bilinear within a cell of its grid: height continuous, gradient
// and second derivatives those of the cell, jumping at its borders; a point on a border belongs to the cell
// behind it (greater u, greater v).

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "elements/roads/crg_surface.h"
#include "elements/roads/road_fields.h"
#include "io/files/text_source.h"

namespace monocoque {

namespace {

CrgModifierUse use_of(const std::string& name) {
  return name == "none"       ? CrgModifierUse::none
         : name == "standard" ? CrgModifierUse::standard
                              : CrgModifierUse::file;
}

class CrgRoad final : public Road {
 public:
  explicit CrgRoad(const io::ParameterSet& p)
      : path_(io::beside(p.place("file").file, p.text("file"))),
        surface_(io::read_crg(path_), use_of(p.text("modifiers"))),
        friction_(p.number("friction")) {}

  void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept override {
    CrgPosition at;
    surface_.line().locate(x, y, hint.index, at);
    CrgHeight h;
    const bool known = surface_.height(at.u, at.v, h);
    out = RoadSample{};
    out.z = h.z;
    out.z_x = h.z_u * at.u_x + h.z_v * at.v_x;
    out.z_y = h.z_u * at.u_y + h.z_v * at.v_y;
    out.z_xx = h.z_uu * at.u_x * at.u_x + 2 * h.z_uv * at.u_x * at.v_x + h.z_u * at.u_xx;
    out.z_xy = h.z_uu * at.u_x * at.u_y + h.z_uv * (at.u_x * at.v_y + at.u_y * at.v_x) + h.z_u * at.u_xy;
    out.z_yy = h.z_uu * at.u_y * at.u_y + 2 * h.z_uv * at.u_y * at.v_y + h.z_u * at.u_yy;
    out.mu = friction_;
    out.on_road = known && h.inside;
  }

  RoadExtent extent() const override {
    const CrgLine& line = surface_.line();
    RoadExtent e{INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (std::size_t i = 0; i < line.points().size(); ++i)
      for (const double v : {surface_.v().front(), surface_.v().back()}) {
        const CrgLine::Point p = line.position(line.u_begin() + static_cast<double>(i) * line.step(), v);
        e.x_min = std::min(e.x_min, p.x);
        e.x_max = std::max(e.x_max, p.x);
        e.y_min = std::min(e.y_min, p.y);
        e.y_max = std::max(e.y_max, p.y);
      }
    return e;
  }

  double shortest_wavelength_m() const override { return 2 * surface_.line().step(); }

  std::string description() const override {
    return fmt::format("OpenCRG road {}, {:.6g} m long, {:.4g} m wide", path_,
                       surface_.line().u_end() - surface_.line().u_begin(),
                       surface_.v().back() - surface_.v().front());
  }

 private:
  std::string path_;
  CrgSurface surface_;
  double friction_;
};

}  // namespace

ElementType<Road> opencrg_road_type() {
  using namespace fields;
  return road<CrgRoad>("opencrg", "surface of an OpenCRG file",
                       {text("file", "path of the .crg file, from this file", "models/roads/example.crg"),
                        choice("modifiers",
                               "file: those of the file, missing heights filled sideways; standard: as "
                               "ASAM's tools, which move a road "
                               "without modifiers to the origin; none",
                               "file", "file", {"file", "standard", "none"}),
                        friction()});
}

}  // namespace monocoque
