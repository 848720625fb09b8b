#pragma once
// Counts calls of malloc and its relatives in this program. Under AddressSanitizer, which replaces malloc
// itself, nothing is counted and malloc_count() stays zero.

namespace monocoque::test {

long malloc_count();
bool malloc_is_counted();

}  // namespace monocoque::test
