# Run at build time: FOLDER/index.html.gz from the folder SOURCE, or a page that says WHY there is none.
cmake_policy(VERSION 3.25)
file(MAKE_DIRECTORY ${FOLDER})
set(status 0)
if(NOT WHY AND ${SOURCE}/package-lock.json IS_NEWER_THAN ${SOURCE}/node_modules/.package-lock.json)
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error --prefer-offline
                  WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    set(WHY "npm ci has failed; it needs the registry of npm once")
  endif()
endif()
if(NOT WHY)
  execute_process(COMMAND ${NODE} build.mjs ${FOLDER} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status
                  OUTPUT_VARIABLE text ERROR_VARIABLE text)
  # A mistake in the sources of the viewer is a mistake in the build.
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "node build.mjs has failed:\n${text}")
  endif()
endif()
if(WHY)
  message("The viewer's page is left out: ${WHY}\n${text}")
  file(WRITE ${FOLDER}/left-out "${WHY}\n")
  file(WRITE ${FOLDER}/index.html "<!doctype html>
<html lang=\"en\"><meta charset=\"utf-8\"><title>Monocoque</title>
<!--data-->
<body style=\"font: 16px sans-serif; max-width: 40em; margin: 3em auto\">
<h1>The viewer is not in this program</h1>
<p>Reason: ${WHY}.</p>
<p>With node and npm (<code>scripts/setup</code>) configure and build again: <code>scripts/build</code>.
The data are served all the same, for example <a href=\"/api/session\">/api/session</a>.</p>
</body></html>
")
endif()
execute_process(COMMAND gzip -9nc ${FOLDER}/index.html OUTPUT_FILE ${FOLDER}/index.html.gz COMMAND_ERROR_IS_FATAL ANY)
