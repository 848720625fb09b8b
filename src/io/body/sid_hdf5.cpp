#include "io/body/sid_hdf5.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "core/error.h"
#include "io/files/hdf5.h"

namespace monocoque::io {

namespace {

using hdf5::check;
using hdf5::Handle;

constexpr const char* kFormat = "monocoque flexible body";
constexpr int kVersion = 1;
constexpr const char* kRemedy = "give a body written by `monocoque reduce -o BODY.h5`";

/// A block of the body: where it lives, its unit and its size; -1 stands for nq, -3 for 3 nq.
template <class Taylor>
struct Block {
  const char* name;
  Taylor* taylor;
  const char* unit;
  int rows, columns;
};

template <class S>
auto blocks(S& s) {
  using B = Block<std::remove_reference_t<decltype((s.J))>>;
  return std::array<B, 11>{{{"mdCM", &s.mdCM, "kg*m", 3, 1},
                            {"J", &s.J, "kg*m^2", 6, 1},
                            {"Ct", &s.Ct, "kg*m", -1, 3},
                            {"Cr", &s.Cr, "kg*m^2", -1, 3},
                            {"Me", &s.Me, "kg*m^2", -1, -1},
                            {"Gr", &s.Gr, "kg*m^2", 3, -3},
                            {"Ge", &s.Ge, "kg*m^2", -1, -3},
                            {"Oe", &s.Oe, "kg*m^2", -1, 6},
                            {"ksigma", &s.ksigma, "N*m", -1, 1},
                            {"Ke", &s.Ke, "N*m", -1, -1},
                            {"De", &s.De, "N*m*s", -1, -1}}};
}

template <class N>
auto node_blocks(N& n) {
  using B = Block<std::remove_reference_t<decltype((n.phi))>>;
  return std::array<B, 5>{{{"origin", &n.origin, "m", 3, 1},
                           {"phi", &n.phi, "m", 3, -1},
                           {"psi", &n.psi, "rad", 3, -1},
                           {"AP", &n.AP, "1", 3, 3},
                           {"sigma", &n.sigma, "Pa", 6, -1}}};
}

Eigen::Index resolved(int size, int nq) {
  return size == -1 ? nq : size == -3 ? 3 * nq : size;
}

/// Numbers of several matrices row by row, as HDF5 counts them.
std::vector<double> by_rows(const MatX* first, std::size_t count) {
  std::vector<double> out;
  for (std::size_t k = 0; k < count; ++k)
    for (Eigen::Index i = 0; i < first[k].rows(); ++i)
      for (Eigen::Index j = 0; j < first[k].cols(); ++j) out.push_back(first[k](i, j));
  return out;
}

class Writer {
 public:
  Writer(const Sid& sid, const std::string& path) : sid_(sid), path_(path) {}

  void write() {
    Handle file = check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path_,
                        "the file cannot be created");
    attribute(file, "format", kFormat);
    attribute(file, "name", sid_.name);
    const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle version = check(H5Acreate2(file, "version", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT),
                                 H5Aclose, path_, kCannot);
    check(H5Awrite(version, H5T_NATIVE_INT, &kVersion), path_, kCannot);
    numbers(file, "mass_kg", {}, {sid_.mass_kg}, "kg");
    names(file);
    std::vector<std::int64_t> ids;
    for (const SidNode& n : sid_.nodes) ids.push_back(n.id);
    const hsize_t count = ids.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle set =
        check(H5Dcreate2(file, "node_ids", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              H5Dclose, path_, kCannot);
    if (count > 0)
      check(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids.data()), path_, kCannot);
    for (const auto& b : blocks(sid_)) taylor(file, b);
    const Handle nodes = group(file, "nodes");
    for (const SidNode& n : sid_.nodes) {
      const Handle node = group(nodes, std::to_string(n.id).c_str());
      for (const auto& b : node_blocks(n))
        if (b.taylor->zero.size() > 0) taylor(node, b);
    }
    if (!file.reset()) hdf5::fail(path_, kCannot);
  }

 private:
  static constexpr const char* kCannot = "the file cannot be written";

  Handle group(hid_t where, const char* name) {
    return check(H5Gcreate2(where, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, path_, kCannot);
  }

  void attribute(hid_t where, const char* name, const std::string& text) {
    const Handle type = hdf5::string_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle a =
        check(H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path_, kCannot);
    check(H5Awrite(a, type, text.c_str()), path_, kCannot);
  }

  void numbers(hid_t where, const char* name, const std::vector<hsize_t>& size,
               const std::vector<double>& data, const char* unit) {
    const Handle space(size.empty() ? H5Screate(H5S_SCALAR)
                                    : H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                       H5Sclose);
    const Handle set =
        check(H5Dcreate2(where, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
              path_, kCannot);
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), path_, kCannot);
    attribute(set, "unit", unit);
  }

  void names(hid_t file) {
    std::size_t length = 1;
    std::vector<std::string> texts = sid_.mode_names;
    texts.resize(static_cast<std::size_t>(sid_.nq));
    for (const std::string& t : texts) length = std::max(length, t.size());
    std::vector<char> data(length * texts.size(), '\0');
    for (std::size_t i = 0; i < texts.size(); ++i)
      std::memcpy(data.data() + i * length, texts[i].data(), texts[i].size());
    const hsize_t count = texts.size();
    const Handle type = hdf5::string_type(length), space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle set =
        check(H5Dcreate2(file, "mode_names", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
              path_, kCannot);
    if (count > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), path_, kCannot);
  }

  template <class B>
  void taylor(hid_t where, const B& b) {
    const SidTaylor& t = *b.taylor;
    const Eigen::Index rows = resolved(b.rows, sid_.nq), columns = resolved(b.columns, sid_.nq);
    const auto fits = [=](const MatX& m) { return m.rows() == rows && m.cols() == columns && m.allFinite(); };
    if (!fits(t.zero) || !std::all_of(t.first.begin(), t.first.end(), fits) ||
        !std::all_of(t.second.begin(), t.second.end(), fits))
      throw Error(fmt::format("body '{}', block {}", sid_.name, b.name),
                  fmt::format("it must be finite and {} x {}", rows, columns));
    const Handle g = group(where, b.name);
    const auto r = static_cast<hsize_t>(rows), c = static_cast<hsize_t>(columns);
    numbers(g, "zero", {r, c}, by_rows(&t.zero, 1), b.unit);
    if (!t.first.empty())
      numbers(g, "first", {t.first.size(), r, c}, by_rows(t.first.data(), t.first.size()), b.unit);
    if (!t.second.empty())
      numbers(g, "second", {t.second.size(), r, c}, by_rows(t.second.data(), t.second.size()), b.unit);
  }

  const Sid& sid_;
  const std::string& path_;
};

class SidHdf5Reader {
 public:
  explicit SidHdf5Reader(const std::string& path) : path_(path) {}

  Sid read() {
    const Handle file = check(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path_,
                              "the file cannot be read");
    if (attribute(file, "format") != kFormat) refuse("it is no flexible body");
    check_version(file);
    sid_.name = attribute(file, "name");
    sid_.mass_kg = numbers(file, "mass_kg", {}).at(0);
    sid_.nq = static_cast<int>(
        std::min<hsize_t>(size(open(file, "mode_names"), "mode_names", 1).at(0), kMostModes + 1));
    if (sid_.nq > kMostModes) refuse(fmt::format("it has more than {} elastic coordinates", kMostModes));
    names(file);
    for (const auto& b : blocks(sid_)) taylor(file, "", b);
    const std::vector<std::int64_t> ids = node_ids(file);
    for (const std::int64_t id : ids) {
      SidNode n;
      n.id = static_cast<long>(id);
      const std::string where = fmt::format("nodes/{}/", id);
      if (!exists(file, "nodes") || !exists(file, where.substr(0, where.size() - 1)))
        refuse(fmt::format("group '{}' is missing", where));
      for (const auto& b : node_blocks(n))
        if (b.taylor != &n.sigma || exists(file, where + b.name)) taylor(file, where, b);
      sid_.nodes.push_back(std::move(n));
    }
    return std::move(sid_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const { hdf5::complain(path_, problem, kRemedy); }

  static bool exists(hid_t file, const std::string& name) {
    return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0;
  }

  Handle open(hid_t file, const std::string& name) const {
    if (!exists(file, name)) refuse(fmt::format("dataset '{}' is missing", name));
    return check(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, path_, "the file is damaged");
  }

  /// Lengths; what the stored bytes cannot fill is a damaged file.
  std::vector<hsize_t> size(hid_t set, const std::string& name, int rank) const {
    const Handle space = check(H5Dget_space(set), H5Sclose, path_, "the file is damaged");
    if (H5Sget_simple_extent_ndims(space) != rank)
      refuse(fmt::format("dataset '{}' must have {} dimensions", name, rank));
    std::vector<hsize_t> n(static_cast<std::size_t>(rank), 0);
    if (rank > 0) H5Sget_simple_extent_dims(space, n.data(), nullptr);
    const double bytes = static_cast<double>(H5Sget_simple_extent_npoints(space)) * 8;
    if (bytes > 1e6 + 1000 * static_cast<double>(H5Dget_storage_size(set)))
      refuse(fmt::format("dataset '{}' claims more numbers than the file has", name));
    return n;
  }

  std::string attribute(hid_t file, const char* name) const {
    if (H5Aexists(file, name) <= 0) refuse(fmt::format("attribute '{}' is missing", name));
    const Handle a = check(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, path_, "the file is damaged");
    const Handle type(H5Aget_type(a), H5Tclose), space(H5Aget_space(a), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        H5Sget_simple_extent_npoints(space) != 1)
      refuse(fmt::format("attribute '{}' is no text of fixed length", name));
    std::string text(H5Tget_size(type), '\0');
    check(H5Aread(a, type, text.data()), path_, "the file is damaged");
    return text.substr(0, text.find('\0'));
  }

  void check_version(hid_t file) const {
    int version = 0;
    if (H5Aexists(file, "version") > 0) {
      const Handle a(H5Aopen(file, "version", H5P_DEFAULT), H5Aclose);
      const Handle type(H5Aget_type(a), H5Tclose), space(H5Aget_space(a), H5Sclose);
      if (H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1)
        check(H5Aread(a, H5T_NATIVE_INT, &version), path_, "the file is damaged");
    }
    if (version != kVersion)
      hdf5::complain(path_, fmt::format("its version is {}, it must be {}", version, kVersion),
                     "reduce the body anew with this program");
  }

  std::vector<double> numbers(hid_t file, const std::string& name, const std::vector<hsize_t>& wanted) const {
    const Handle set = open(file, name);
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tget_class(type) != H5T_FLOAT) refuse(fmt::format("dataset '{}' holds no numbers", name));
    const std::vector<hsize_t> n = size(set, name, static_cast<int>(wanted.size()));
    if (n != wanted)
      refuse(fmt::format("dataset '{}' is {}, it must be {}", name, fmt::join(n, " x "),
                         fmt::join(wanted, " x ")));
    std::size_t count = 1;
    for (const hsize_t k : n) count *= static_cast<std::size_t>(k);
    std::vector<double> data(std::max<std::size_t>(count, 1));
    if (count > 0)
      check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), path_,
            "the file is damaged");
    if (!Eigen::Map<const VecX>(data.data(), static_cast<Eigen::Index>(data.size())).allFinite())
      refuse(fmt::format("dataset '{}' has a value that is no finite number", name));
    return data;
  }

  void names(hid_t file) {
    const Handle set = open(file, "mode_names");
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
      refuse("dataset 'mode_names' holds no texts of fixed length");
    const std::size_t length = H5Tget_size(type);
    if (length > 10000) refuse("a name in 'mode_names' is too long");
    std::vector<char> data(length * static_cast<std::size_t>(sid_.nq) + 1, '\0');
    check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), path_, "the file is damaged");
    for (std::size_t i = 0; i < static_cast<std::size_t>(sid_.nq); ++i) {
      const std::string text(data.data() + i * length, length);
      sid_.mode_names.push_back(text.substr(0, text.find('\0')));
    }
  }

  std::vector<std::int64_t> node_ids(hid_t file) const {
    const Handle set = open(file, "node_ids");
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tget_class(type) != H5T_INTEGER) refuse("dataset 'node_ids' holds no integers");
    std::vector<std::int64_t> ids(static_cast<std::size_t>(size(set, "node_ids", 1).at(0)));
    if (!ids.empty())
      check(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids.data()), path_,
            "the file is damaged");
    return ids;
  }

  /// One matrix, or one per first index.
  std::vector<MatX> matrices(hid_t file, const std::string& name, std::size_t count, Eigen::Index rows,
                             Eigen::Index columns, bool stacked) const {
    std::vector<hsize_t> wanted = {static_cast<hsize_t>(rows), static_cast<hsize_t>(columns)};
    if (stacked) wanted.insert(wanted.begin(), count);
    const std::vector<double> data = numbers(file, name, wanted);
    std::vector<MatX> out(count, MatX(rows, columns));
    const double* x = data.data();
    for (MatX& m : out)
      for (Eigen::Index i = 0; i < rows; ++i)
        for (Eigen::Index j = 0; j < columns; ++j) m(i, j) = *x++;
    return out;
  }

  template <class B>
  void taylor(hid_t file, const std::string& where, const B& b) const {
    const std::string name = where + b.name;
    const auto nq = static_cast<std::size_t>(sid_.nq);
    const Eigen::Index rows = resolved(b.rows, sid_.nq), columns = resolved(b.columns, sid_.nq);
    if (!exists(file, name)) refuse(fmt::format("group '{}' is missing", name));
    b.taylor->zero = matrices(file, name + "/zero", 1, rows, columns, false)[0];
    if (exists(file, name + "/first"))
      b.taylor->first = matrices(file, name + "/first", nq, rows, columns, true);
    if (exists(file, name + "/second"))
      b.taylor->second = matrices(file, name + "/second", nq * (nq + 1) / 2, rows, columns, true);
  }

  const std::string& path_;
  Sid sid_;
};

}  // namespace

bool is_hdf5(const std::string& path) {
  constexpr char signature[] = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  char head[8] = {};
  return file.read(head, 8) && std::memcmp(head, signature, 8) == 0;
}

Sid read_sid_hdf5(const std::string& path) {
  const hdf5::Session session;
  return SidHdf5Reader(path).read();
}

void write_sid_hdf5(const Sid& sid, const std::string& path) {
  const hdf5::Session session;
  Writer(sid, path).write();
}

}  // namespace monocoque::io
