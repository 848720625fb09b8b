#include "results/motion_store.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace monocoque {

namespace {

using hdf5::check;
using hdf5::Handle;

constexpr const char* kNotWritten = "the file cannot be written";
constexpr const char* kMotionNotWritten = "the motion cannot be written";

Handle make_group(hid_t file, const std::string& path, const std::string& name) {
  return check(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, path,
               kNotWritten);
}

void put_array(hid_t group, const std::string& path, const char* name, const std::vector<hsize_t>& size,
               hid_t type, const void* data) {
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  hsize_t count = 1;
  for (const hsize_t n : size) count *= n;
  if (count > 4096) {
    std::vector<hsize_t> chunk = size;
    chunk[0] = std::min<hsize_t>(chunk[0], 4096);
    H5Pset_chunk(plan, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(plan);
    H5Pset_deflate(plan, 1);
  }
  const Handle set = check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT), H5Dclose,
                           path, kNotWritten);
  if (count > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path, kNotWritten);
}

void put_asset(hid_t assets, const std::string& path, std::size_t index, const SceneAsset& a) {
  const Handle group = make_group(assets, path, std::to_string(index));
  const auto nodes = static_cast<hsize_t>(a.points.cols());
  put_array(group, path, "points", {nodes, 3}, H5T_NATIVE_FLOAT, a.points.data());
  put_array(group, path, "triangles", {a.triangles.size(), 3}, H5T_NATIVE_INT, a.triangles.data());
  put_array(group, path, "lines", {a.lines.size(), 2}, H5T_NATIVE_INT, a.lines.data());
  const auto nq = [](const SceneAsset::Rows& m) { return static_cast<hsize_t>(m.cols()); };
  if (a.modes.size() > 0)
    put_array(group, path, "modes", {nodes, 3, nq(a.modes)}, H5T_NATIVE_FLOAT, a.modes.data());
  if (a.stress.size() > 0)
    put_array(group, path, "stress", {nodes, 6, nq(a.stress)}, H5T_NATIVE_FLOAT, a.stress.data());
}

/// Grows along its first dimension; columns 0: a vector.
void put_growing_set(hid_t group, const std::string& path, const char* name, hid_t type, hsize_t columns,
                     hsize_t chunk_rows) {
  const int rank = columns > 0 ? 2 : 1;
  const hsize_t size[2] = {0, columns}, limit[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  const hsize_t chunk[2] = {chunk_rows, std::max<hsize_t>(1, columns)};
  const Handle space(H5Screate_simple(rank, size, limit), H5Sclose);
  const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const double missing = std::nan("");
  H5Pset_chunk(plan, rank, chunk);
  H5Pset_fill_value(plan, H5T_NATIVE_DOUBLE, &missing);
  check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT), H5Dclose, path, kNotWritten);
}

}  // namespace

void MotionStore::create(hid_t file, const std::string& path, const Scene& scene) {
  path_ = path;
  width_ = scene.row;
  arrow_width_ = scene.arrows;
  {
    const Handle type = hdf5::string_type(scene.json.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle set = check(H5Dcreate2(file, "scene", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose, path, kNotWritten);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, scene.json.c_str()), path, kNotWritten);
  }
  const Handle assets = make_group(file, path, "assets");
  for (std::size_t i = 0; i < scene.assets.size(); ++i) put_asset(assets, path, i, scene.assets[i]);
  if (!used()) return;
  const Handle motion = make_group(file, path, "motion");
  put_growing_set(motion, path, "time", H5T_NATIVE_DOUBLE, 0, 8192);
  put_growing_set(motion, path, "x", H5T_NATIVE_DOUBLE, width_, kBlockRows);
  put_growing_set(motion, path, "arrows", H5T_NATIVE_FLOAT, std::max<hsize_t>(1, arrow_width_), kBlockRows);
}

void MotionStore::open(hid_t file) {
  if (!used()) return;
  const auto set = [&](const char* name) {
    return check(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, path_, kNotWritten);
  };
  time_set_ = set("motion/time");
  x_set_ = set("motion/x");
  arrow_set_ = set("motion/arrows");
}

void MotionStore::add(double t, const double* x, const float* arrows) {
  time_.push_back(t);
  x_.insert(x_.end(), x, x + width_);
  arrows_.insert(arrows_.end(), arrows, arrows + arrow_width_);
  if (arrow_width_ == 0) arrows_.push_back(0);
}

void MotionStore::append(hid_t set, hid_t type, hsize_t columns, const void* values) {
  const int rank = columns > 0 ? 2 : 1;
  const hsize_t rows = time_.size();
  const hsize_t size[2] = {written_ + rows, columns}, start[2] = {written_, 0}, count[2] = {rows, columns};
  check(H5Dset_extent(set, size), path_, kMotionNotWritten);
  const Handle space = check(H5Dget_space(set), H5Sclose, path_, kMotionNotWritten);
  const Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), path_, kMotionNotWritten);
  check(H5Dwrite(set, type, memory, space, H5P_DEFAULT, values), path_, kMotionNotWritten);
  check(H5Dflush(set), path_, kMotionNotWritten);
}

void MotionStore::write_block() {
  if (!used() || time_.empty()) return;
  append(x_set_, H5T_NATIVE_DOUBLE, width_, x_.data());
  append(arrow_set_, H5T_NATIVE_FLOAT, std::max<hsize_t>(1, arrow_width_), arrows_.data());
  append(time_set_, H5T_NATIVE_DOUBLE, 0, time_.data());
  written_ += time_.size();
  time_.clear();
  x_.clear();
  arrows_.clear();
}

void MotionStore::close() {
  time_set_.reset();
  x_set_.reset();
  arrow_set_.reset();
}

void MotionStore::put_road(hid_t file, const std::string& path, const RoadStrip& strip) {
  if (strip.empty()) return;
  const Handle group = make_group(file, path, "road");
  const auto rows = static_cast<hsize_t>(strip.line.rows());
  const auto columns = static_cast<hsize_t>(strip.offsets.size());
  put_array(group, path, "line", {rows, 4}, H5T_NATIVE_DOUBLE, strip.line.data());
  put_array(group, path, "offsets", {columns}, H5T_NATIVE_DOUBLE, strip.offsets.data());
  put_array(group, path, "z", {rows, columns}, H5T_NATIVE_FLOAT, strip.z.data());
}

}  // namespace monocoque
