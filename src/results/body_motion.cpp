#include "results/body_motion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include "io/files/json.h"

#include "core/error.h"
#include "core/von_mises.h"
#include "results/run_access.h"

namespace monocoque {

namespace {

using hdf5::Handle;
using Json = nlohmann::json;
using RowsOfDoubles = decltype(BodyMotion::q);
using Floats = decltype(io::BodyShapes::modes);

constexpr Eigen::Index kSearchedInstants = 2000;
constexpr const char* kDamagedMotion = "the motion in it is damaged";

template <class T>
std::vector<T> asset_numbers(hid_t file, const std::string& path, const std::string& name, hid_t type,
                             std::vector<hsize_t>& size) {
  const Handle set = run_access::open_set(file, path, name.c_str());
  run_access::require_numbers(set, path, name.c_str());
  const auto found = run_access::lengths(set, path, name.c_str(), static_cast<int>(size.size()), sizeof(T));
  hsize_t count = 1;
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] != 0 && size[i] != found[i])
      run_access::not_ours(path, fmt::format("its dataset '{}' has the wrong shape", name));
    count *= found[i];
  }
  size = found;
  std::vector<T> out(count);
  if (count > 0)
    hdf5::check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), path, kDamagedMotion);
  return out;
}

/// Two triangles that were one quadrilateral become one again: pictures show the edges of elements.
std::vector<std::array<int, 4>> faces_from(const std::vector<int>& t) {
  std::vector<std::array<int, 4>> out;
  for (std::size_t i = 0; i + 2 < t.size(); i += 3) {
    if (i + 5 < t.size() && t[i] == t[i + 3] && t[i + 2] == t[i + 4]) {
      out.push_back({t[i], t[i + 1], t[i + 2], t[i + 5]});
      i += 3;
    } else {
      out.push_back({t[i], t[i + 1], t[i + 2], -1});
    }
  }
  return out;
}

void require_nodes(const std::vector<int>& numbers, hsize_t nodes, const std::string& path) {
  for (const int n : numbers)
    if (n < 0 || static_cast<hsize_t>(n) >= nodes)
      run_access::not_ours(path, fmt::format("a surface in it names node {} of {}", n, nodes));
}

io::BodyShapes read_asset(hid_t file, const std::string& path, std::size_t index, int nq) {
  const std::string folder = fmt::format("assets/{}/", index);
  io::BodyShapes out;
  std::vector<hsize_t> size{0, 3};
  const auto points = asset_numbers<float>(file, path, folder + "points", H5T_NATIVE_FLOAT, size);
  const hsize_t nodes = size[0];
  const auto n = static_cast<Eigen::Index>(nodes);
  out.points = Eigen::Map<const Eigen::Matrix<float, 3, Eigen::Dynamic>>(points.data(), 3, n).cast<double>();
  size = {0, 3};
  const auto triangles = asset_numbers<int>(file, path, folder + "triangles", H5T_NATIVE_INT, size);
  size = {0, 2};
  const auto lines = asset_numbers<int>(file, path, folder + "lines", H5T_NATIVE_INT, size);
  require_nodes(triangles, nodes, path);
  require_nodes(lines, nodes, path);
  out.faces = faces_from(triangles);
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) out.lines.push_back({lines[i], lines[i + 1]});
  const auto rows = [&](const std::string& name, hsize_t per_node, Floats& to) {
    size = {nodes, per_node, static_cast<hsize_t>(nq)};
    const auto values = asset_numbers<float>(file, path, folder + name, H5T_NATIVE_FLOAT, size);
    to = Eigen::Map<const Floats>(values.data(), static_cast<Eigen::Index>(per_node) * n, nq);
  };
  rows("modes", 3, out.modes);
  if (run_access::exists(file, (folder + "stress").c_str())) rows("stress", 6, out.stress);
  if (!out.points.allFinite() || !out.modes.allFinite() || !out.stress.allFinite())
    run_access::not_ours(path, "a surface in it has numbers that are not finite");
  return out;
}

/// Columns of /motion/x at all instants that were finished.
void read_coordinates(hid_t file, const std::string& path, hsize_t first, int nq, BodyMotion& body) {
  std::vector<hsize_t> size{0};
  const auto time = asset_numbers<double>(file, path, "motion/time", H5T_NATIVE_DOUBLE, size);
  const Handle set = run_access::open_set(file, path, "motion/x");
  run_access::require_numbers(set, path, "motion/x");
  const auto shape = run_access::lengths(set, path, "motion/x", 2, sizeof(double));
  if (first + static_cast<hsize_t>(nq) > shape[1])
    run_access::not_ours(path, "its motion has fewer columns than its scene says");
  hsize_t n = std::min(shape[0], size[0]);
  for (hsize_t i = 0; i < n; ++i)
    if (std::isnan(time[i])) n = i;
  body.time = Eigen::Map<const VecX>(time.data(), static_cast<Eigen::Index>(n));
  body.q.resize(static_cast<Eigen::Index>(n), nq);
  if (n == 0) return;
  const hsize_t start[2] = {0, first}, count[2] = {n, static_cast<hsize_t>(nq)};
  const Handle space(H5Dget_space(set), H5Sclose), memory(H5Screate_simple(2, count, nullptr), H5Sclose);
  hdf5::check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), path,
              kDamagedMotion);
  hdf5::check(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, body.q.data()), path,
              kDamagedMotion);
}

/// Rows to look at: all, or of each stretch that with the greatest mean square of shapes times q.
std::vector<Eigen::Index> searched_rows(const BodyMotion& body, const Floats& shapes) {
  const Eigen::Index n = body.q.rows(), stretches = std::min(n, kSearchedInstants);
  std::vector<Eigen::Index> out;
  const MatX square = n > stretches ? MatX((shapes.transpose() * shapes).cast<double>()) : MatX();
  for (Eigen::Index k = 0; k < stretches; ++k) {
    const Eigen::Index begin = k * n / stretches, end = (k + 1) * n / stretches;
    Eigen::Index best = begin;
    double greatest = -1;
    for (Eigen::Index r = begin; n > stretches && r < end; ++r) {
      const double size = body.q.row(r) * square * body.q.row(r).transpose();
      if (size > greatest) {
        greatest = size;
        best = r;
      }
    }
    if (body.q.row(best).allFinite()) out.push_back(best);
  }
  return out;
}

/// `measure` gives the value of a node from its three or six numbers.
template <int Rows, class Measure>
BodyPeak peak_of(const BodyMotion& body, const Floats& shapes, const Measure& measure) {
  constexpr Eigen::Index kAtOnce = 64;
  const std::vector<Eigen::Index> rows = searched_rows(body, shapes);
  BodyPeak peak;
  Eigen::MatrixXf q, values;
  for (std::size_t first = 0; first < rows.size(); first += kAtOnce) {
    const auto count = std::min<Eigen::Index>(kAtOnce, static_cast<Eigen::Index>(rows.size() - first));
    q.resize(shapes.cols(), count);
    for (Eigen::Index k = 0; k < count; ++k)
      q.col(k) = body.q.row(rows[first + static_cast<std::size_t>(k)]).transpose().cast<float>();
    values.noalias() = shapes * q;
    for (Eigen::Index k = 0; k < count; ++k)
      for (Eigen::Index node = 0; node < body.shapes.node_count(); ++node) {
        const double value =
            measure(Eigen::Matrix<float, Rows, 1>(values.col(k).template segment<Rows>(Rows * node)));
        if (value > peak.value)
          peak = {value, body.time[rows[first + static_cast<std::size_t>(k)]],
                  rows[first + static_cast<std::size_t>(k)], node};
      }
  }
  return peak;
}

}  // namespace

RunMotion read_run_motion(const std::string& path) {
  const hdf5::Session session;
  const Handle file = run_access::open_file(path);
  RunMotion out;
  if (!run_access::exists(file, "scene")) return out;
  const Json scene = Json::parse(run_access::text(file, path, "scene"), nullptr, false);
  if (!scene.is_object() || !scene.contains("parts") || !scene["parts"].is_array())
    run_access::not_ours(path, "its scene is damaged");
  try {
    const Json& parts = scene["parts"];
    if (const auto vehicle = scene.value("vehicle", std::size_t{0}); vehicle < parts.size())
      out.vehicle = parts[vehicle].value("name", "");
    if (!run_access::exists(file, "motion")) return out;
    for (const Json& part : parts) {
      const int nq = part.value("nq", 0), x = part.value("x", -1);
      if (nq <= 0 || x < 0 || part.contains("rotors") || !part.contains("asset")) continue;
      const auto asset = part["asset"].get<std::size_t>();
      // The surface of another body has no shapes.
      if (!run_access::exists(file, fmt::format("assets/{}", asset).c_str()) ||
          !run_access::exists(file, fmt::format("assets/{}/modes", asset).c_str()))
        continue;
      BodyMotion body;
      body.part = part.value("name", "");
      body.shapes = read_asset(file, path, asset, nq);
      read_coordinates(file, path, static_cast<hsize_t>(x + (part.value("turns", false) ? 7 : 3)), nq, body);
      if (body.q.rows() > 0) out.bodies.push_back(std::move(body));
    }
  } catch (const Json::exception&) {
    run_access::not_ours(path, "its scene is damaged");
  }
  return out;
}

BodyPeaks body_peaks(const BodyMotion& body) {
  BodyPeaks out;
  out.thinned = body.q.rows() > kSearchedInstants;
  out.displacement = peak_of<3>(body, body.shapes.modes,
                                [](const Eigen::Vector3f& u) { return static_cast<double>(u.norm()); });
  if (body.shapes.has_stress())
    out.von_mises = peak_of<6>(body, body.shapes.stress, [](const Eigen::Matrix<float, 6, 1>& s) -> double {
      return von_mises(s.cast<double>());
    });
  return out;
}

}  // namespace monocoque
