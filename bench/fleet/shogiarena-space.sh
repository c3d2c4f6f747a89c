#!/bin/sh
# Prints the SPSA space of ShogiArena for parameters of the search (make MODE=tune has them as options).
# usage: bench/fleet/shogiarena-space.sh [PREFIX ...]    all parameters, or those whose names begin so
set -eu
cd "$(dirname "$0")/../.."
cat <<END
schema_version: shogiarena.spsa.space.v1

target:
  engine_family: komadori
  protocol: usi_options
  required_options_policy: strict

parameters:
END
sh bench/fleet/params.sh "$@" | awk -F ', ' '{
    printf "  - id: %s\n    label: %s\n    target:\n      option: %s\n      value_encoding: integer\n", tolower($1), $1, $1
    printf "    value_type: int\n    initial: %s\n    bounds:\n      min: %s\n      max: %s\n", $3, $4, $5
    printf "    schedule:\n      c_end: %s\n      r_end: %s\n    rounding:\n      mode: stochastic\n", $6, $7
}'
