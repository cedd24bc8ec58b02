# cmake -DPROGRAM=tacet -DVERSION=0.1.0 -DOUT=tacet.1 -P TacetManual.cmake: the manual page, which is what `tacet --help` prints.
execute_process(COMMAND "${PROGRAM}" --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\\" "\\e" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" help "${help}") # these would begin a request
file(WRITE "${OUT}" ".TH TACET 1 \"\" \"Tacet ${VERSION}\" \"User Commands\"
.SH NAME
tacet \\- publish statistics about people under differential privacy, and infer from them
.SH SYNOPSIS
.B tacet
.I VERB
[\\fIOPTIONS\\fR]
.SH DESCRIPTION
.nf
${help}.fi
.SH SEE ALSO
The documents in /usr/share/doc/tacet.
")
execute_process(COMMAND gzip -9nf "${OUT}" COMMAND_ERROR_IS_FATAL ANY)
