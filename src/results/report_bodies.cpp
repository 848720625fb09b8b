#include "results/report_bodies.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/von_mises.h"
#include "results/mesh_picture.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

constexpr std::size_t kMostBodies = 6;
constexpr double kDrawnDeformation = 0.04;  ///< of the size of the body
constexpr double kDrawnRange = 0.99;        ///< share of the nodes whose stress lies on the colour bar

/// A round number not above it: 1, 2 or 5 times a power of ten.
double rounded_down(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  return (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1) * power;
}

/// The gradient of the colour bar needs a name of its own in the page.
std::string numbered_bar(std::string svg, std::size_t number) {
  for (const char* use : {"id=\"bar", "url(#bar"})
    for (std::size_t i = svg.find(use); i != std::string::npos; i = svg.find(use, i + 1))
      svg.insert(i + std::char_traits<char>::length(use), std::to_string(number));
  return svg;
}

std::string figure(const MeshSurface& surface, const MeshPicture& p, const std::string& caption,
                   std::size_t number) {
  const std::string svg = numbered_bar(picture_svg(surface, p), number);
  return fmt::format("<figure class=\"body\">{}<figcaption>{}</figcaption></figure>\n",
                     svg.substr(svg.find("<svg")), escape_markup(caption));
}

std::string pictures_of(const BodyMotion& body, const BodyPeaks& peaks, const std::string& file,
                        std::size_t number) {
  MeshSurface surface;
  for (Eigen::Index i = 0; i < body.shapes.node_count(); ++i)
    surface.points.emplace_back(body.shapes.points.col(i));
  surface.faces = body.shapes.faces;
  surface.bars = body.shapes.lines;
  if (surface.points.empty() || !(peaks.displacement.value > 0)) return {};
  const double size =
      (body.shapes.points.rowwise().maxCoeff() - body.shapes.points.rowwise().minCoeff()).norm();
  MeshPicture p;
  p.width = 1000;
  p.height = 620;
  p.magnification = std::max(1.0, rounded_down(kDrawnDeformation * size / peaks.displacement.value));
  const auto at = [&](const BodyPeak& peak) {
    const auto u = body.shapes.displacements(body.q.row(peak.row).transpose());
    p.displacement_m.clear();
    p.value.clear();
    for (Eigen::Index i = 0; i < u.cols(); ++i) p.displacement_m.emplace_back(u.col(i));
    p.subtitle = fmt::format("{}t = {:.4g} s, drawn {:g} times as large", file, peak.at_s, p.magnification);
  };
  at(peaks.displacement);
  for (const Vec3& u : p.displacement_m) p.value.push_back(1e3 * u.norm());
  p.title = body.part + ": largest deformation";
  p.quantity = "deformation";
  p.unit = "mm";
  p.low = 0;
  const char* thinned = peaks.thinned ? " The run is long: a selection of its instants was searched." : "";
  std::string out =
      figure(surface, p,
             fmt::format("Largest displacement {:.4g} mm, at {:.4g} s; lines: the body at rest.{}",
                         1e3 * peaks.displacement.value, peaks.displacement.at_s, thinned),
             2 * number);
  if (!peaks.von_mises || !(peaks.von_mises->value > 0)) return out;
  at(*peaks.von_mises);
  const auto stress = body.shapes.stresses(body.q.row(peaks.von_mises->row).transpose());
  for (Eigen::Index i = 0; i < stress.cols(); ++i) p.value.push_back(1e-6 * von_mises(stress.col(i)));
  std::vector<double> sorted = p.value;
  std::sort(sorted.begin(), sorted.end());
  // A few corners would take all colours for themselves.
  p.high = std::max(sorted[static_cast<std::size_t>(kDrawnRange * static_cast<double>(sorted.size() - 1))],
                    1e-3 * sorted.back());
  p.title = body.part + ": largest stress";
  p.quantity = "von Mises";
  p.unit = "MPa";
  return out +
         figure(surface, p,
                fmt::format("Largest von Mises stress {:.4g} MPa, at {:.4g} s. The colours end at {:.3g} "
                            "MPa, which 99 % of the nodes do not exceed. Of sheets the side of the "
                            "normal, mean over the elements at a node.",
                            1e-6 * peaks.von_mises->value, peaks.von_mises->at_s, p.high),
                2 * number + 1);
}

}  // namespace

std::string body_pictures(const ReportSides& sides) {
  std::string out;
  std::size_t drawn = 0, left_out = 0;
  for (const ReportSide& side : sides)
    for (std::size_t i = 0; i < side.motion.bodies.size(); ++i)
      if (drawn < kMostBodies) {
        const std::string text = pictures_of(side.motion.bodies[i], side.peaks[i],
                                             sides.size() > 1 ? side.file + ", " : std::string{}, drawn);
        drawn += text.empty() ? 0 : 1;
        out += text;
      } else {
        ++left_out;
      }
  if (out.empty()) return out;
  if (left_out > 0) out += fmt::format("<p>{} further bodies are left out.</p>\n", left_out);
  return "<h2 id=\"bodies\">Deformed bodies</h2>\n<div class=\"bodies\">\n" + out + "</div>\n";
}

}  // namespace monocoque
