#include "realtime/shared_link.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error_kinds.h"

namespace monocoque::realtime {

namespace {

constexpr std::size_t kHeader = 64, kProcessAt = 48, kStateAt = 56;
constexpr std::size_t kWritesAt = 8, kTimeAt = 16, kFlagsAt = 24, kValuesAt = 32;
constexpr std::uint64_t kRuns = 1, kEnded = 2;

using Word = std::atomic_ref<std::uint64_t>;
static_assert(Word::is_always_lock_free, "the guards must work between processes");

Word word(unsigned char* memory, std::size_t at) {
  return Word(*reinterpret_cast<std::uint64_t*>(memory + at));
}

void put_u32(unsigned char* memory, std::size_t at, std::size_t value) {
  const auto v = static_cast<std::uint32_t>(value);
  std::memcpy(memory + at, &v, sizeof v);
}

[[noreturn]] void refuse_shared(const std::string& name, int error) {
  throw SystemError("--shm", fmt::format("shared memory {} cannot be made: {}", name, std::strerror(error)),
                    error == EEXIST ? fmt::format("another run uses this name: take another one, or remove "
                                                  "/dev/shm{} if no run does",
                                                  name)
                                    : "");
}

/// Whether the memory of this name belongs to a run of a process that is gone.
bool is_left_over(const std::string& name) {
  const int file = shm_open(name.c_str(), O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return false;
  unsigned char header[kHeader] = {};
  const bool ours = pread(file, header, kHeader, 0) == static_cast<ssize_t>(kHeader) &&
                    std::memcmp(header, "MCSHARED", 8) == 0;
  close(file);
  std::uint64_t process = 0;
  std::memcpy(&process, header + kProcessAt, sizeof process);
  return ours && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

}  // namespace

SharedPlaces shared_places(std::size_t inputs, std::size_t outputs) {
  const auto rounded = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };  // no cache line in common
  SharedPlaces p;
  p.inputs = kHeader;
  p.outputs = p.inputs + rounded(kValuesAt + 8 * inputs);
  p.size = p.outputs + rounded(kValuesAt + 8 * outputs);
  return p;
}

SharedLink::SharedLink(const std::string& name, const ExchangeLayout& layout)
    : name_("/" + name),
      places_(shared_places(layout.inputs.size(), layout.outputs.size())),
      inputs_(layout.inputs.size()),
      outputs_(layout.outputs.size()),
      values_(layout.inputs.size()) {
  if (name.empty() || name.size() > 200 || name.find('/') != std::string::npos)
    throw Error("--shm", fmt::format("'{}' is no name of shared memory", name),
                "a name without slashes, for example monocoque");
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  int file = shm_open(name_.c_str(), flags, S_IRUSR | S_IWUSR);
  if (file < 0 && errno == EEXIST && is_left_over(name_)) {
    shm_unlink(name_.c_str());
    file = shm_open(name_.c_str(), flags, S_IRUSR | S_IWUSR);
  }
  if (file < 0) refuse_shared(name_, errno);
  void* memory = MAP_FAILED;
  // Memory that is promised but not there would end the program when it is touched.
  int error = posix_fallocate(file, 0, static_cast<off_t>(places_.size));
  if (error == 0) {
    memory = mmap(nullptr, places_.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) error = errno;
  }
  close(file);
  if (error != 0) {
    shm_unlink(name_.c_str());
    refuse_shared(name_, error);
  }
  memory_ = static_cast<unsigned char*>(memory);
  put_u32(memory_, 8, kSharedVersion);
  put_u32(memory_, 12, layout.id());
  put_u32(memory_, 16, inputs_);
  put_u32(memory_, 20, outputs_);
  word(memory_, 24).store(places_.inputs);
  word(memory_, 32).store(places_.outputs);
  word(memory_, 40).store(places_.size);
  word(memory_, kProcessAt).store(static_cast<std::uint64_t>(getpid()));
  word(memory_, kStateAt).store(kRuns);
  // Last: who sees it sees all of the header.
  std::uint64_t magic;
  std::memcpy(&magic, "MCSHARED", 8);
  word(memory_, 0).store(magic, std::memory_order_release);
}

SharedLink::~SharedLink() {
  word(memory_, kStateAt).store(kEnded, std::memory_order_release);
  munmap(memory_, places_.size);
  shm_unlink(name_.c_str());
}

bool SharedLink::receive(double* values) {
  unsigned char* block = memory_ + places_.inputs;
  for (int i = 0; i < kMostTries; ++i) {
    const std::uint64_t guard = word(block, 0).load(std::memory_order_acquire);
    if (guard == last_guard_) return false;
    if (guard % 2 == 1) continue;
    for (std::size_t k = 0; k < inputs_; ++k)
      values_[k] = std::bit_cast<double>(word(block, kValuesAt + 8 * k).load(std::memory_order_relaxed));
    std::atomic_thread_fence(std::memory_order_acquire);
    if (word(block, 0).load(std::memory_order_relaxed) != guard) continue;
    last_guard_ = guard;
    if (!std::all_of(values_.begin(), values_.end(), [](double v) { return std::isfinite(v); })) {
      ++not_finite_;
      return false;
    }
    std::copy(values_.begin(), values_.end(), values);
    ++accepted_;
    return true;
  }
  ++torn_;
  return false;
}

void SharedLink::send(double t_s, const double* values, std::uint32_t flags) {
  unsigned char* block = memory_ + places_.outputs;
  const std::uint64_t guard = 2 * writes_;
  word(block, 0).store(guard + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  word(block, kWritesAt).store(++writes_, std::memory_order_relaxed);
  word(block, kTimeAt).store(std::bit_cast<std::uint64_t>(t_s), std::memory_order_relaxed);
  word(block, kFlagsAt).store(flags, std::memory_order_relaxed);
  for (std::size_t k = 0; k < outputs_; ++k)
    word(block, kValuesAt + 8 * k).store(std::bit_cast<std::uint64_t>(values[k]), std::memory_order_relaxed);
  word(block, 0).store(guard + 2, std::memory_order_release);
}

std::vector<std::pair<std::string, std::int64_t>> SharedLink::counts() const {
  return {{"inputs accepted", accepted_},
          {"refused: torn", torn_},
          {"refused: not finite", not_finite_},
          {"outputs written", static_cast<std::int64_t>(writes_)}};
}

}  // namespace monocoque::realtime
