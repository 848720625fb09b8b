#include "apps/reproduce/flexible_camry.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/mesh_picture.h"

namespace monocoque {

namespace {

std::string without_declaration(const std::string& svg) {
  return svg.substr(svg.find("<svg"));
}

}  // namespace

LoadedScenario load_camry(const std::string& scenario, Body body, std::vector<std::string> overrides) {
  if (body == Body::rigid) overrides.emplace_back("parts.car.elasticity=off");
  return load_scenario(shipped_model("camry/scenarios/" + scenario), overrides);
}

io::BodyShapes camry_shapes() {
  return io::read_body_shapes(shipped_model("camry/camry-body-40-shapes.h5"));
}

VecX elastic_coordinates(const RecordedRun& run, double t) {
  const auto it = std::lower_bound(run.t.begin(), run.t.end(), t - 1e-9);
  const auto i =
      static_cast<std::size_t>(std::min(it - run.t.begin(), static_cast<std::ptrdiff_t>(run.t.size()) - 1));
  std::vector<double> q;
  for (int k = 1;; ++k) {
    const std::string path = fmt::format("car/elastic/q{}", k);
    if (std::find(run.paths.begin(), run.paths.end(), path) == run.paths.end()) break;
    q.push_back(run[path][i]);
  }
  return Eigen::Map<const VecX>(q.data(), static_cast<Eigen::Index>(q.size()));
}

void plot_elastic_coordinates(Reproduction& r, const RecordedRun& run, const std::string& title,
                              const std::function<double(const std::vector<double>&)>& size_of) {
  constexpr std::size_t kDrawn = 6;
  std::vector<std::pair<double, std::string>> sizes;
  for (Eigen::Index k = 1; k <= elastic_coordinates(run, 0).size(); ++k) {
    const std::string name = fmt::format("q{}", k);
    sizes.emplace_back(size_of(run["car/elastic/" + name]), name);
  }
  std::sort(sizes.rbegin(), sizes.rend());
  Plot plot{title, "t / s", "1", {}};
  for (std::size_t i = 0; i < std::min(kDrawn, sizes.size()); ++i)
    plot.series.push_back({sizes[i].second, run.t, run["car/elastic/" + sizes[i].second]});
  r.plot("elastic-coordinates", plot);
}

void draw_body_sheet(Reproduction& r, const RecordedRun& run, const io::BodyShapes& shapes,
                     const BodySheet& sheet) {
  MeshSurface surface;
  for (Eigen::Index i = 0; i < shapes.node_count(); ++i) surface.points.emplace_back(shapes.points.col(i));
  surface.faces = shapes.faces;
  surface.bars = shapes.lines;
  constexpr int kColumns = 4, kWidth = 520, kHeight = 330, kTitle = 40;
  const int rows = (static_cast<int>(sheet.times_s.size()) + kColumns - 1) / kColumns;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"16\" y=\"27\" font-family=\"sans-serif\" font-size=\"20\">{2}</text>\n",
      kColumns * kWidth, rows * kHeight + kTitle, escape_markup(sheet.title));
  for (std::size_t k = 0; k < sheet.times_s.size(); ++k) {
    const auto u = shapes.displacements(elastic_coordinates(run, sheet.times_s[k]));
    MeshPicture p;
    p.title = fmt::format("{:.2f} s", sheet.times_s[k]);
    p.subtitle = fmt::format("drawn {:g} times as large", sheet.magnification);
    p.quantity = "deformation";
    p.unit = "mm";
    p.magnification = sheet.magnification;
    p.low = 0;
    p.high = sheet.high_mm;
    for (Eigen::Index i = 0; i < u.cols(); ++i) {
      p.displacement_m.emplace_back(u.col(i));
      p.value.push_back(1e3 * u.col(i).norm());
    }
    p.width = 2 * kWidth;
    p.height = 2 * kHeight;
    out += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n{}</svg>\n",
                       static_cast<int>(k % kColumns) * kWidth,
                       static_cast<int>(k / kColumns) * kHeight + kTitle, kWidth, kHeight, p.width, p.height,
                       without_declaration(picture_svg(surface, p)));
  }
  r.picture(sheet.name, out + "</svg>\n");
}

}  // namespace monocoque
