#!/bin/sh
# The main job, end to end: from a file of people to a private table, charged to a durable budget.
# Runs in the folder given, or in build/demo; the program is $TACET, or build/tacet.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tacet=$(realpath -- "${TACET:-build/tacet}")
make_patients=$(dirname -- "$tacet")/../../examples/demo/make_patients # as the build leaves them
folder=${1:-build/demo}
if [ -e "$folder" ] && [ ! -e "$folder/patients.ledger" ] && [ -n "$(ls -A "$folder")" ]; then
  echo "$folder holds something else than an earlier demo; name an empty folder" >&2
  exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# The ledger's key is kept apart from it, in the custodian's own folder; the demo's is here and ends with it.
TACET_HOME=$PWD/custodian
export TACET_HOME

begun=
say() {
  [ -z "$begun" ] || echo
  begun=yes
  printf '# %s\n' "$*"
}
run() { printf '$ tacet %s\n' "$*"; "$tacet" "$@"; }

say "20,000 synthetic patients, and what their custodian declares public about them"
"$make_patients" >patients.csv
cp "$here/patients.toml" .
head -n 3 patients.csv

say "The budget: rho 0.2 for everybody, once"
run budget create --schema patients.toml --rho 0.2

say "Smoking by disease, with exact noise, charged before it is drawn"
run release counts --data patients.csv --schema patients.toml --by smoking,disease --mechanism rank-deficient --rho 0.125 --analyst ada --out smoking.json

say "Does disease depend on smoking? The test knows the noise, and costs nothing"
run infer independence --release smoking.json

say "One more of the same would overspend: refused, and nothing is lost"
if run release counts --data patients.csv --schema patients.toml --by smoking,disease --mechanism rank-deficient --rho 0.125 --analyst ada --out again.json 2>&1; then
  echo "the budget was overspent; this must never happen" >&2
  exit 1
fi
run budget show --schema patients.toml

say "Where to go next"
cat <<'TEXT'
tacet infer estimate --release smoking.json --project simplex   free: it only reads what was published
tacet release covariance --for two-sample, tacet infer region   means of several columns, their regions and tests: docs/how-to/infer-means.md
tacet init --data yours.csv --out yours.toml                    the same with a file of your own
tacet --help                                                    everything else; docs/README.md has the tutorials
TEXT
