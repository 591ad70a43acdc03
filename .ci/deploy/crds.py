"""crds.py CATALOGUE RENDERED…: writes deploy/k8s/schemas, by which check.py validates what Kubernetes' own schemas do not know. CATALOGUE is a checkout of
https://github.com/datreeio/CRDs-catalog (MIT licence), which collects the schemas that the projects publish (all under the Apache licence 2.0). Of each
kind that the rendered manifests hold, every field is kept by name; without its description, and what stands in no manifest without its inside."""

import json
import pathlib
import sys

import yaml

catalogue, folder = pathlib.Path(sys.argv[1]), pathlib.Path("deploy/k8s/schemas")


def kept(schema, values):
    """The schema as far as these values go into it."""
    if not isinstance(schema, dict):
        return schema
    out = {key: value for key, value in schema.items() if key not in ("description", "properties", "items", "additionalProperties")}
    if not values:
        return {key: schema[key] for key in ("type", "enum", "x-kubernetes-preserve-unknown-fields") if key in schema}
    if "properties" in schema:
        objects = [value for value in values if isinstance(value, dict)]
        out["properties"] = {
            name: kept(inner, [value[name] for value in objects if value.get(name) is not None]) for name, inner in schema["properties"].items()
        }
    if "items" in schema:
        out["items"] = kept(schema["items"], [item for value in values if isinstance(value, list) for item in value])
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        out["additionalProperties"] = kept(extra, [inner for value in values if isinstance(value, dict) for inner in value.values()])
    elif extra is not None:
        out["additionalProperties"] = extra
    return out


documents = {}
for file in sys.argv[2:]:
    for document in yaml.safe_load_all(pathlib.Path(file).read_text()):
        if document:
            documents.setdefault((document["apiVersion"], document["kind"].lower()), []).append(document)
folder.mkdir(exist_ok=True)
for (version, kind), found in documents.items():
    source = catalogue / version.partition("/")[0] / f"{kind}_{version.partition('/')[2]}.json"
    if "." in version.partition("/")[0] and source.exists():
        target = folder / f"{version.replace('/', '_')}_{kind}.json"
        target.write_text(json.dumps(kept(json.loads(source.read_text()), found), separators=(",", ":")) + "\n")
        print(f"{target}: {target.stat().st_size} bytes")
