#include "elements/roads/road_types.h"

#include <fmt/format.h>

#include "elements/roads/friction_patch.h"

namespace monocoque {

namespace {

class StackedRoad final : public Road {
 public:
  explicit StackedRoad(std::vector<std::unique_ptr<const Road>> layers) : owned_(std::move(layers)) {
    for (std::size_t i = 1; i < owned_.size(); ++i)
      layers_.push_back({owned_[i].get(), dynamic_cast<const FrictionPatch*>(owned_[i].get())});
  }

  void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept override {
    owned_.front()->sample(x, y, hint, out);
    for (const Layer& layer : layers_) {
      if (layer.patch) {
        layer.patch->cover(x, y, out);
        continue;
      }
      // The hint belongs to the base; a layer that searches pays for its search.
      RoadHint none;
      RoadSample s;
      layer.road->sample(x, y, none, s);
      out.z += s.z;
      out.z_x += s.z_x;
      out.z_y += s.z_y;
      out.z_xx += s.z_xx;
      out.z_xy += s.z_xy;
      out.z_yy += s.z_yy;
      out.mu_x = out.mu_x * s.mu + out.mu * s.mu_x;
      out.mu_y = out.mu_y * s.mu + out.mu * s.mu_y;
      out.mu *= s.mu;
    }
  }

  RoadExtent extent() const override { return owned_.front()->extent(); }

  double shortest_wavelength_m() const override {
    double shortest = 0;
    for (const auto& road : owned_) {
      const double own = road->shortest_wavelength_m();
      if (own > 0 && (shortest == 0 || own < shortest)) shortest = own;
    }
    return shortest;
  }

  std::string description() const override {
    std::string text = owned_.front()->description();
    for (const Layer& layer : layers_) text += "; " + layer.road->description();
    return text;
  }

 private:
  struct Layer {
    const Road* road;
    const FrictionPatch* patch;  ///< null: heights are added
  };
  std::vector<std::unique_ptr<const Road>> owned_;
  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<const Road> make_road(const std::string& type, const io::ParameterSet& parameters) {
  std::vector<std::string> names;
  for (const ElementType<Road>& t : road_types()) {
    if (t.info.name == type) return t.make(parameters);
    names.push_back(t.info.name);
  }
  throw Error("road", fmt::format("there is no road type '{}'", type), suggestion(type, names));
}

std::unique_ptr<const Road> stack_roads(std::vector<std::unique_ptr<const Road>> layers) {
  if (layers.empty()) throw Error("road", "it has no entry", "begin with one of type flat");
  if (layers.size() == 1) return std::move(layers.front());
  return std::make_unique<StackedRoad>(std::move(layers));
}

}  // namespace monocoque
