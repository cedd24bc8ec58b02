# `make package`: a Debian package of what `cmake --install` installs. tests/install/package_test.py unpacks it and uses what it finds.
if(TACET_MISSING_LICENCES)
  message(STATUS "There will be no package: /usr/share/doc has no copyright file of ${TACET_MISSING_LICENCES}.")
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME tacet)
set(CPACK_PACKAGE_VENDOR Tacet)
set(CPACK_PACKAGE_CONTACT "The maintainers of Tacet <maintainers@tacet.invalid>" CACHE STRING "The maintainer that packages name")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd) # quicker and smaller than gzip; the dpkg of Debian 12 reads it
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Tacet publishes tables of counts, sums, means and covariances with exact
noise, charged to a budget that cannot be overspent, and does inference on
what was published: estimates, tests and regions that account for the noise.
.
The package holds the program tacet, the C++ library (static and shared), its
headers, and the file with which CMake finds it.")
# What its programs and libtacet.so load, by dpkg-shlibdeps.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What C++ programs that use the library are compiled and linked with; the program tacet needs none of it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libfmt-dev, libgmp-dev, nlohmann-json3-dev, libsodium-dev, libsqlite3-dev, libseccomp-dev, zlib1g-dev, pkg-config")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake (>= 3.25), g++ (>= 4:12)")
if(TACET_SHARED)
  # Packages of programs that load libtacet.so depend on this one; docs/explanation/abi.md says when a later version serves them.
  file(WRITE "${CMAKE_BINARY_DIR}/package/shlibs" "libtacet ${TACET_SOVERSION} tacet (>= ${PROJECT_VERSION})\n")
  file(WRITE "${CMAKE_BINARY_DIR}/package/triggers" "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CMAKE_BINARY_DIR}/package/shlibs" "${CMAKE_BINARY_DIR}/package/triggers")
endif()
include(CPack)
