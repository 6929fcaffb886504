# What the scripts beside this file share: a working folder, Postgres servers of their own, and what is ended afterwards.
# They need the programs of Postgres and, each, what it names; as root they run servers as the user postgres.
set -euo pipefail

binary=${CARILLON:-$PWD/bin/carillon}
programs=${POSTGRES_BIN:-$(pg_config --bindir)}
work=$(mktemp -d)
chmod 711 "$work"
export CARILLON_SECRET_KEY=${CARILLON_SECRET_KEY:-$(head -c 32 /dev/urandom | base64)}
pids=()

# owner goes before a command that is to run as the owner of the databases: Postgres refuses to run as root.
owner=()
if [ "$(id -u)" = 0 ]; then
	owner=(setpriv --reuid=postgres --regid=postgres --init-groups)
	chown postgres: "$work"
fi

# folder makes a folder that the owner of the databases may write.
folder() {
	"${owner[@]}" mkdir -p "$1"
}

# background <log> <command>...: starts what cleanup ends.
background() {
	local log=$1
	shift
	"$@" >"$log" 2>&1 &
	pids+=($!)
}

cleanup() {
	status=$?
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	for data in "$work"/*/PG_VERSION; do [ ! -f "$data" ] || "${owner[@]}" "$programs/pg_ctl" -D "${data%/*}" -m immediate stop >/dev/null 2>&1 || true; done
	wait || true
	if [ "$status" != 0 ]; then tail -n 30 "$work"/*.log >&2 || true; fi
	rm -rf "$work"
	exit "$status"
}
trap cleanup EXIT

# primary <folder> <port>: a new server with the database carillon, which standbys may follow.
primary() {
	folder "$1"
	"${owner[@]}" "$programs/initdb" -D "$1" -U carillon -A trust --no-sync >/dev/null
	"${owner[@]}" tee -a "$1/postgresql.conf" >/dev/null <<-CONF
		port = $2
		listen_addresses = '127.0.0.1'
		unix_socket_directories = ''
		max_connections = 200
		wal_level = replica
		hot_standby = on
	CONF
	start "$1"
	"$programs/createdb" -h 127.0.0.1 -p "$2" -U carillon carillon
}

# standby <folder> <port> <port of the primary>: a server that follows the primary, which from then on commits nothing without it.
standby() {
	folder "$1"
	chmod 700 "$1"
	"${owner[@]}" "$programs/pg_basebackup" -d "host=127.0.0.1 port=$3 user=carillon application_name=standby_$2" -D "$1" -R -C -S "standby_$2" -X stream
	echo "port = $2" | "${owner[@]}" tee -a "$1/postgresql.conf" >/dev/null
	start "$1"
	query "$3" "ALTER SYSTEM SET synchronous_standby_names = 'standby_$2'" >/dev/null
	query "$3" "SELECT pg_reload_conf()" >/dev/null
	eventually "a synchronous standby" 30 synchronous "$3"
}

start() { "${owner[@]}" "$programs/pg_ctl" -D "$1" -l "$1.log" -w start >/dev/null; }

query() { "$programs/psql" -h 127.0.0.1 -p "$1" -U carillon -d carillon -Atqc "$2"; }

synchronous() { [ "$(query "$1" "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" = 1 ]; }

# eventually <what> <seconds> <command>...
eventually() {
	local what=$1 left=$(($2 * 10))
	shift 2
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		if [ "$left" -le 0 ]; then echo "$what did not happen" >&2; return 1; fi
		sleep 0.1
	done
}

# prove <seconds> <URL of the database> [more of prove's flags]: starts a proof that makes no faults of its own, and waits for its load.
prove() {
	local span=$1 url=$2
	shift 2
	background "$work/prove.log" "$binary" prove --calm --for "${span}s" --rate 40 --database-url "$url" --report "$work/report.json" "$@"
	proof=${pids[-1]}
	eventually "the load" 60 grep -q "the load has begun" "$work/prove.log"
}

# verdict <seconds>: waits for the proof, prints its table, and fails on a breach or when nothing was acknowledged for longer.
verdict() {
	if ! wait "$proof"; then cat "$work/prove.log"; return 1; fi
	cat "$work/prove.log"
	local pause
	pause=$(sed -n 's/.*"pause": \([0-9.]*\).*/\1/p' "$work/report.json")
	echo "longest time without an acknowledgement: $pause s, at most $1"
	awk -v pause="$pause" -v most="$1" 'BEGIN { exit !(pause <= most) }'
}
