"""age.py: no crate and no package of the lock files may be younger than seven days: a stolen account's release is usually found by then. What the lock
files had a week ago is old enough; of the rest the registries give the dates, crates.io's in cargo's own copy of the index."""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tomllib
import urllib.request

WEEK = datetime.timedelta(days=7)
INDEX = "https://index.crates.io"


def crates(text):
    return {(package["name"], package["version"]) for package in tomllib.loads(text)["package"] if "source" in package}


def packages(text):
    entries = json.loads(text)["packages"].items()
    return {(entry.get("name") or path.rpartition("node_modules/")[2], entry["version"]) for path, entry in entries if path}


def crate_published(name, version):
    folder = {1: "1", 2: "2", 3: f"3/{name[:1]}"}.get(len(name), f"{name[:2]}/{name[2:4]}")
    home = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo")
    copies = [file.read_bytes() for file in home.glob(f"registry/index/index.crates.io-*/.cache/{folder}/{name}")]
    for read in (lambda: copies, lambda: [urllib.request.urlopen(f"{INDEX}/{folder}/{name}", timeout=30).read()]):
        for line in b"\n".join(read()).replace(b"\0", b"\n").splitlines():
            if line.startswith(b"{") and (entry := json.loads(line))["vers"] == version:
                return entry.get("pubtime")
    return None


def package_published(name, version):
    return json.loads(subprocess.run(["npm", "view", name, "time", "--json"], check=True, stdout=subprocess.PIPE).stdout).get(version)


def main():
    now = datetime.datetime.now(datetime.UTC)
    week_ago = subprocess.run(["git", "rev-list", "-1", f"--before={(now - WEEK).isoformat()}", "HEAD"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    faults, dated = [], 0
    for lock, read, published in (("Cargo.lock", crates, crate_published), ("frontend/package-lock.json", packages, package_published)):
        before = subprocess.run(["git", "show", f"{week_ago}:{lock}"], stdout=subprocess.PIPE, text=True).stdout if week_ago else ""
        for name, version in sorted(read(pathlib.Path(lock).read_text()) - (read(before) if before else set())):
            date = published(name, version)
            dated += 1
            if not date:
                faults.append(f"{lock}: the registry has no date of {name} {version}")
            elif (age := now - datetime.datetime.fromisoformat(date)) < WEEK:
                faults.append(f"{lock}: {name} {version} is {age.days} days old")
    print("\n".join(faults) or f"none of {dated} new crates and packages is younger than a week")
    sys.exit(1 if faults else 0)


main()
