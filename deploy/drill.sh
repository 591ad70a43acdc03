# What the drills share: how a family of its own is started and called; sourced by `drill` and `drill-recovery`.
state=$(mktemp -d)
family=
stop() {
  [ -z "$family" ] || { kill -TERM "$family" 2>/dev/null && wait "$family"; family=; } || family=
}
trap 'stop; rm -rf "$state"' EXIT
fail() { echo "drill: $*" >&2; tail -n 20 "$state/log" >&2; exit 1; }
ask() { psql --no-psqlrc --no-align --tuples-only --quiet --command="$1" "${2:-$DATABASE_URL}"; }
await() { # await WHAT COMMAND…
  local what=$1
  shift
  for _ in $(seq 1 600); do
    "$@" && return
    sleep 0.2
  done
  fail "$what: not within two minutes"
}

# Eleven neighbouring ports: tried from a random one until the family finds them all free.
start() {
  for _ in 1 2 3 4 5; do
    port=$((10000 + RANDOM % 20000))
    PORT=$port DATA_DIR=$state "$program" >"$state/log" 2>&1 &
    family=$!
    for _ in $(seq 1 600); do
      ! curl -fsS -m 10 -o /dev/null "http://127.0.0.1:$port/readyz" 2>/dev/null || return 0
      kill -0 "$family" 2>/dev/null || break
      sleep 0.2
    done
    kill -0 "$family" 2>/dev/null && break
  done
  fail "the family does not start"
}
call() { # call LABEL PATH [CURL OPTIONS…]
  local label=$1 path=$2
  shift 2
  curl -fsS -m 60 -H "Host: $label.localhost:$port" "$@" "http://127.0.0.1:$port$path"
}
admin() { curl -fsS -m 60 -H "Authorization: Bearer $ADMIN_TOKEN" -H 'content-type: application/json' "${@:2}" "http://127.0.0.1:$((port + 5))/internal/$1"; }

# From the form over the network's page to an open session, which is kept in a jar.
join() { # join LABEL SVC_ID NUMBER
  local reply try jar=$state/$1-$3
  reply=$(call "$1" /api/subscribe -c "$jar" -H 'content-type: application/json' \
    -d "{\"msisdn\":\"$3\",\"ext_ref\":\"drill\",\"channel\":\"WAP\",\"svc_id\":$2}") || return 1
  try=$(echo "$reply" | sed -E 's/.*"subscriptionId":"([^"]+)".*/\1/')
  curl -fsS -m 60 -o /dev/null -d answer=confirm "$(echo "$reply" | sed -E 's/.*"redirectUrl":"([^"]+)".*/\1/')" || return 1
  joined() { call "$1" "/api/subscribe/check-sub?msisdn=$2&subscription_id=$3" -b "$4" -c "$4" | grep -q '"result":1'; }
  await "$3 joins $1" joined "$1" "$3" "$try" "$jar"
}

# One line per table: its rows and a sum over all of them; then both halves as people see them. Only a restore writes `restores`.
books() {
  local table
  for table in $(ask "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname = ANY (string_to_array('$schemas', ' ')) AND tablename <> 'restores' ORDER BY 1"); do
    ask "SELECT '$table', count(*), coalesce(md5(string_agg(row::text, E'\n' ORDER BY row::text)), '') FROM $table AS row"
  done
}
seen() {
  admin "ledger?day=$today"
  call mcfunny '/api/madfunny/fetchArtist?service=mcfunny'
  call memeworld /api/meme/getMemeCategories
  call ttmbhatv '/api/tt/getcatvideos/ttmbhatv'
}

# A restored family bills nothing until it has caught up with the networks.
pass_status() {
  curl -sS -m 60 -o "$state/pass" -w '%{http_code}' -H "Authorization: Bearer $ADMIN_TOKEN" -H 'content-type: application/json' \
    -d "{\"day\":\"$today\"}" "http://127.0.0.1:$((port + 5))/internal/billing/run"
}
catches_up() {
  [ "$(pass_status)" = 503 ] || fail "a restored family bills before it has caught up: $(cat "$state/pass")"
  SUBSCRIPTION_URL=http://127.0.0.1:$((port + 5)) deploy/catch-up >"$state/caught-up" || fail "it does not catch up: $(cat "$state/caught-up")"
}
