#include "solve/malloc_count.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include <gtest/gtest.h>

// Sanitizers have a malloc of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MONOCOQUE_COUNTS_MALLOC 0
#else
#define MONOCOQUE_COUNTS_MALLOC 1
#endif

namespace {
thread_local long calls = 0;
}

namespace monocoque::test {

bool malloc_is_counted() {
  return MONOCOQUE_COUNTS_MALLOC != 0;
}

long malloc_count() {
  if (!malloc_is_counted()) ADD_FAILURE() << "nothing is counted in this build: 0 would be compared with 0";
  return calls;
}

// In every suite that counts: the counter must see what it is there for.
TEST(MallocCount, SeesADeliberateMalloc) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  void* volatile kept = nullptr;  // the compiler may not leave out a call whose result is kept
  const long before = malloc_count();
  kept = std::malloc(24);
  const long after_malloc = malloc_count();
  std::free(kept);
  kept = std::calloc(3, 8);
  const long after_calloc = malloc_count();
  kept = std::realloc(kept, 4096);
  const long after_realloc = malloc_count();
  std::free(kept);
  kept = new double[5];
  const long after_new = malloc_count();
  delete[] static_cast<double*>(kept);
  EXPECT_EQ(after_malloc - before, 1);
  EXPECT_EQ(after_calloc - after_malloc, 1);
  EXPECT_EQ(after_realloc - after_calloc, 1);
  EXPECT_EQ(after_new - after_realloc, 1);
}

}  // namespace monocoque::test

#if MONOCOQUE_COUNTS_MALLOC
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) {
  ++calls;
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) {
  ++calls;
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) {
  ++calls;
  return __libc_realloc(p, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) {
  ++calls;
  return __libc_memalign(alignment, n);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t n) {
  ++calls;
  *out = __libc_memalign(alignment, n);
  return *out == nullptr ? ENOMEM : 0;
}
}
#endif
