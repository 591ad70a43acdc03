"""sbom.py FOLDER VERSION DPKG PROGRAM…: writes what each image is made of as CycloneDX 1.6, FOLDER/PROGRAM.cdx.json: the crates that its program is built
from, for the gateway the packages of the front end, and the Debian packages of DPKG/PROGRAM (a copy of the image's /var/lib/dpkg), where there
is one. Each is checked against CycloneDX' schema first."""

import base64
import json
import pathlib
import re
import subprocess
import sys
import tomllib

from cyclonedx.contrib.hash.factories import HashTypeFactory
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

PLATFORM = "x86_64-unknown-linux-gnu"
licences, hashes_of = LicenseFactory(), HashTypeFactory()


def component(kind, name, version, licence=None, hashes=(), group=None, namespace=None, qualifiers=None):
    purl = PackageURL(kind, namespace or group, name, version, qualifiers)
    # Cargo also knows the old form `MIT/Apache-2.0`.
    licence = [licences.make_from_string(licence.replace("/", " OR "))] if licence else []
    return Component(type=ComponentType.LIBRARY, name=name, version=version, group=group, purl=purl, bom_ref=purl.to_string(), licenses=licence, hashes=hashes)


def crates(bom, root, program, metadata):
    """What the program is linked from. Tools that only build it do not end up in the image."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in tomllib.loads(pathlib.Path("Cargo.lock").read_text())["package"]}
    (start,) = [id for id, package in packages.items() if package["name"] == program and not package["source"]]
    made = {start: root}

    def make(id):
        package = packages[id]
        checksum = checksums[package["name"], package["version"]]
        return component("cargo", package["name"], package["version"], package["license"], [hashes_of.from_composite_str(f"sha256:{checksum}")] if checksum else ())

    waiting = [start]
    while waiting:
        id = waiting.pop()
        for dependency in nodes[id]["deps"]:
            if not any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                continue
            if dependency["pkg"] not in made:
                made[dependency["pkg"]] = make(dependency["pkg"])
                bom.components.add(made[dependency["pkg"]])
                waiting.append(dependency["pkg"])
            bom.register_dependency(made[id], [made[dependency["pkg"]]])


def packages(bom, root):
    """What npm has for the front end, without what only builds or tests it."""
    for path, entry in json.loads(pathlib.Path("frontend/package-lock.json").read_text())["packages"].items():
        if path and not (entry.get("dev") or entry.get("devOptional") or entry.get("link")):
            scope, _, name = path.rpartition("node_modules/")[2].rpartition("/")
            algorithm, _, digest = entry["integrity"].partition("-")
            hashes = [hashes_of.from_composite_str(f"{algorithm}:{base64.b64decode(digest).hex()}")]
            made = component("npm", name, entry["version"], entry.get("license"), hashes, scope or None)
            bom.components.add(made)
            bom.register_dependency(root, [made])


def debian(bom, root, folder):
    """The packages of an image: one file for all, or one file each."""
    for file in [folder / "status", *sorted((folder / "status.d").glob("*"))]:
        for paragraph in file.read_text().split("\n\n") if file.is_file() else ():
            fields = dict(re.findall(r"^([\w-]+): (.*)$", paragraph, re.M))
            if fields.get("Status", "").endswith(" installed"):
                made = component("deb", fields["Package"], fields["Version"], namespace="debian", qualifiers={"arch": fields["Architecture"], "distro": "bookworm"})
                bom.components.add(made)
                bom.register_dependency(root, [made])


def main():
    folder, version, dpkg, *programs = sys.argv[1:]
    asked = ["cargo", "metadata", "--locked", "--features", "service/allocator", "--format-version", "1", "--filter-platform", PLATFORM]
    metadata = json.loads(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout)
    for program in programs:
        bom = Bom()
        bom.metadata.component = root = Component(type=ComponentType.CONTAINER, name=f"spaza/{program}", version=version, bom_ref=f"spaza/{program}")
        crates(bom, root, program, metadata)
        if program == "gateway":
            packages(bom, root)
        debian(bom, root, pathlib.Path(dpkg, program))
        text = JsonV1Dot6(bom).output_as_string(indent=1)
        if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
            sys.exit(f"{program}: {fault}")
        pathlib.Path(folder, f"{program}.cdx.json").write_text(text + "\n")
        kinds = [part.purl.type for part in bom.components]
        print(f"spaza/{program}: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("cargo", "npm", "deb")))


main()
