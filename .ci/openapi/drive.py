"""Runs schemathesis once for each site of the API, with the test number's session.

Usage: drive.py http://127.0.0.1:PORT SCRATCH_FOLDER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).parent.resolve()
TEST_NUMBER = "27600000000"

# The hosts of calls: label, service id, path prefixes.
SITES = [
    ("mcfunny", 148, ["/api/madfunny/"]),
    ("diski99", 151, ["/api/diski/"]),
    ("memeworld", 150, ["/api/meme/", "/api/subscribe", "/api/session/", "/api/openapi.json", "/api/docs", "/api/vitals"]),
    ("ttmbhatv", 152, ["/api/tt/"]),
]


def ask(address, label, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Host": f"{label}.localhost", "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=300)


def session(base, label, svc_id):
    reply = ask(f"{base}/api/session/test", label, {"msisdn": TEST_NUMBER, "svc_id": svc_id})
    return re.match(r"session-[^=]+=([^;]+)", reply.headers["Set-Cookie"]).group(1)


def run(base, scratch, document, label, svc_id, paths):
    # The cookie's name contains the host's label.
    text = json.dumps({**document, "paths": paths}).replace("session-LABEL", f"session-{label}")
    file = scratch / f"{label}.json"
    file.write_text(text)
    command = [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run"]
    command += [file, "--url", base, "--header", f"Host: {label}.localhost"]
    told = {"SESSION": session(base, label, svc_id), "HOOKS": str(HERE / "hooks.py"), "PYTHONDONTWRITEBYTECODE": "1"}
    # Its files stay in the scratch folder.
    return subprocess.run(
        command, cwd=scratch, env={**os.environ, **told}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def main():
    base, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
    document = json.load(ask(f"{base}/api/openapi.json", "memeworld"))
    left = dict(document["paths"])
    passed = failed = 0
    # The runs are concurrent processes; their output is printed one after the other.
    with ThreadPoolExecutor(os.cpu_count()) as at_once:
        runs = []
        for label, svc_id, prefixes in SITES:
            paths = {path: left.pop(path) for path in list(left) if path.startswith(tuple(prefixes))}
            count = sum(len(calls) for calls in paths.values())
            runs.append((label, count, at_once.submit(run, base, scratch, document, label, svc_id, paths)))
        for label, count, ended in runs:
            print(f"-- {label}: {count} operations", ended.result().stdout, sep="\n", flush=True)
            if ended.result().returncode == 0:
                passed += count
            else:
                failed += 1
    if left:
        print(f"no site is known for {', '.join(left)}")
        failed += 1
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed")
    sys.exit(1 if failed else 0)


main()
