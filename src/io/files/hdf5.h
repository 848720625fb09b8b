#pragma once
// The few lines of glue between HDF5's C interface and this program: handles that close themselves, one lock
// (Debian's HDF5 is not thread-safe), silence on stderr, and failures as Error with file, reason and remedy.

#include <mutex>
#include <string>

#include <hdf5.h>

namespace monocoque::hdf5 {

/// Alive while HDF5 is in use: holds the lock and keeps HDF5 from writing to stderr.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t report_ = nullptr;
  void* report_data_ = nullptr;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// False when HDF5 could not close it (for a file: the rest could not be written).
  bool reset();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// What the innermost failed call says, e.g. "No space left on device"; clears HDF5's record of errors.
std::string reason();
/// Throws Error about this file.
[[noreturn]] void complain(const std::string& path, const std::string& problem,
                           const std::string& remedy = {});
/// Throws Error about this file with the reason and the remedy that fits it.
[[noreturn]] void fail(const std::string& path, const std::string& what);

inline Handle check(hid_t id, Handle::Close close, const std::string& path, const char* what) {
  if (id < 0) fail(path, what);
  return {id, close};
}
inline void check(herr_t status, const std::string& path, const char* what) {
  if (status < 0) fail(path, what);
}

/// UTF-8 string of fixed length, padded with zeros. Strings of variable length would lie in HDF5's global
/// heap, which has no checksum: a damaged one makes HDF5 1.10 read outside its memory.
Handle string_type(std::size_t length);

}  // namespace monocoque::hdf5
