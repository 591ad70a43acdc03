"""watched.py: runs the SQL of every dashboard panel on DATABASE_URL. Prints one line per error and exits with 1 if there is any; otherwise prints
the number of queries. A test of the family checks that their metrics exist (crates/family/tests/process/watched.rs)."""

import json
import os
import pathlib
import subprocess
import sys

faults, statements = [], 0

for file in sorted(pathlib.Path("deploy/observability/dashboards").glob("*.json")):
    for panel in json.loads(file.read_text())["panels"]:
        where = f"{file.name}: {panel['title']}"
        for target in panel["targets"]:
            if "rawSql" not in target:
                continue
            statements += 1
            query = target["rawSql"].replace("$__timeFrom()", "timestamp '2026-01-01'").replace("$__timeTo()", "timestamp '2100-01-01'")
            asked = subprocess.run(
                ["psql", "--no-psqlrc", "--csv", "--set=ON_ERROR_STOP=1", f"--command={query}", os.environ["DATABASE_URL"]],
                capture_output=True, text=True, timeout=60,
            )
            columns = asked.stdout.partition("\n")[0].split(",")
            if asked.returncode:
                faults.append(f"{where}: {asked.stderr.strip()}")
            elif target["format"] == "time_series" and columns != ["time", "metric", "value"]:
                faults.append(f"{where}: a series of {columns}")

print("\n".join(faults) or f"answered: {statements} statements")
sys.exit(bool(faults) or not statements)
