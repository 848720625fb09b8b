#pragma once
// MATLAB files of level 5, uncompressed, written by matio: matrices of doubles, texts, and lists of texts
// (cell arrays). MATLAB, Octave and scipy.io.loadmat read them.

#include <memory>
#include <string>
#include <vector>

#include "core/types.h"

struct matvar_t;

namespace monocoque {

class MatFile {
 public:
  explicit MatFile(std::string description) : description_(std::move(description)) {}
  void add(const std::string& name, const MatX& matrix);
  void add(const std::string& name, const std::string& text);
  void add(const std::string& name, const std::vector<std::string>& texts);
  /// Throws Error when the file cannot be written.
  void write(const std::string& path) const;

 private:
  struct Free {
    void operator()(matvar_t* variable) const;
  };
  using Variable = std::unique_ptr<matvar_t, Free>;
  static Variable text_variable(const char* name, const std::string& text);

  std::string description_;
  std::vector<Variable> variables_;
};

}  // namespace monocoque
