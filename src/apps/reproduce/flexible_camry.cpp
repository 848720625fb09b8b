#include "apps/reproduce/flexible_camry.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <Eigen/QR>

#include "body/body_in_white.h"
#include "fe/assemble.h"
#include "io/sid.h"
#include "io/text_source.h"
#include "reduce/body_shapes.h"
#include "results/mesh_picture.h"

namespace monocoque {

namespace {

constexpr int kInterfaces = 20, kDomes = 4;
constexpr double kSameShape = 1e-5;  ///< largest relative difference of shapes of one and the same body

/// Translations at the nodes that the body has, from its file and from the shapes of all nodes.
struct AtNodes {
  MatX file, shapes;
};
AtNodes at_nodes(const io::Sid& sid, const io::BodyShapes& shapes) {
  AtNodes out;
  out.file.resize(static_cast<Eigen::Index>(3 * sid.nodes.size()), sid.nq);
  out.shapes.resize(out.file.rows(), shapes.coordinate_count());
  Eigen::Index row = 0;
  for (const io::SidNode& node : sid.nodes) {
    const auto it = std::find(shapes.node_ids.begin(), shapes.node_ids.end(), node.id);
    if (it == shapes.node_ids.end()) return {};
    out.file.middleRows<3>(row) = node.phi.zero;
    out.shapes.middleRows<3>(row) =
        shapes.modes.middleRows<3>(3 * (it - shapes.node_ids.begin())).cast<double>();
    row += 3;
  }
  return out;
}

bool fits(const io::Sid& sid, const io::BodyShapes& shapes) {
  const AtNodes n = at_nodes(sid, shapes);
  return n.file.size() > 0 && n.file.cols() == n.shapes.cols() &&
         (n.file - n.shapes).norm() < kSameShape * n.file.norm();
}

/// Another machine may find modes of the other sign, and mix those of equal frequency: turns to the file's.
void turn_to(const io::Sid& sid, io::BodyShapes& shapes) {
  const AtNodes n = at_nodes(sid, shapes);
  const MatX turn = n.shapes.colPivHouseholderQr().solve(n.file);
  shapes.modes = (shapes.modes.cast<double>() * turn).cast<float>().eval();
}

io::BodyShapes made_shapes(const io::Sid& sid) {
  const body::BodyParameters parameters;
  const body::BodyInWhite made = body::make_body(parameters);
  const FeSystem system = assemble(made.mesh);
  reduce::ReduceOptions o;  // as scripts/camry_body
  for (int i = 1; i <= kDomes; ++i) o.boundary.push_back({i, 7});
  for (int i = kDomes + 1; i <= kInterfaces; ++i) o.interface_nodes.push_back(i);
  o.statics = reduce::StaticModes::attachment;
  o.dynamics = reduce::DynamicModes::free;
  o.modes = sid.nq - 3 * kDomes;
  o.origin_m = Vec3(parameters.centre_x_m, 0, parameters.centre_z_m);
  const reduce::NodeMap map(system);
  const reduce::ReducedBody body = reduce::reduce_body(system, map, o);
  io::BodyShapes shapes = reduce::body_shapes(made.mesh, system, body, o.origin_m);
  turn_to(sid, shapes);
  return shapes;
}

std::string without_declaration(const std::string& svg) {
  return svg.substr(svg.find("<svg"));
}

}  // namespace

LoadedScenario load_camry(const std::string& scenario, Body body, std::vector<std::string> overrides) {
  if (body == Body::rigid) overrides.emplace_back("parts.car.elasticity=off");
  return load_scenario(shipped_model("camry/scenarios/" + scenario), overrides);
}

io::BodyShapes camry_shapes(const Reproduction& r) {
  const io::Sid sid = io::read_sid(shipped_model("camry/camry-body-40.h5"));
  const std::string folder = cache_folder(), path = folder + "/camry-body-40-shapes.h5";
  if (std::filesystem::exists(path)) {
    try {
      io::BodyShapes kept = io::read_body_shapes(path);
      if (fits(sid, kept)) return kept;
    } catch (const Error&) {  // damaged, or of an older version: made anew
    }
  }
  r.say("the body's mesh is made and reduced for the pictures (once)");
  io::BodyShapes made = made_shapes(sid);
  if (!fits(sid, made))
    throw Error("camry-body-40.h5", "it is not the body that `monocoque body` makes",
                "run scripts/camry_body");
  try {
    std::filesystem::create_directories(folder);
    io::write_body_shapes(made, path);
  } catch (const std::exception& e) {
    r.say(fmt::format("not kept for the next time: {}", e.what()));
  }
  return made;
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
