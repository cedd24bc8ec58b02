# Every part that is in Tacet or that it links has its licence installed as LICENSE.<part>, copied from where the part is;
# cmake/copyright.in lists them. Debian's packages carry theirs in /usr/share/doc/<package>/copyright.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" boost "${Boost_VERSION_STRING}")
set(TACET_DEBIAN_PARTS nlohmann-json=nlohmann-json3-dev cli11=libcli11-dev fmt=libfmt-dev tomlplusplus=libtomlplusplus-dev boost=libboost${boost}-dev
    eigen=libeigen3-dev gmp=libgmp-dev libsodium=libsodium-dev sqlite=libsqlite3-dev libseccomp=libseccomp-dev zlib=zlib1g-dev)

# Sets TACET_MISSING_LICENCES in the caller: on systems other than Debian, those of Debian's packages.
function(tacet_install_licences)
  set(missing)
  configure_file("${CMAKE_SOURCE_DIR}/cmake/copyright.in" "${CMAKE_BINARY_DIR}/copyright" @ONLY)
  install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_BINARY_DIR}/copyright" ${TACET_VEGA_LICENCES} DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES "${TACET_DUCKDB}/lib/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.duckdb)
  foreach(part IN LISTS TACET_DEBIAN_PARTS)
    string(REGEX MATCH "^(.*)=(.*)$" part "${part}")
    set(text "/usr/share/doc/${CMAKE_MATCH_2}/copyright")
    if(EXISTS "${text}")
      file(REAL_PATH "${text}" text) # of some packages the folder, of others the file is a link
      install(FILES "${text}" DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.${CMAKE_MATCH_1})
    else()
      list(APPEND missing ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(TACET_MISSING_LICENCES ${missing} PARENT_SCOPE)
endfunction()
