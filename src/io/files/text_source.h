#pragma once
// Text of mesh files: one buffer per file, lines and words as views into it, numbers in the spellings of
// Fortran
// ("1.5-3", "1.5D-3", ".5", "+2."). Nothing here allocates per line. Infinite and undefined numbers are
// refused.

#include <string>
#include <string_view>

namespace monocoque::io {

/// The bytes of a regular file. Throws Error for anything else (device, folder, missing) and beyond 8 GiB.
std::string read_text_file(const std::string& path);
/// Throws Error when not all of it can be written.
void write_text_file(const std::string& path, std::string_view text);

std::string_view trimmed(std::string_view s);
/// Capital letters, ASCII only.
std::string upper(std::string_view s);
/// Compares without regard to capitals; b is given in capitals.
bool same_word(std::string_view a, std::string_view b);
bool starts_with_word(std::string_view a, std::string_view b);

/// False unless the whole of s, blanks at the ends aside, is a number.
bool parse_integer(std::string_view s, long& value);
bool parse_real(std::string_view s, double& value);

/// Cuts a text into lines without their line ends, counting them.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  int line() const { return line_; }  ///< number of the line given last, from 1

 private:
  std::string_view rest_;
  int line_ = 0;
};

/// Cuts at a separator: next() gives the pieces, trimmed; a text that ends with the separator has no last
/// piece.
class FieldScanner {
 public:
  explicit FieldScanner(std::string_view text, char separator = ',') : rest_(text), separator_(separator) {}
  bool next(std::string_view& field);

 private:
  std::string_view rest_;
  char separator_;
};

/// Path of an included file as seen from the including one.
std::string beside(const std::string& including, std::string_view included);

}  // namespace monocoque::io
