// Pictures of meshes: what is in front hides what is behind, colours are those of the values, the file holds
// a PNG that a reader can unpack.

#include <cmath>

#include <gtest/gtest.h>
#include <png.h>

#include "core/error.h"
#include "results/canvas.h"
#include "results/color_map.h"
#include "results/mesh_picture.h"

namespace monocoque::test {
namespace {

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
  explicit Picture(const std::string& png) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, png.data(), png.size()), 0) << image.message;
    EXPECT_EQ(image.format, static_cast<png_uint_32>(PNG_FORMAT_RGB));
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
    rgb.resize(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr), 0) << image.message;
  }
  int at(int x, int y, int channel) const {
    return rgb[static_cast<std::size_t>(3 * (y * width + x) + channel)];
  }
};

TEST(Canvas, TheNearerSurfaceIsSeenInEitherOrder) {
  const auto red = [](double) { return Rgb{1, 0, 0}; };
  const auto blue = [](double) { return Rgb{0, 0, 1}; };
  for (const bool near_first : {true, false}) {
    Canvas c(40, 30);
    const auto draw = [&](double depth, const std::function<Rgb(double)>& color) {
      c.triangle({0, 0, depth}, {40, 0, depth}, {0, 30, depth}, 1, color);
    };
    if (near_first) draw(0.5, red);
    draw(0.25, blue);
    if (!near_first) draw(0.5, red);
    const Picture p(c.png());
    EXPECT_EQ(p.width, 40);
    EXPECT_EQ(p.height, 30);
    EXPECT_EQ(p.at(5, 5, 0), 255);
    EXPECT_EQ(p.at(5, 5, 2), 0);
    EXPECT_EQ(p.at(38, 28, 0), 255);  // ground is white
    EXPECT_EQ(p.at(38, 28, 1), 255);
  }
}

TEST(Canvas, ValuesRunStraightInSpace) {
  // A strip from distance 1 to 3: half way on the screen is 1/4 of the way in space.
  Canvas c(100, 20);
  double seen = -1;
  const auto note = [&](double v) {
    if (std::abs(v - 0.25) < std::abs(seen - 0.25)) seen = v;
    return Rgb{static_cast<float>(v), 0, 0};
  };
  c.triangle({0, 0, 1, 0}, {100, 0, 1.0 / 3, 1}, {0, 20, 1, 0}, 1, note);
  EXPECT_NEAR(Picture(c.png()).at(50, 1, 0), 255 * 0.25, 3);
}

TEST(ColorMap, LightnessRisesEvenly) {
  // Relative luminance of linear light to CIE L*: steps of equal size within a tenth.
  const auto lightness = [](const Rgb& c) {
    const auto linear = [](double x) {
      return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    const double Y = 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
    return 116 * std::cbrt(Y) - 16;
  };
  const double first = lightness(map_color(0)), last = lightness(map_color(1));
  EXPECT_LT(first, 25);
  EXPECT_GT(last, 85);
  for (int i = 1; i <= 10; ++i)
    EXPECT_NEAR((lightness(map_color(0.1 * i)) - lightness(map_color(0.1 * (i - 1)))) / (last - first), 0.1,
                0.035)
        << i;
  EXPECT_EQ(map_color(-1), map_color(0));
  EXPECT_EQ(map_color(7), map_color(1));
  EXPECT_EQ(map_color(std::nan(""))[0], map_color(std::nan(""))[2]);
}

TEST(Base64, OfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

MeshSurface square() {
  MeshSurface s;
  s.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  s.faces = {{0, 1, 2, 3}};
  return s;
}

TEST(MeshPicture, HasTitleLegendAndUnit) {
  MeshPicture p;
  p.title = "stress <top>";
  p.quantity = "von Mises";
  p.unit = "MPa";
  p.value = {0, 10, 20, 30};
  p.displacement_m.assign(4, Vec3(0, 0, 1e-3));
  p.magnification = 100;
  p.width = 400;
  p.height = 300;
  const std::string svg = picture_svg(square(), p);
  for (const char* part : {"stress &lt;top&gt;", "von Mises", "[MPa]", "data:image/png;base64,iVBOR", ">30<"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg, picture_svg(square(), p));
}

TEST(MeshPicture, WhatDoesNotFitIsRefused) {
  MeshPicture p;
  p.value = {1, 2};
  EXPECT_THROW(picture_svg(square(), p), Error);
  p = {};
  p.displacement_m.resize(3);
  EXPECT_THROW(picture_svg(square(), p), Error);
  EXPECT_THROW(picture_svg({}, {}), Error);
  p = {};
  p.value.assign(4, std::nan(""));  // nothing known: grey, but a picture
  EXPECT_NE(picture_svg(square(), p).find("</svg>"), std::string::npos);
}

TEST(MeshSurface, InnerFacesOfSolidsAreNotDrawn) {
  io::FeMesh mesh;
  for (int k = 0; k < 3; ++k)
    for (const auto& [x, y] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)})
      mesh.nodes.push_back({static_cast<long>(mesh.nodes.size()) + 1, Vec3(x, y, k)});
  for (int k = 0; k < 2; ++k) {
    io::FeElement e;
    e.kind = io::ElementKind::brick8;
    e.first_node = static_cast<int>(mesh.connectivity.size());
    for (int i = 0; i < 8; ++i) mesh.connectivity.push_back(4 * k + i);
    mesh.elements.push_back(e);
  }
  EXPECT_EQ(surface_of(mesh).faces.size(), 10u);
}

}  // namespace
}  // namespace monocoque::test
