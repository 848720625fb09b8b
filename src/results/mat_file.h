#pragma once
// MATLAB files of level 5 (MAT-File Format, "Level 5 MAT-Files"), uncompressed: matrices of doubles, texts,
// and lists of texts (cell arrays). MATLAB, Octave and scipy.io.loadmat read them.

#include <string>
#include <vector>

#include "core/types.h"

namespace monocoque {

class MatFile {
 public:
  explicit MatFile(const std::string& description);
  void add(const std::string& name, const MatX& matrix);
  void add(const std::string& name, const std::string& text);
  void add(const std::string& name, const std::vector<std::string>& texts);
  const std::string& bytes() const { return bytes_; }
  /// Throws Error when the file cannot be written.
  void write(const std::string& path) const;

 private:
  std::string bytes_;
};

}  // namespace monocoque
