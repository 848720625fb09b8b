#include "results/run_access.h"

#include <filesystem>

#include <fmt/format.h>

namespace monocoque::run_access {

using hdf5::check;
using hdf5::Handle;

void not_ours(const std::string& path, const std::string& what) {
  hdf5::complain(path, what, "give a result file written by monocoque run");
}

Handle open_file(const std::string& path, bool lock) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    hdf5::complain(path, "it is a folder", "give the name of a result file");
  // 1: a closed file.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, lock, true);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (file.valid()) return file;
  const std::string why = hdf5::reason();
  const bool marked = why.find("consistency flags") != std::string::npos;
  const bool shorter = why.find("truncated file") != std::string::npos;
  // 2: one that is being written, or was cut off while it was. HDF5 doubles its pause between attempts, and
  // the usual 100 attempts would take for ever at a damaged place; 20 take about a millisecond.
  if (marked || shorter) {
    H5Pset_metadata_read_attempts(access, 20);
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose);
    if (file.valid()) return file;
    // 3: one cut off in the moment of finishing, or by a full disk: read into memory, without its "open for
    // writing" mark and the check of its length, as the tool h5clear does. The file itself stays as it is.
    const Handle core(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const hbool_t yes = true;
    H5Pset_fapl_core(core, std::size_t{1} << 24, false);
    H5Pset(core, "clear_status_flags", &yes);
    H5Pset(core, "skip_eof_check", &yes);
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, core), H5Fclose);
    if (file.valid()) return file;
  }
  H5Eclear2(H5E_DEFAULT);
  file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);  // once more, for its reason
  if (!file.valid()) hdf5::fail(path, "the file cannot be read");
  return file;
}

bool exists(hid_t file, const char* name) {
  return H5Lexists(file, name, H5P_DEFAULT) > 0 && H5Oexists_by_name(file, name, H5P_DEFAULT) > 0;
}

Handle open_set(hid_t file, const std::string& path, const char* name) {
  if (!exists(file, name)) not_ours(path, fmt::format("it has no dataset '{}'", name));
  return check(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, path, "the file is damaged");
}

std::vector<hsize_t> lengths(hid_t set, const std::string& path, const char* name, int rank,
                             std::size_t item) {
  const Handle space = check(H5Dget_space(set), H5Sclose, path, "the file is damaged");
  if (H5Sget_simple_extent_ndims(space) != rank)
    not_ours(path,
             fmt::format("its dataset '{}' does not have {} dimension{}", name, rank, rank == 1 ? "" : "s"));
  std::vector<hsize_t> n(static_cast<std::size_t>(rank), 1);
  H5Sget_simple_extent_dims(space, n.data(), nullptr);
  double bytes = static_cast<double>(item);
  for (const hsize_t k : n) bytes *= static_cast<double>(k);
  const double stored = static_cast<double>(H5Dget_storage_size(set));
  if (bytes > 1000 * stored + 1e6)
    not_ours(path, fmt::format("its dataset '{}' claims {:.3g} bytes and holds {:.3g}", name, bytes, stored));
  return n;
}

/// Strings of an attribute or dataset. Variable length is refused: see hdf5.h.
static std::vector<std::string> texts(hid_t type, std::size_t count, const std::string& path,
                                      const auto& read) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
    not_ours(path, "a text in it is not stored as a string of fixed length");
  std::vector<std::string> out;
  if (count == 0) return out;
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > (std::size_t{1} << 30) / count) not_ours(path, "a text in it is too long");
  std::vector<char> data(size * count, '\0');
  check(read(static_cast<void*>(data.data())), path, "the file is damaged");
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text(data.data() + k * size, size);
    out.push_back(text.substr(0, text.find('\0')));
  }
  return out;
}

std::vector<std::string> dataset_texts(hid_t file, const std::string& path, const char* name, int rank) {
  const Handle set = open_set(file, path, name);
  const Handle type = check(H5Dget_type(set), H5Tclose, path, "the file is damaged");
  std::size_t count = 1;
  for (const hsize_t n : lengths(set, path, name, rank, H5Tget_size(type)))
    count *= static_cast<std::size_t>(n);
  return texts(type, count, path,
               [&](void* data) { return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); });
}

std::string text(hid_t file, const std::string& path, const char* name) {
  if (H5Aexists(file, name) <= 0)
    return exists(file, name) ? dataset_texts(file, path, name, 0).at(0) : std::string{};
  const Handle attribute = check(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, path, "the file is damaged");
  const Handle type = check(H5Aget_type(attribute), H5Tclose, path, "the file is damaged");
  const Handle space = check(H5Aget_space(attribute), H5Sclose, path, "the file is damaged");
  if (H5Sget_simple_extent_npoints(space) != 1)
    not_ours(path, fmt::format("its attribute '{}' is not one text", name));
  return texts(type, 1, path, [&](void* data) { return H5Aread(attribute, type, data); }).at(0);
}

bool complete_mark(hid_t file) {
  if (H5Aexists(file, "complete") <= 0) return false;
  const Handle attribute(H5Aopen(file, "complete", H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  int value = 0;
  return H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1 &&
         H5Aread(attribute, H5T_NATIVE_INT, &value) >= 0 && value == 1;
}

void require_numbers(hid_t set, const std::string& path, const char* name) {
  const Handle type = check(H5Dget_type(set), H5Tclose, path, "the file is damaged");
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_FLOAT && kind != H5T_INTEGER)
    not_ours(path, fmt::format("its dataset '{}' holds no numbers", name));
}

}  // namespace monocoque::run_access
