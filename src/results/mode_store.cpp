#include "results/mode_store.h"

#include "io/files/hdf5.h"

namespace monocoque {

void add_modes(const std::string& path, const ModeShapes& modes) {
  const hdf5::Session session;
  hdf5::Handle file = hdf5::check(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, path,
                                  "the file cannot be opened");
  hdf5::Handle group = hdf5::check(H5Gcreate2(file, "modes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                                   path, "the modes cannot be written");
  const auto put = [&](const char* name, const double* values, hsize_t rows, hsize_t columns) {
    const hsize_t sizes[] = {rows, columns};
    const hdf5::Handle space = hdf5::check(H5Screate_simple(columns > 0 ? 2 : 1, sizes, nullptr), H5Sclose,
                                           path, "the modes cannot be written");
    const hdf5::Handle set =
        hdf5::check(H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose, path, "the modes cannot be written");
    if (rows > 0)
      hdf5::check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), path,
                  "the modes cannot be written");
  };
  const auto k = static_cast<hsize_t>(modes.frequency_Hz.size()),
             nz = static_cast<hsize_t>(modes.real.cols());
  put("frequency_Hz", modes.frequency_Hz.data(), k, 0);
  put("damping_ratio", modes.damping_ratio.data(), k, 0);
  put("shape_real", modes.real.data(), k, nz);
  put("shape_imag", modes.imag.data(), k, nz);
  if (!group.reset() || !file.reset()) hdf5::fail(path, "the modes cannot be written");
}

}  // namespace monocoque
