#pragma once
// Inputs and outputs in POSIX shared memory /dev/shm/NAME, for a controller on the same machine. All numbers
// in the order of the machine, all 8-byte fields at multiples of 8:
//   header   0 "MCSHARED"  8 u32 version 1  12 u32 layout  16 u32 inputs  20 u32 outputs
//           24 u64 offset of the input block  32 u64 offset of the output block  40 u64 bytes of all
//           48 u64 process of the simulation  56 u64 state: 1 runs, 2 has ended
//   block    0 u64 guard    8 u64 writes so far  16 f64 simulated time, s  24 u64 flags (exchange.h)  32 f64
//   values
// The input block is written by the controller only, the output block by the simulation only, and both in the
// same way: guard + 1 (odd), contents, guard + 1 (even). A reader takes the guard, copies, and takes the
// guard again: if it was odd or has changed, the copy is worthless and is made again. Nobody ever waits for
// the other.

#include <cstddef>
#include <cstdint>

#include "realtime/exchange.h"

namespace monocoque::realtime {

constexpr std::uint32_t kSharedVersion = 1;
struct SharedPlaces {
  std::size_t inputs = 0, outputs = 0, size = 0;  ///< offsets of the blocks, bytes of all
};
SharedPlaces shared_places(std::size_t inputs, std::size_t outputs);

class SharedLink final : public ExchangeLink {
 public:
  static constexpr int kMostTries = 8;  ///< of one call of receive

  /// Makes the memory; one left by a process that is gone is replaced. Throws Error otherwise.
  SharedLink(const std::string& name, const ExchangeLayout& layout);
  /// Marks it as ended and takes the name away.
  ~SharedLink() override;
  SharedLink(const SharedLink&) = delete;
  SharedLink& operator=(const SharedLink&) = delete;

  bool receive(double* values) override;
  void send(double t_s, const double* values, std::uint32_t flags) override;
  std::vector<std::pair<std::string, std::int64_t>> counts() const override;
  std::string description() const override { return "shared memory " + name_; }

 private:
  std::string name_;  ///< with its leading slash
  SharedPlaces places_;
  std::size_t inputs_, outputs_;
  unsigned char* memory_ = nullptr;
  std::uint64_t last_guard_ = 0, writes_ = 0;
  std::vector<double> values_;
  std::int64_t accepted_ = 0, torn_ = 0, not_finite_ = 0;
};

}  // namespace monocoque::realtime
