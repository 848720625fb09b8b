#pragma once
// How a result file is opened, also one that is being written or was cut off, and how single pieces are read
// from it with every size checked: the file may be damaged. Callers hold an hdf5::Session.

#include <string>
#include <vector>

#include "io/files/hdf5.h"

namespace monocoque::run_access {

/// Throws Error: this is not a result file as monocoque run writes it.
[[noreturn]] void not_ours(const std::string& path, const std::string& what);

/// Without a lock another run may write the file anew while it is open here.
hdf5::Handle open_file(const std::string& path, bool lock = true);
bool exists(hid_t file, const char* name);
hdf5::Handle open_set(hid_t file, const std::string& path, const char* name);
/// Lengths of a dataset of the given rank. A size that its stored bytes cannot fill is a damaged file, not a
/// reason to ask for terabytes.
std::vector<hsize_t> lengths(hid_t set, const std::string& path, const char* name, int rank,
                             std::size_t item);
void require_numbers(hid_t set, const std::string& path, const char* name);
std::vector<std::string> dataset_texts(hid_t file, const std::string& path, const char* name, int rank);
/// Empty when the file does not say. Long texts are datasets of the same name.
std::string text(hid_t file, const std::string& path, const char* name);
bool complete_mark(hid_t file);

}  // namespace monocoque::run_access
