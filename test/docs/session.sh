# What the script of a document begins with. Its blocks follow, each behind an `at`.
set -euo pipefail

at() {
	printf '▶ %s\n' "$1"
}

# Runs a file in a terminal of its own, where it goes on, and returns once it has printed the text. Not a job of this
# shell: `wait` does not wait for it. It leads a group of processes, by which all that it started is ended.
terminal() {
	local file=$1 text=$2
	: >"$file.log"
	(
		set -m
		bash -euo pipefail -c 'echo $$ >"$0.pid"; . "$0"' "$file" </dev/null >"$file.log" 2>&1 &
	)
	until [[ -s $file.pid ]]; do sleep 0.1; done
	until grep --quiet --fixed-strings -- "$text" "$file.log"; do
		if ! kill -0 "$(<"$file.pid")" 2>/dev/null; then
			cat "$file.log"
			return 1
		fi
		sleep 0.1
	done
}
