#include "results/mat_file.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "core/error_kinds.h"

namespace monocoque {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

enum MatType : std::uint32_t { kInt8 = 1, kUint16 = 4, kInt32 = 5, kUint32 = 6, kDouble = 9, kMatrix = 14 };
enum MatClass : std::uint32_t { kCell = 1, kChar = 4, kDoubles = 6 };

template <class T>
void put(std::string& out, const T* data, std::size_t count) {
  const std::size_t at = out.size();
  out.resize(at + count * sizeof(T));
  if (count > 0) std::memcpy(out.data() + at, data, count * sizeof(T));
}

/// A tag, the data, zeros up to a multiple of eight.
template <class T>
void put_element(std::string& out, MatType type, const T* data, std::size_t count) {
  const std::uint32_t tag[] = {type, static_cast<std::uint32_t>(count * sizeof(T))};
  put(out, tag, 2);
  put(out, data, count);
  out.resize((out.size() + 7) / 8 * 8, '\0');
}

/// Flags, sizes and name of an array.
std::string head(MatClass kind, std::size_t rows, std::size_t columns, const std::string& name) {
  std::string out;
  const std::uint32_t flags[] = {kind, 0};
  const std::int32_t sizes[] = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)};
  put_element(out, kUint32, flags, 2);
  put_element(out, kInt32, sizes, 2);
  put_element(out, kInt8, name.data(), name.size());
  return out;
}

void put_array(std::string& out, const std::string& body) {
  put_element(out, kMatrix, body.data(), body.size());
}

/// UTF-8 to the 16-bit characters of MATLAB; what needs more becomes a question mark.
std::vector<std::uint16_t> characters(const std::string& text) {
  std::vector<std::uint16_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) {
      return k < text.size() ? static_cast<unsigned char>(text[k]) : std::uint8_t{0};
    };
    const unsigned c = byte(i);
    if (c < 0x80) {
      out.push_back(static_cast<std::uint16_t>(c));
      i += 1;
    } else if (c >= 0xC0 && c < 0xE0) {
      out.push_back(static_cast<std::uint16_t>((c & 0x1F) << 6 | (byte(i + 1) & 0x3Fu)));
      i += 2;
    } else if (c >= 0xE0 && c < 0xF0) {
      out.push_back(
          static_cast<std::uint16_t>((c & 0x0F) << 12 | (byte(i + 1) & 0x3Fu) << 6 | (byte(i + 2) & 0x3Fu)));
      i += 3;
    } else {
      out.push_back('?');
      i += c >= 0xF0 ? 4 : 1;
    }
  }
  return out;
}

std::string text_array(const std::string& name, const std::string& text) {
  const std::vector<std::uint16_t> letters = characters(text);
  std::string body = head(kChar, letters.empty() ? 0 : 1, letters.size(), name);
  put_element(body, kUint16, letters.data(), letters.size());
  return body;
}

}  // namespace

MatFile::MatFile(const std::string& description) : bytes_("MATLAB 5.0 MAT-file, " + description) {
  bytes_.resize(116, ' ');
  bytes_.resize(124, '\0');  // no subsystem data
  bytes_ += std::string("\x00\x01IM", 4);
}

void MatFile::add(const std::string& name, const MatX& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows()),
             columns = static_cast<std::size_t>(matrix.cols());
  std::string body = head(kDoubles, rows, columns, name);
  put_element(body, kDouble, matrix.data(), rows * columns);
  put_array(bytes_, body);
}

void MatFile::add(const std::string& name, const std::string& text) {
  put_array(bytes_, text_array(name, text));
}

void MatFile::add(const std::string& name, const std::vector<std::string>& texts) {
  std::string body = head(kCell, texts.size(), 1, name);
  for (const std::string& text : texts) put_array(body, text_array("", text));
  put_array(bytes_, body);
}

void MatFile::write(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  if (!file.flush())
    throw SystemError(Place{path, 0}, "", "the file cannot be written",
                      "check the folder and the free space");
}

}  // namespace monocoque
