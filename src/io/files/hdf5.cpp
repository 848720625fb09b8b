#include "io/files/hdf5.h"

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::hdf5 {

namespace {

std::recursive_mutex& mutex() {
  static std::recursive_mutex m;
  return m;
}

struct Found {
  std::string system, innermost;
};

herr_t look(unsigned, const H5E_error2_t* e, void* data) {
  auto& found = *static_cast<Found*>(data);
  const std::string text = e->desc != nullptr ? e->desc : "";
  const std::string mark = "error message = '";
  const auto at = text.find(mark);
  if (at != std::string::npos) {
    const auto end = text.find('\'', at + mark.size());
    found.system = text.substr(at + mark.size(), end - at - mark.size());
  }
  if (!text.empty()) found.innermost = text;
  return 0;
}

std::string remedy(const std::string& why) {
  const auto has = [&](const char* part) { return why.find(part) != std::string::npos; };
  if (has("No space left") || has("File too large") || has("quota"))
    return "free some space or write to another disk";
  if (has("Permission denied") || has("Read-only"))
    return "choose a place where you may write, or change its permissions";
  if (has("Is a directory")) return "give the name of a file, not of a folder";
  if (has("No such file")) return "check the spelling; a folder must exist before a file is written into it";
  if (has("Resource temporarily unavailable") || has("to lock file"))
    return "another program has the file open; close it there or use another name";
  if (has("signature") || has("truncated"))
    return "it is not an HDF5 file, or it is cut off; run the simulation again";
  return "check the file and the disk; a damaged file can only be made again by another run";
}

}  // namespace

Session::Session() : lock_(mutex()) {
  // HDF5's cleaning up at exit crashes on a file whose last write failed; everything is closed by handles
  // here.
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);
  H5Eget_auto2(H5E_DEFAULT, &report_, &report_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eset_auto2(H5E_DEFAULT, report_, report_data_);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = other.id_;
    close_ = other.close_;
    other.id_ = -1;
  }
  return *this;
}

bool Handle::reset() {
  if (id_ < 0) return true;
  const hid_t id = id_;
  id_ = -1;
  return close_(id) >= 0;
}

std::string reason() {
  Found found;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &found);
  // Walking upward visits the innermost call first; keep that one only when the system gave no reason.
  if (found.system.empty()) {
    Found down;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, look, &down);
    found.system = down.innermost;
  }
  H5Eclear2(H5E_DEFAULT);
  return found.system.empty() ? "HDF5 gives no reason" : found.system;
}

void complain(const std::string& path, const std::string& problem, const std::string& remedy) {
  Diagnostic d;
  d.place.file = path;
  d.problem = problem;
  d.remedy = remedy;
  throw Error(std::move(d));
}

void fail(const std::string& path, const std::string& what) {
  const std::string why = reason();
  complain(path, fmt::format("{}: {}", what, why), remedy(why));
}

Handle string_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, length > 0 ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace monocoque::hdf5
