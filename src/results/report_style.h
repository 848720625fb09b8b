#pragma once

#include <string>

namespace monocoque {

/// The style sheet of a report: light and dark by the reader's wish, one column on a phone, several on a wide
/// screen, A4 on paper.
std::string report_style();

}  // namespace monocoque
