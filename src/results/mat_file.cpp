#include "results/mat_file.h"

#include <cstdint>
#include <new>

#include <matio.h>

#include "core/error_kinds.h"

namespace monocoque {

namespace {

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

/// matio copies the data.
matvar_t* made(const char* name, matio_classes kind, matio_types type, std::size_t rows, std::size_t columns,
               const void* data) {
  std::size_t sizes[] = {rows, columns};
  matvar_t* out = Mat_VarCreate(name, kind, type, 2, sizes, const_cast<void*>(data), 0);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

}  // namespace

void MatFile::Free::operator()(matvar_t* variable) const {
  Mat_VarFree(variable);
}

MatFile::Variable MatFile::text_variable(const char* name, const std::string& text) {
  // MATLAB counts sixteen-bit characters; as MAT_T_UINT16 scipy would lose those beyond ASCII.
  std::vector<std::uint16_t> letters = characters(text);
  const std::size_t count = letters.size();
  letters.push_back(0);  // never an empty array
  return Variable(made(name, MAT_C_CHAR, MAT_T_UTF16, count == 0 ? 0 : 1, count, letters.data()));
}

void MatFile::add(const std::string& name, const MatX& matrix) {
  static constexpr double none = 0;
  variables_.emplace_back(
      made(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, static_cast<std::size_t>(matrix.rows()),
           static_cast<std::size_t>(matrix.cols()), matrix.size() > 0 ? matrix.data() : &none));
}

void MatFile::add(const std::string& name, const std::string& text) {
  variables_.push_back(text_variable(name.c_str(), text));
}

void MatFile::add(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<matvar_t*> cells(texts.size() + 1, nullptr);
  Variable list(made(name.c_str(), MAT_C_CELL, MAT_T_CELL, texts.size(), 1, cells.data()));
  for (std::size_t i = 0; i < texts.size(); ++i)
    Mat_VarSetCell(list.get(), static_cast<int>(i), text_variable(nullptr, texts[i]).release());
  variables_.push_back(std::move(list));
}

void MatFile::write(const std::string& path) const {
  const std::string header = "MATLAB 5.0 MAT-file, " + description_;
  mat_t* file = Mat_CreateVer(path.c_str(), header.c_str(), MAT_FT_MAT5);
  bool good = file != nullptr;
  for (const Variable& v : variables_) good = good && Mat_VarWrite(file, v.get(), MAT_COMPRESSION_NONE) == 0;
  if (file != nullptr) good = Mat_Close(file) == 0 && good;
  if (!good)
    throw SystemError(Place{path, 0}, "", "the file cannot be written",
                      "check the folder and the free space");
}

}  // namespace monocoque
