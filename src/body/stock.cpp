#include "body/stock.h"

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::body {

namespace {

constexpr Material kMaterials[kStocks] = {
    {"sheet steel", 2.1e11, 0.3, 7850}, {"glass", 7.0e10, 0.22, 2500}, {"beam steel", 2.1e11, 0.3, 7850}};

constexpr auto kSteel = Stock::sheet_steel;
constexpr bool kPanel = true, kFrame = false;
constexpr Sheet kSheets[] = {
    {"rail", 2.0e-3, 6, kSteel, kFrame},
    {"rail_rear", 1.4e-3, 3, kSteel, kFrame},
    {"underrail", 1.0e-3, 5, kSteel, kFrame},
    {"sill", 1.0e-3, 8, kSteel, kFrame},
    {"hinge", 1.0e-3, 6, kSteel, kFrame},
    {"apillar", 1.0e-3, 4, kSteel, kFrame},
    {"bpillar", 1.2e-3, 6, kSteel, kFrame},
    {"roofrail", 0.8e-3, 5, kSteel, kFrame},
    {"cpillar", 0.8e-3, 8, kSteel, kFrame},
    {"tower", 1.6e-3, 60, kSteel, kFrame},
    {"apron", 1.0e-3, 160, kSteel, kPanel},
    {"shotgun", 1.5e-3, 20, kSteel, kFrame},
    {"floor", 0.7e-3, 60, kSteel, kPanel},
    {"tunnel", 0.8e-3, 20, kSteel, kFrame},
    {"cross", 1.0e-3, 6, kSteel, kFrame},
    {"dash", 0.8e-3, 60, kSteel, kPanel},
    {"cowl", 0.7e-3, 20, kSteel, kFrame},
    {"roof", 0.7e-3, 60, kSteel, kPanel},
    {"header", 0.9e-3, 12, kSteel, kFrame},
    {"bulkhead", 0.7e-3, 40, kSteel, kPanel},
    {"shelf", 0.7e-3, 60, kSteel, kPanel},
    {"wheelhouse", 0.7e-3, 60, kSteel, kPanel},
    {"dome", 2.0e-3, 100, kSteel, kFrame},
    {"quarter", 0.7e-3, 30, kSteel, kPanel},
    {"quarter_in", 0.7e-3, 30, kSteel, kPanel},
    {"trunk", 0.7e-3, 80, kSteel, kPanel},
    {"rearpanel", 0.8e-3, 100, kSteel, kPanel},
    {"screen", 4.8e-3, 1, Stock::glass, kFrame},
    {"backlight", 4.0e-3, 1, Stock::glass, kFrame},
};

constexpr Section kSections[] = {
    {"subframe", 0.08, 0.06, 2.5e-3},  {"subframe_cross", 0.09, 0.06, 2.5e-3},
    {"bumper", 0.10, 0.08, 2.0e-3},    {"radsupport", 0.06, 0.08, 1.5e-3},
    {"stiffener", 0.05, 0.03, 1.0e-3}, {"rearbox", 0.07, 0.06, 1.0e-3},
    {"carbeam", 0.06, 0.06, 2.0e-3},
};

constexpr Zone kZones[] = {
    {"front", 75}, {"bay", 60},        {"dash", 45},  {"panel", 45}, {"floor", 90},
    {"seats", 60}, {"floor_rear", 90}, {"trunk", 40}, {"side", 120}, {"sides_low", 90},
    {"roof", 20},  {"shelf", 15},      {"rear", 35},
};

// Places: the interface table of the measured car (models/camry), relative to its centre of mass.
constexpr Interface kInterfaces[] = {
    {1, "dome FL", 1.369, 0.599, 0.330, "#domeF"},
    {2, "dome FR", 1.369, -0.599, 0.330, "#domeF*"},
    {3, "dome RL", -1.432, 0.592, 0.318, "#domeR"},
    {4, "dome RR", -1.432, -0.592, 0.317, "#domeR*"},
    {5, "A-arm front FL", 1.419, 0.419, -0.355, "SFb"},
    {6, "A-arm rear FL", 1.133, 0.368, -0.335, "SFd"},
    {7, "steering FL", 1.234, 0.380, -0.255, "SFc"},
    {8, "A-arm front FR", 1.419, -0.417, -0.356, "SFb*"},
    {9, "A-arm rear FR", 1.135, -0.365, -0.335, "SFd*"},
    {10, "steering FR", 1.229, -0.385, -0.259, "SFc*"},
    {11, "trailing RL", -0.892, 0.600, -0.305, "#trail"},
    {12, "lateral RL", -1.317, 0.199, -0.283, "RSb"},
    {13, "tension RL", -1.536, 0.144, -0.307, "RSe"},
    {14, "trailing RR", -0.888, -0.601, -0.306, "#trail*"},
    {15, "lateral RR", -1.318, -0.200, -0.284, "RSb*"},
    {16, "tension RR", -1.537, -0.146, -0.307, "RSe*"},
    {17, "torque support", 1.470, -0.482, 0.265, "N3*-TI3*"},
    {18, "mount L", 1.507, 0.490, -0.214, "#mount"},
    {19, "mount C", 1.876, 0.130, -0.128, "SFm SFm0"},
    {20, "mount R", 1.510, -0.480, -0.208, "#mount*"},
};

template <class Table>
int index_in(const Table& table, std::string_view name, const char* what) {
  for (int i = 0; i < static_cast<int>(std::size(table)); ++i)
    if (table[i].name == name) return i;
  throw Error("body", fmt::format("{} '{}' is in no table", what, name), "add it to body/stock.cpp");
}

}  // namespace

const Material& material(Stock stock) {
  return kMaterials[static_cast<int>(stock)];
}
std::span<const Sheet> sheets() {
  return kSheets;
}
int sheet_index(std::string_view name) {
  return index_in(kSheets, name, "sheet");
}
std::span<const Section> sections() {
  return kSections;
}
int section_index(std::string_view name) {
  return index_in(kSections, name, "section");
}
std::span<const Zone> zones() {
  return kZones;
}
int zone_index(std::string_view name) {
  return name == "none" ? kNoZone : index_in(kZones, name, "zone");
}
std::span<const Interface> interfaces() {
  return kInterfaces;
}

}  // namespace monocoque::body
