#include "results/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <png.h>

#include "core/error_kinds.h"
#include "core/index.h"

namespace monocoque {

namespace {

constexpr int kSamples = 2;  ///< per pixel and direction

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(kSamples * width),
      height_(kSamples * height),
      depth_(at(width_) * at(height_), 0.0F),
      color_(at(width_) * at(height_), Rgb{1, 1, 1}) {}

void Canvas::triangle(const CanvasPoint& a, const CanvasPoint& b, const CanvasPoint& c, double light,
                      const std::function<Rgb(double)>& color) {
  const double ax = kSamples * a.x, ay = kSamples * a.y, bx = kSamples * b.x, by = kSamples * b.y;
  const double cx = kSamples * c.x, cy = kSamples * c.y;
  const double twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (!(std::abs(twice) > 1e-9)) return;
  const int x0 = std::max(0, static_cast<int>(std::floor(std::min({ax, bx, cx}))));
  const int x1 = std::min(width_ - 1, static_cast<int>(std::ceil(std::max({ax, bx, cx}))));
  const int y0 = std::max(0, static_cast<int>(std::floor(std::min({ay, by, cy}))));
  const int y1 = std::min(height_ - 1, static_cast<int>(std::ceil(std::max({ay, by, cy}))));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double wb = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / twice;
      const double wc = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / twice;
      const double wa = 1 - wb - wc;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const double depth = wa * a.depth + wb * b.depth + wc * c.depth;
      const std::size_t i = at(y) * at(width_) + at(x);
      if (!(depth > static_cast<double>(depth_[i]))) continue;
      depth_[i] = static_cast<float>(depth);
      const double value = (wa * a.depth * a.value + wb * b.depth * b.value + wc * c.depth * c.value) / depth;
      Rgb rgb = color(value);
      for (float& k : rgb) k *= static_cast<float>(light);
      color_[i] = rgb;
    }
}

void Canvas::line(const CanvasPoint& a, const CanvasPoint& b, double width, double opacity, double bias,
                  const std::function<Rgb(double)>& color) {
  const double dx = kSamples * (b.x - a.x), dy = kSamples * (b.y - a.y);
  const double steps = std::ceil(std::max({std::abs(dx), std::abs(dy), 1.0}));
  if (!(steps < 1e5)) return;
  const int thick = std::max(1, static_cast<int>(std::lround(width * kSamples)));
  const bool flat = std::abs(dx) > std::abs(dy);
  for (int k = 0; k <= static_cast<int>(steps); ++k) {
    const double t = k / steps;
    const double depth = (1 - t) * a.depth + t * b.depth;
    const double value = ((1 - t) * a.depth * a.value + t * b.depth * b.value) / depth;
    for (int j = 0; j < thick; ++j) {
      const int across = j - thick / 2;
      const int x = static_cast<int>(std::floor(kSamples * a.x + t * dx)) + (flat ? 0 : across);
      const int y = static_cast<int>(std::floor(kSamples * a.y + t * dy)) + (flat ? across : 0);
      if (x < 0 || y < 0 || x >= width_ || y >= height_) continue;
      const std::size_t i = at(y) * at(width_) + at(x);
      if (depth * (1 + bias) < static_cast<double>(depth_[i])) continue;
      const Rgb rgb = color(value);
      const auto o = static_cast<float>(opacity);
      for (std::size_t c = 0; c < 3; ++c) color_[i][c] = (1 - o) * color_[i][c] + o * rgb[c];
    }
  }
}

std::string Canvas::png() const {
  const int w = width_ / kSamples, h = height_ / kSamples;
  std::vector<unsigned char> pixels(3 * at(w) * at(h));
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        float sum = 0;
        for (int j = 0; j < kSamples; ++j)
          for (int i = 0; i < kSamples; ++i)
            sum += color_[at(kSamples * y + j) * at(width_) + at(kSamples * x + i)][c];
        pixels[3 * (at(y) * at(w) + at(x)) + c] = static_cast<unsigned char>(
            std::lround(255 * std::clamp(sum / (kSamples * kSamples), 0.0F, 1.0F)));
      }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(w);
  image.height = static_cast<png_uint_32>(h);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string out(size, '\0');
  if (png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0, nullptr) == 0)
    throw SystemError("picture", fmt::format("libpng cannot write it: {}", image.message));
  out.resize(size);
  return out;
}

std::string base64(const std::string& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t x = 0;
    for (std::size_t k = 0; k < 3; ++k)
      x = x << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[x >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

}  // namespace monocoque
