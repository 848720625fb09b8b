#include "results/run_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/run_access.h"

namespace monocoque {

using hdf5::Handle;
using namespace run_access;

namespace {

constexpr Eigen::Index kSliceNumbers = 1 << 20;  ///< 8 MB: a few chunks of the file

}  // namespace

struct RunFile::Impl {
  hdf5::Session session;  // first in, last out
  std::string path;
  Handle file, data;
  std::vector<Channel> channels;
  VecX time;
  bool complete = false;

  /// All columns of some rows; the file is row by row.
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  void read(Eigen::Index first, Eigen::Index count, RowMajor& out) const {
    const hsize_t start[2] = {static_cast<hsize_t>(first), 0},
                  size[2] = {static_cast<hsize_t>(count), channels.size()};
    const Handle space = hdf5::check(H5Dget_space(data), H5Sclose, path, "the file is damaged");
    const Handle memory(H5Screate_simple(2, size, nullptr), H5Sclose);
    hdf5::check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, size, nullptr), path,
                "the file is damaged");
    hdf5::check(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out.data()), path,
                "the file is damaged");
  }
};

RunFile::RunFile(const std::string& path) : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  m.path = path;
  m.file = open_file(path);
  if (!exists(m.file, "channels")) not_ours(path, "it has no group 'channels'");
  const auto paths = dataset_texts(m.file, path, "channels/path", 1),
             units = dataset_texts(m.file, path, "channels/unit", 1);
  if (paths.size() != units.size())
    not_ours(path, fmt::format("it has {} channel names and {} units", paths.size(), units.size()));
  for (std::size_t k = 0; k < paths.size(); ++k) m.channels.push_back({paths[k], units[k]});
  const Handle times = open_set(m.file, path, "time");
  m.data = open_set(m.file, path, "data");
  require_numbers(times, path, "time");
  require_numbers(m.data, path, "data");
  const hsize_t stored = lengths(times, path, "time", 1, sizeof(double)).at(0);
  const auto size = lengths(m.data, path, "data", 2, sizeof(double));
  if (size[1] != m.channels.size())
    not_ours(path, fmt::format("it names {} channels and holds {}", m.channels.size(), size[1]));
  m.time.resize(static_cast<Eigen::Index>(stored));
  if (stored > 0)
    hdf5::check(H5Dread(times, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, m.time.data()), path,
                "the file is damaged");
  // The writer fills data before times, and a time that never arrived is NaN.
  auto n = static_cast<Eigen::Index>(std::min(stored, size[0]));
  for (Eigen::Index i = 0; i < n; ++i)
    if (std::isnan(m.time[i])) n = i;
  m.time.conservativeResize(n);
  m.complete = complete_mark(m.file);
}

RunFile::~RunFile() = default;

const std::vector<Channel>& RunFile::channels() const {
  return impl_->channels;
}
const VecX& RunFile::time() const {
  return impl_->time;
}
bool RunFile::complete() const {
  return impl_->complete;
}

MatX RunFile::rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const {
  const auto all = static_cast<Eigen::Index>(impl_->channels.size());
  MatX out(count, static_cast<Eigen::Index>(columns.size()));
  if (out.size() == 0) return out;
  const Eigen::Index slice = std::clamp<Eigen::Index>(kSliceNumbers / all, 1, count);
  Impl::RowMajor buffer(slice, all);
  for (Eigen::Index i = 0; i < count; i += slice) {
    const Eigen::Index some = std::min(slice, count - i);
    impl_->read(first + i, some, buffer);
    for (std::size_t k = 0; k < columns.size(); ++k)
      out.col(static_cast<Eigen::Index>(k)).segment(i, some) = buffer.col(columns[k]).head(some);
  }
  return out;
}

RunData RunFile::names() const {
  RunData out;
  out.channels = impl_->channels;
  out.complete = impl_->complete;
  out.data.resize(0, static_cast<Eigen::Index>(out.channels.size()));
  return out;
}

RunData RunFile::with_columns(const std::vector<Eigen::Index>& columns) const {
  RunData out;
  for (const Eigen::Index k : columns) out.channels.push_back(impl_->channels[static_cast<std::size_t>(k)]);
  out.complete = impl_->complete;
  out.time = impl_->time;
  try {
    out.data = rows(0, out.time.size(), columns);
  } catch (const std::bad_alloc&) {
    not_ours(impl_->path, "what is wanted of it does not fit into memory");
  }
  return out;
}

}  // namespace monocoque
