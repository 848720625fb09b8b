#include "io/mesh_readers.h"
namespace monocoque::io {
FeMesh read_abaqus(const std::string&, const FeReadOptions&) { return {}; }
FeMesh read_lsdyna(const std::string&, const FeReadOptions&) { return {}; }
}
