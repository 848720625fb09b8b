#include "measure/operation_count.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>

#include <dlfcn.h>
#include <ucontext.h>

#include "measure/benchmark.h"

namespace monocoque::measure {

namespace {

#if defined(__AVX__)
constexpr int kLane = 4;
#else
constexpr int kLane = 2;
#endif
typedef double Lane __attribute__((vector_size(8 * kLane)));

#if defined(__x86_64__)

constexpr const char* kAllocators[] = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"};

/// Operations of one instruction: numbers it works on, times two when it multiplies and adds.
struct Operation {
  int numbers = 0, each = 1;
};

bool arithmetic(std::uint8_t opcode) {  // sqrt, add, mul, sub, div of the 0F map
  return opcode == 0x51 || opcode == 0x58 || opcode == 0x59 || opcode == 0x5C || opcode == 0x5E;
}
bool horizontal(std::uint8_t opcode) {  // haddpd, hsubpd, addsubpd
  return opcode == 0x7C || opcode == 0x7D || opcode == 0xD0;
}

/// Of the 0F map. `form`: 0 packed single, 1 packed double, 2 scalar single, 3 scalar double.
Operation plain(std::uint8_t opcode, int form, int bytes) {
  if (arithmetic(opcode)) return {form >= 2 ? 1 : bytes / (form == 0 ? 4 : 8), 1};
  if (horizontal(opcode) && (form == 1 || form == 3)) return {bytes / (form == 3 ? 4 : 8), 1};
  return {};
}

/// Fused multiplications and additions of the 0F 38 map under VEX.
Operation fused(std::uint8_t opcode, bool wide, int bytes) {
  const int low = opcode & 0x0F, high = opcode >> 4;
  if (high != 0x9 && high != 0xA && high != 0xB) return {};
  if (low < 6) return {};
  const bool scalar = low >= 9 && low % 2 == 1;
  return {scalar ? 1 : bytes / (wide ? 8 : 4), 2};
}

/// The AMD64 manual, volume 4: legacy SSE and VEX forms. EVEX (AVX-512) is not used by this program.
Operation decode(const std::uint8_t* p) {
  if (p[0] == 0xC5) {
    return plain(p[2], p[1] & 3, p[1] & 4 ? 32 : 16);
  }
  if (p[0] == 0xC4) {
    const int map = p[1] & 0x1F, bytes = p[2] & 4 ? 32 : 16;
    if (map == 1) return plain(p[3], p[2] & 3, bytes);
    if (map == 2 && (p[2] & 3) == 1) return fused(p[3], (p[2] & 0x80) != 0, bytes);
    return {};
  }
  int form = 0;
  for (;; ++p) {
    if (*p == 0x66)
      form = form == 0 ? 1 : form;
    else if (*p == 0xF3)
      form = 2;
    else if (*p == 0xF2)
      form = 3;
    else if (*p != 0x2E && *p != 0x3E && *p != 0x64 && *p != 0x65)
      break;
  }
  if ((*p & 0xF0) == 0x40) ++p;  // REX
  if (p[0] != 0x0F) return {};
  return plain(p[1], form, 16);
}

OperationCount* counted = nullptr;
std::array<std::uintptr_t, 5> heap{};

/// Comes before every instruction while the processor's trap flag is set; that of this handler is not.
void trapped(int, siginfo_t*, void* context) {
  const auto at = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  const Operation o = decode(reinterpret_cast<const std::uint8_t*>(at));
  ++counted->instructions;
  counted->flops += o.numbers * o.each;
  if (o.numbers > 1) counted->vector_flops += o.numbers * o.each;
  if (std::find(heap.begin(), heap.end(), at) != heap.end()) ++counted->allocations;
}

void trap_every_instruction(bool on) {
  constexpr unsigned long long kTrapFlag = 0x100;
  const auto flags = __builtin_ia32_readeflags_u64();
  __builtin_ia32_writeeflags_u64(on ? flags | kTrapFlag : flags & ~kTrapFlag);
}

#endif

}  // namespace

std::optional<OperationCount> count_operations(const std::function<void()>& work) {
#if defined(__x86_64__)
  OperationCount out;
  std::transform(std::begin(kAllocators), std::end(kAllocators), heap.begin(), [](const char* name) {
    return reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, name));
  });
  counted = &out;
  struct sigaction action = {}, before = {};
  action.sa_sigaction = trapped;
  action.sa_flags = SA_SIGINFO;
  if (sigaction(SIGTRAP, &action, &before) != 0) return std::nullopt;
  trap_every_instruction(true);
  work();
  trap_every_instruction(false);
  sigaction(SIGTRAP, &before, nullptr);
  return out;
#else
  (void)work;
  return std::nullopt;
#endif
}

double peak_flops_per_s() {
  constexpr int kChains = 12, kTurns = 4000;
  Lane sums[kChains];
  for (int i = 0; i < kChains; ++i)
    for (int k = 0; k < kLane; ++k) sums[i][k] = 1 + 0.01 * i + 0.1 * k;
  const double seconds = best_cpu_s(50, 1, [&] {
    // Every chain waits for itself only; together they fill the pipes.
    Lane a[kChains];
    std::memcpy(a, sums, sizeof a);
    Lane factor, addend;
    for (int k = 0; k < kLane; ++k) factor[k] = 0.999999, addend[k] = 1e-6;
    for (int turn = 0; turn < kTurns; ++turn) {
      asm volatile("" : "+x"(factor), "+x"(addend));
#pragma GCC unroll 12
      for (int i = 0; i < kChains; ++i) a[i] = a[i] * factor + addend;
    }
    std::memcpy(sums, a, sizeof a);
  });
  volatile double kept = sums[0][0];  // the work has a result
  (void)kept;
  return 2.0 * kLane * kChains * kTurns / seconds;
}

}  // namespace monocoque::measure
