#pragma once
// Nastran bulk data as cards: a name and its fields, put together from free (comma), small (8 columns) and
// large (16 columns, *) lines with their continuations. Fields are views into the file's text.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "io/mesh/mesh_draft.h"

namespace monocoque::io {

class NastranCard {
 public:
  std::string_view name;                 ///< capitals, without the star of large fields
  std::vector<std::string_view> fields;  ///< after the name, eight per card line; trimmed
  FileLine where;
  Mistakes* mistakes = nullptr;

  std::size_t size() const { return fields.size(); }
  std::string_view text(std::size_t i) const { return i < fields.size() ? fields[i] : std::string_view{}; }
  bool has(std::size_t i) const { return !text(i).empty(); }
  /// Number of fields up to the last that is not blank.
  std::size_t used() const;
  /// "CQUAD4 17"
  std::string label() const;
  void mistake(std::string problem, std::string remedy = {});
  bool good() const { return good_; }

  // Each reports a field that is no number, and one that is required and blank.
  long integer(std::size_t i, const char* what);
  long integer(std::size_t i, const char* what, long otherwise);
  long positive(std::size_t i, const char* what);
  double real(std::size_t i, const char* what);
  double real(std::size_t i, const char* what, double otherwise);
  Vec3 vector(std::size_t i, const char* what);
  /// Digits 1 to 6 as bits; blank gives otherwise.
  std::uint8_t components(std::size_t i, const char* what, std::uint8_t otherwise);

  void begin(std::string_view card_name, FileLine place);

 private:
  char name_buffer_[16] = {};
  bool good_ = true;
};

/// A field that holds a real number rather than an integer: it has a point or an exponent.
bool is_real_field(std::string_view field);

/// Calls use for each card of the bulk data, include for each INCLUDE; stops behind ENDDATA. Returns false
/// then.
bool scan_nastran(std::string_view text, int file, Mistakes& mistakes, bool main_file,
                  const std::function<void(NastranCard&)>& use,
                  const std::function<bool(std::string_view path, FileLine where)>& include);

}  // namespace monocoque::io
