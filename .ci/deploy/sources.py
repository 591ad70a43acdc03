"""Reads from the Rust sources: each program's settings, port and probe paths."""

import pathlib
import re

CRATES = pathlib.Path("crates")

# Everything that a `#[derive(clap::…)] struct Name {` lists, up to the brace that closes it.
STRUCT = re.compile(r"^(?:pub )?struct (\w+) \{\n(.*?)^\}", re.S | re.M)
FIELD = re.compile(r"((?:^    #\[[^\n]*\n)+)    (?:pub )?\w+: ([\w:<>]+),", re.M)


def structs():
    """Every struct of every crate, by crate and name: its fields' attributes and types."""
    found = {}
    for file in CRATES.glob("*/src/**/*.rs"):
        for name, body in STRUCT.findall(file.read_text()):
            found[file.parts[1], name] = FIELD.findall(body)
    return found


def settings(service, structs):
    """A program's variables: name -> (default or None, whether it must be set)."""
    pending, variables = (["Import", "Examine", "Transcode"] if service == "content" else ["Config"]), {}
    while pending:
        crate, _, kind = pending.pop().rpartition("::")
        fields = structs.get((crate or service, kind)) or next(f for (_, name), f in structs.items() if name == kind)
        for attributes, type_ in fields:
            if "flatten" in attributes:
                pending.append(type_)
            elif variable := re.search(r'env = "(\w+)"', attributes):
                default = re.search(r'default_value(?:_t)?(?: = "?([^",)]*))?', attributes)
                variables[variable[1]] = (default and default[1], not default and not type_.startswith("Option<"))
    if service in ("content", "backoffice"):
        # What it reads buckets by (crates/content/README.md).
        variables |= dict.fromkeys(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT"], (None, False))
    assert variables, f"{service} has no settings that this script understands"
    return variables


def probes():
    """The public paths of every program."""
    return set(re.findall(r'\.route\("(/\w+z)"', (CRATES / "service/src/server.rs").read_text()))
