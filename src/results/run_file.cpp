#include "results/run_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "results/run_head.h"

namespace monocoque {

using hdf5::check;
using hdf5::Handle;
using namespace run_access;

namespace {

constexpr const char* damaged = "the file is damaged";
constexpr Eigen::Index kSliceNumbers = 1 << 20;  ///< 8 MB: a few chunks of the file

double clock_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Tells whether a file has changed.
struct Stamp {
  std::int64_t time = 0, size = -1, inode = 0;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& path) {
  struct stat s = {};
  if (stat(path.c_str(), &s) != 0) return {};
  return {s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec, s.st_size, static_cast<std::int64_t>(s.st_ino)};
}

/// Rows first, first + stride, ... of a table.
void read_rows(hid_t set, const std::string& path, std::size_t columns, std::size_t first, std::size_t count,
               std::size_t stride, hid_t type, void* out) {
  if (count == 0 || columns == 0) return;
  const hsize_t start[2] = {first, 0}, step[2] = {stride, 1}, size[2] = {count, columns};
  const Handle space = check(H5Dget_space(set), H5Sclose, path, damaged);
  const Handle memory = check(H5Screate_simple(2, size, nullptr), H5Sclose, path, damaged);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, size, nullptr), path, damaged);
  check(H5Dread(set, type, memory, space, H5P_DEFAULT, out), path, damaged);
}

/// Rows and columns of a table; quicker than lengths, which looks at every chunk.
std::array<hsize_t, 2> extents(hid_t set, const std::string& path) {
  const Handle space = check(H5Dget_space(set), H5Sclose, path, damaged);
  std::array<hsize_t, 2> size{};
  if (H5Sget_simple_extent_ndims(space) != 2) not_ours(path, "it has changed meanwhile");
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return size;
}

}  // namespace

std::size_t RunHead::first_at(double t) const {
  return static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
}

std::size_t RunHead::first_after(double t) const {
  return static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
}

struct RunFile::Impl {
  std::string path;
  RunUse use = RunUse::analysis;
  Handle file;
  RunTables tables;
  Stamp stamp;
  double checked_s = 0;
  mutable std::mutex head_mutex;
  std::shared_ptr<const RunHead> head;

  std::shared_ptr<RunHead> open(const RunHead* before) {
    tables = {};
    file.reset();
    file = open_file(path, use == RunUse::analysis);
    return std::make_shared<RunHead>(read_head(file, path, use, before, tables));
  }
  void numbers(const std::string& name, std::size_t count, hid_t type, void* out) const;
};

RunFile::RunFile(std::string path, RunUse use) {
  const hdf5::Session session;
  auto made = std::make_unique<Impl>();  // after an error it is closed within the session
  made->path = std::move(path);
  made->use = use;
  made->stamp = stamp_of(made->path);
  made->head = made->open(nullptr);
  made->checked_s = clock_s();
  impl_ = std::move(made);
}

RunFile::~RunFile() {
  const hdf5::Session session;
  impl_.reset();
}

const std::string& RunFile::path() const {
  return impl_->path;
}

std::string RunFile::name() const {
  return std::filesystem::path(impl_->path).filename().string();
}

std::shared_ptr<const RunHead> RunFile::head() const {
  const std::lock_guard lock(impl_->head_mutex);
  return impl_->head;
}

const std::vector<Channel>& RunFile::channels() const {
  return head()->channels;
}

RowSource::Times RunFile::time() const {
  const auto now = head();
  return {now->time.data(), static_cast<Eigen::Index>(now->time.size())};
}

bool RunFile::complete() const {
  return head()->complete;
}

void RunFile::refresh() {
  const hdf5::Session session;
  Impl& m = *impl_;
  if (clock_s() - m.checked_s < 0.5) return;
  m.checked_s = clock_s();
  const auto before = head();
  const Stamp now = stamp_of(m.path);
  if (now == m.stamp || now.size < 0) return;
  std::shared_ptr<RunHead> next;
  try {
    next = m.open(before.get());
  } catch (const Error&) {
    return;  // in the middle of being written; the next look may see more
  }
  m.stamp = now;
  const bool same = before->info.created == next->info.created &&
                    before->channels.size() == next->channels.size() &&
                    before->time.size() <= next->time.size();
  next->generation = before->generation + (same ? 0 : 1);
  const std::lock_guard lock(m.head_mutex);
  m.head = std::move(next);
}

void RunFile::rows(std::size_t first, std::size_t count, std::size_t columns, double* out) const {
  const hdf5::Session session;
  const Impl& m = *impl_;
  if (!m.tables.data.valid()) not_ours(m.path, "it cannot be read any more");
  const auto size = extents(m.tables.data, m.path);
  if (first + count > size[0] || columns != size[1]) not_ours(m.path, "it has changed meanwhile");
  read_rows(m.tables.data, m.path, columns, first, count, 1, H5T_NATIVE_DOUBLE, out);
}

MatX RunFile::rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const {
  const auto all = static_cast<Eigen::Index>(channels().size());
  MatX out(count, static_cast<Eigen::Index>(columns.size()));
  if (out.size() == 0) return out;
  // In slices, because the file is row by row and the result column by column.
  const Eigen::Index slice = std::clamp<Eigen::Index>(kSliceNumbers / all, 1, count);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> buffer(slice, all);
  for (Eigen::Index i = 0; i < count; i += slice) {
    const Eigen::Index some = std::min(slice, count - i);
    rows(static_cast<std::size_t>(first + i), static_cast<std::size_t>(some), static_cast<std::size_t>(all),
         buffer.data());
    for (std::size_t k = 0; k < columns.size(); ++k)
      out.col(static_cast<Eigen::Index>(k)).segment(i, some) = buffer.col(columns[k]).head(some);
  }
  return out;
}

RunData RunFile::names() const {
  const auto now = head();
  RunData out;
  out.channels = now->channels;
  out.complete = now->complete;
  out.data.resize(0, static_cast<Eigen::Index>(out.channels.size()));
  return out;
}

RunData RunFile::with_columns(const std::vector<Eigen::Index>& columns) const {
  const auto now = head();
  RunData out;
  for (const Eigen::Index k : columns) out.channels.push_back(now->channels[static_cast<std::size_t>(k)]);
  out.complete = now->complete;
  try {
    out.time = time();
    out.data = rows(0, out.time.size(), columns);
  } catch (const std::bad_alloc&) {
    not_ours(impl_->path, "what is wanted of it does not fit into memory");
  }
  return out;
}

RunData RunFile::whole() const {
  const hdf5::Session session;
  const auto now = head();
  std::vector<Eigen::Index> columns(now->channels.size());
  std::iota(columns.begin(), columns.end(), Eigen::Index{0});
  RunData out = with_columns(columns);
  out.info = now->info;
  out.summary_json = now->summary_json;
  read_lane(impl_->file, impl_->path, out);
  return out;
}

void RunFile::motion(const RunHead& head, std::size_t first, std::size_t count, std::size_t stride, float* x,
                     float* arrows) const {
  const hdf5::Session session;
  const RunTables& tables = impl_->tables;
  const std::string& path = impl_->path;
  if (!tables.motion_x.valid()) not_ours(path, "it holds no motion");
  for (const auto& [set, columns, out] : {std::tuple{hid_t{tables.motion_x}, head.row, x},
                                          std::tuple{hid_t{tables.motion_arrows}, head.arrows, arrows}}) {
    const auto size = extents(set, path);
    if (size[1] != columns || (count > 0 && first + (count - 1) * stride >= size[0]))
      not_ours(path, "it has changed meanwhile");
    read_rows(set, path, columns, first, count, stride, H5T_NATIVE_FLOAT, out);
  }
}

std::string RunFile::text(const char* name) const {
  const hdf5::Session session;
  return dataset_texts(impl_->file, impl_->path, name, 0).at(0);
}

std::vector<std::size_t> RunFile::shape(const std::string& name, int rank) const {
  const hdf5::Session session;
  if (!exists(impl_->file, name.c_str())) return {};
  const Handle set = open_set(impl_->file, impl_->path, name.c_str());
  require_numbers(set, impl_->path, name.c_str());
  const auto size = lengths(set, impl_->path, name.c_str(), rank, sizeof(float));
  return {size.begin(), size.end()};
}

void RunFile::Impl::numbers(const std::string& name, std::size_t count, hid_t type, void* out) const {
  const Handle set = open_set(file, path, name.c_str());
  require_numbers(set, path, name.c_str());
  const Handle space = check(H5Dget_space(set), H5Sclose, path, damaged);
  if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(count))
    not_ours(path, "it has changed meanwhile");
  if (count == 0) return;
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out), path, damaged);
}

void RunFile::numbers(const std::string& name, std::size_t count, float* out) const {
  const hdf5::Session session;
  impl_->numbers(name, count, H5T_NATIVE_FLOAT, out);
}

void RunFile::numbers(const std::string& name, std::size_t count, double* out) const {
  const hdf5::Session session;
  impl_->numbers(name, count, H5T_NATIVE_DOUBLE, out);
}

void RunFile::numbers(const std::string& name, std::size_t count, std::int32_t* out) const {
  const hdf5::Session session;
  impl_->numbers(name, count, H5T_NATIVE_INT32, out);
}

RunData read_run(const std::string& path) {
  try {
    return RunFile(path).whole();
  } catch (const std::bad_alloc&) {
    not_ours(path, "it does not fit into memory");
  } catch (const std::length_error&) {
    not_ours(path, "it does not fit into memory");
  }
}

int RunData::column(const std::string& path) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].path == path) return static_cast<int>(k);
    names.push_back(channels[k].path);
  }
  throw Error("results", fmt::format("there is no channel '{}'", path), suggestion(path, names));
}

}  // namespace monocoque
