#pragma once
// Counts calls of malloc and its relatives by this thread. Sanitizers replace malloc themselves: in their
// builds nothing can be counted, a test that wants to must skip, and malloc_count() fails it if it does not.

namespace monocoque::test {

long malloc_count();
bool malloc_is_counted();

}  // namespace monocoque::test
