#include "solve/malloc_count.h"

#include <cerrno>
#include <cstddef>

namespace {
thread_local long calls = 0;
}

namespace monocoque::test {

long malloc_count() {
  return calls;
}

#ifdef __SANITIZE_ADDRESS__
bool malloc_is_counted() {
  return false;
}
}  // namespace monocoque::test
#else
bool malloc_is_counted() {
  return true;
}
}  // namespace monocoque::test

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
