#pragma once
// Readers and writers of finite-element meshes, one per format; docs/meshes.md has what each understands. The
// _text forms read from memory; file_name is for messages and as the place that includes are relative to.

#include <string>
#include <string_view>

#include "io/mesh/fe_mesh.h"

namespace monocoque::io {

FeMesh read_nastran(const std::string& path, const FeReadOptions& options);
FeMesh read_nastran_text(std::string_view text, const std::string& file_name, const FeReadOptions& options);
FeMesh read_abaqus(const std::string& path, const FeReadOptions& options);
FeMesh read_abaqus_text(std::string_view text, const std::string& file_name, const FeReadOptions& options);
FeMesh read_lsdyna(const std::string& path, const FeReadOptions& options);
FeMesh read_lsdyna_text(std::string_view text, const std::string& file_name, const FeReadOptions& options);

/// In SI, for a look at the mesh in another program. Throws Error when the file cannot be written.
void write_nastran(const FeMesh& mesh, const std::string& path);
void write_inp(const FeMesh& mesh, const std::string& path);

/// What a user wants to see first.
struct MeshSummary {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< bounding box of the nodes, m
  std::map<ElementKind, long> elements;
  long nodes = 0, unused_nodes = 0;  ///< unused: in no element, spider, mass or spring
  std::string text() const;
};
MeshSummary summary_of(const FeMesh& mesh);

}  // namespace monocoque::io
