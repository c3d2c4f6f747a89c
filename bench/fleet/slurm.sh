#!/bin/sh
#SBATCH --job-name=komadori-match
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
# Plays a match in eight parts. usage: sbatch bench/fleet/slurm.sh match.sh, the script of parallel.sh
# A part that was stopped goes on when the same job runs again. When all have ended:
#     komadori-match -merge part-*.jsonl -results whole.jsonl -html whole.html
set -eu
part=${SLURM_ARRAY_TASK_ID:?this is a job for sbatch}
exec sh "$1" -shard "$part/${SLURM_ARRAY_TASK_COUNT:-8}" -concurrency "${SLURM_CPUS_PER_TASK:-1}" \
    -results "part-$part.jsonl" -resume -quiet
