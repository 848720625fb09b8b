#include "io/body/body_shapes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/body/sid_hdf5.h"
#include "io/files/hdf5.h"

namespace monocoque::io {

namespace {

using hdf5::check;
using hdf5::Handle;

constexpr const char* kShapesFormat = "monocoque body shapes";
constexpr const char* kShapesRemedy = "give a file written by `monocoque reduce --shapes`";
constexpr const char* kShapesNotWritten = "the file cannot be written";
constexpr hsize_t kMostNumbers = 4'000'000'000;

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, int>) return H5T_NATIVE_INT;
  return H5T_NATIVE_LONG;
}

template <class T>
void write_set(hid_t file, const char* name, const std::vector<hsize_t>& size, const T* data,
               const std::string& path) {
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  hsize_t count = 1;
  for (const hsize_t n : size) count *= n;
  if (count > 0) {
    std::vector<hsize_t> chunk = size;
    chunk[0] = std::min<hsize_t>(chunk[0], 4096);
    H5Pset_chunk(plan, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(plan);
    H5Pset_deflate(plan, 4);
  }
  const Handle set = check(H5Dcreate2(file, name, memory_type<T>(), space, H5P_DEFAULT, plan, H5P_DEFAULT),
                           H5Dclose, path, kShapesNotWritten);
  if (count > 0)
    check(H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path, kShapesNotWritten);
}

/// Checks the rank and the known sizes (0: any) before it takes memory.
template <class T>
std::vector<T> read_set(hid_t file, const char* name, std::vector<hsize_t>& size, const std::string& path) {
  const auto refuse = [&](const std::string& what) {
    hdf5::complain(path, fmt::format("/{} {}", name, what), kShapesRemedy);
  };
  const Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!set.valid()) refuse("is missing");
  const Handle space(H5Dget_space(set), H5Sclose);
  if (H5Sget_simple_extent_ndims(space) != static_cast<int>(size.size())) refuse("has the wrong shape");
  std::vector<hsize_t> found(size.size());
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  hsize_t count = 1;
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] != 0 && found[i] != size[i]) refuse("has the wrong shape");
    if (found[i] != 0 && count > kMostNumbers / found[i]) refuse("is too large");
    count *= found[i];
  }
  size = found;
  std::vector<T> out(count);
  if (count > 0 && H5Dread(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    hdf5::fail(path, fmt::format("/{} cannot be read", name));
  return out;
}

template <std::size_t N>
std::vector<std::array<int, N>> read_cells(hid_t file, const char* name, hsize_t nodes,
                                           const std::string& path) {
  std::vector<hsize_t> size{0, N};
  const std::vector<int> flat = read_set<int>(file, name, size, path);
  std::vector<std::array<int, N>> out(flat.size() / N);
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const bool triangle = N == 4 && i % N == 3 && flat[i] == -1;
    if (!triangle && (flat[i] < 0 || static_cast<hsize_t>(flat[i]) >= nodes))
      hdf5::complain(path, fmt::format("/{} names node {} of {}", name, flat[i], nodes), kShapesRemedy);
    out[i / N][i % N] = flat[i];
  }
  return out;
}

}  // namespace

Eigen::Matrix<double, 3, Eigen::Dynamic> BodyShapes::displacements(const Eigen::Ref<const VecX>& q) const {
  const VecX flat = (modes * q.cast<float>()).cast<double>();
  return Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(flat.data(), 3, points.cols());
}

Eigen::Matrix<double, 6, Eigen::Dynamic> BodyShapes::stresses(const Eigen::Ref<const VecX>& q) const {
  const VecX flat = (stress * q.cast<float>()).cast<double>();
  return Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>>(flat.data(), 6, points.cols());
}

void write_body_shapes(const BodyShapes& s, const std::string& path) {
  const hdf5::Session session;
  Handle file = check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path,
                      "the file cannot be created");
  const Handle type = hdf5::string_type(std::char_traits<char>::length(kShapesFormat));
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle format = check(H5Acreate2(file, "format", type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                              path, kShapesNotWritten);
  check(H5Awrite(format, type, kShapesFormat), path, kShapesNotWritten);
  const auto nodes = static_cast<hsize_t>(s.node_count());
  write_set(file, "node_ids", {nodes}, s.node_ids.data(), path);
  write_set(file, "points", {nodes, 3}, s.points.data(), path);
  write_set(file, "faces", {s.faces.size(), 4}, s.faces.empty() ? nullptr : s.faces[0].data(), path);
  write_set(file, "lines", {s.lines.size(), 2}, s.lines.empty() ? nullptr : s.lines[0].data(), path);
  write_set(file, "modes", {nodes, 3, static_cast<hsize_t>(s.modes.cols())}, s.modes.data(), path);
  if (s.has_stress())
    write_set(file, "stress", {nodes, 6, static_cast<hsize_t>(s.stress.cols())}, s.stress.data(), path);
  if (!file.reset()) hdf5::fail(path, kShapesNotWritten);
}

BodyShapes read_body_shapes(const std::string& path) {
  const hdf5::Session session;
  if (!is_hdf5(path)) hdf5::complain(path, "it is no HDF5 file, or cannot be read", kShapesRemedy);
  const Handle file =
      check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path, "the file cannot be read");
  if (H5Aexists(file, "format") <= 0 || H5Lexists(file, "modes", H5P_DEFAULT) <= 0)
    hdf5::complain(path, "it has no shapes of a body", kShapesRemedy);
  BodyShapes s;
  std::vector<hsize_t> size{0};
  s.node_ids = read_set<long>(file, "node_ids", size, path);
  const hsize_t nodes = size[0];
  if (nodes == 0) hdf5::complain(path, "it has no nodes", kShapesRemedy);
  size = {nodes, 3};
  const std::vector<double> points = read_set<double>(file, "points", size, path);
  s.points = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(points.data(), 3,
                                                                        static_cast<Eigen::Index>(nodes));
  s.faces = read_cells<4>(file, "faces", nodes, path);
  s.lines = read_cells<2>(file, "lines", nodes, path);
  size = {nodes, 3, 0};
  const std::vector<float> modes = read_set<float>(file, "modes", size, path);
  s.modes = Eigen::Map<const decltype(s.modes)>(modes.data(), static_cast<Eigen::Index>(3 * nodes),
                                                static_cast<Eigen::Index>(size[2]));
  if (H5Lexists(file, "stress", H5P_DEFAULT) > 0) {
    size = {nodes, 6, size[2]};
    const std::vector<float> stress = read_set<float>(file, "stress", size, path);
    s.stress = Eigen::Map<const decltype(s.stress)>(stress.data(), static_cast<Eigen::Index>(6 * nodes),
                                                    s.modes.cols());
  }
  if (!s.points.allFinite() || !s.modes.allFinite() || !s.stress.allFinite())
    hdf5::complain(path, "it has numbers that are not finite", kShapesRemedy);
  return s;
}

}  // namespace monocoque::io
