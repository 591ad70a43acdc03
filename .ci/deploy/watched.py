"""watched.py METRICS: compares what alerts.yml and the dashboards name with the metrics that were scraped into METRICS, and lets DATABASE_URL
answer every panel's SQL. Prints one line per fault and ends with 1 where there is any; else says what was compared."""

import json
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path("deploy/observability")
# Of Prometheus itself, for every process that it asks.
OWN = {"up", "scrape_duration_seconds"}

scraped = set(re.findall(r"^([a-zA-Z_:][\w:]*)[{ ]", pathlib.Path(sys.argv[1]).read_text(), re.M))
alerts = (FOLDER / "alerts.yml").read_text()
recorded = set(re.findall(r"record: (\S+)", alerts))
faults, expressions, statements = [], 0, 0


def check_expression(where, text):
    """Names of metrics: words that are no function, no label and no grouping."""
    global expressions
    expressions += 1
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|(?:by|without|on|ignoring) \([^)]*\)|\"[^\"]*\"", " ", text)
    names = set(re.findall(r"(?<![\w:.])[a-zA-Z_][\w:]*(?![\w:]| *\()", bare)) - {"and", "or", "unless", "offset", "bool", "by"}
    if not names:
        faults.append(f"{where} names no metric: {text}")
    for name in names - scraped - recorded - OWN:
        faults.append(f"{where} names {name}, which nobody exposes")


for text in re.findall(r"^ +expr: (?!\|)(.+)$", alerts, re.M) + re.findall(r"^ +expr: \|\n((?: {10,}.+\n)+)", alerts, re.M):
    check_expression("alerts.yml", text)
wanted = len(re.findall(r"^ +expr:", alerts, re.M))
if expressions != wanted:
    faults.append(f"alerts.yml has {wanted} expressions, of which this script reads {expressions}")
for file in sorted((FOLDER / "dashboards").glob("*.json")):
    for panel in json.loads(file.read_text())["panels"]:
        where = f"{file.name}: {panel['title']}"
        for target in panel["targets"]:
            if "expr" in target:
                check_expression(where, target["expr"])
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

print("\n".join(faults) or f"compared: {expressions} expressions, {statements} statements, {len(scraped)} metrics scraped")
sys.exit(bool(faults))
