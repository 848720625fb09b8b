#pragma once
// A picture in memory with hidden surfaces removed pixel by pixel (z-buffer). Coordinates are pixels from the
// upper left corner; depth is 1 / distance, which runs straight over a plane seen in perspective: larger is
// nearer. Four samples per pixel.

#include <functional>
#include <string>
#include <vector>

#include "core/types.h"
#include "results/color_map.h"

namespace monocoque {

struct CanvasPoint {
  double x = 0, y = 0, depth = 0;
  double value = 0;  ///< between points it runs straight in space, not on the screen
};

class Canvas {
 public:
  Canvas(int width, int height);

  /// Colour of a pixel from its value, times `light`.
  void triangle(const CanvasPoint& a, const CanvasPoint& b, const CanvasPoint& c, double light,
                const std::function<Rgb(double)>& color);
  /// width in pixels; opacity 0 to 1; drawn where nothing is nearer than depth * (1 + bias).
  void line(const CanvasPoint& a, const CanvasPoint& b, double width, double opacity, double bias,
            const std::function<Rgb(double)>& color);

  /// Portable network graphics, 24 bit.
  std::string png() const;

 private:
  int width_, height_;  ///< of the samples
  std::vector<float> depth_;
  std::vector<Rgb> color_;
};

std::string base64(const std::string& bytes);

}  // namespace monocoque
