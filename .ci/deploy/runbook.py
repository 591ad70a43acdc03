"""runbook.py: each section about an alert in deploy/RUNBOOK.md says what to look at, what that shows, what to decide and the lever. Its `sql` and
`internal` that only read are run by deploy/on-call on DATABASE_URL and SUBSCRIPTION_URL, and its `ask` are read by promtool, with metrics that exist.
Prints a line per error and ends with 1 if there is any; otherwise it prints the number of commands."""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PARTS = ["Look", "It shows", "Decide", "Do"]
FILLED_IN = {"DAY": "2026-01-01", "NUMBER": "27820000000", "PID": "0"}

text = pathlib.Path("deploy/RUNBOOK.md").read_text().partition("\n## Alerts\n")[2]
metrics = set(re.findall(r'"(spaza_\w+)"', pathlib.Path("crates/telemetry/src/names.rs").read_text()))
faults, commands, queries = [], 0, []

for section in text.split("\n### ")[1:]:
    name = section.partition("\n")[0]
    parts = re.findall(r"^- \*\*(.+):\*\* .", section, re.MULTILINE)
    if parts != PARTS:
        faults.append(f"{name}: has {parts}, not {PARTS}")
    for metric in re.findall(r"\bspaza_\w+", section):
        if re.sub("_(bucket|sum|count)$", "", metric) not in metrics and metric not in metrics:
            faults.append(f"{name}: there is no metric {metric}")
    for command in re.findall(r"`((?:ask|sql|internal) [^`]+)`", section):
        words = shlex.split(command)
        if words[0] == "ask":
            queries.append((name, words[1]))
        elif len(words) == 2:
            line = re.sub(r"\b(DAY|NUMBER|PID)\b", lambda found: FILLED_IN[found[0]], command)
            ran = subprocess.run(["bash", "-c", f". deploy/on-call && {line}"], capture_output=True, text=True, timeout=60)
            commands += 1
            if ran.returncode:
                faults.append(f"{name}: {command}: {(ran.stderr or ran.stdout).strip()}")

with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
    rules = [{"record": f"query:{number}", "expr": query, "labels": {"section": name}} for number, (name, query) in enumerate(queries)]
    json.dump({"groups": [{"name": "runbook", "rules": rules}]}, file)
    file.flush()
    read = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True, timeout=60)
    if read.returncode:
        faults.append(read.stdout + read.stderr)

print("\n".join(faults) or f"answered: {commands} commands of the runbook, {len(queries)} queries read")
sys.exit(bool(faults) or not commands or not queries)
