"""check.py RENDERED…: compares docker-compose.yml and the rendered overlays with the code, with each other and with the documents, and
validates every object: Kubernetes' own kinds, and by deploy/k8s/schemas those of the operators (crds.py writes them). Prints one line per difference and ends with 1 where there is any; else says what was compared."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import jsonschema
import kubernetes_validate
import sources
import yaml

KUBERNETES = "1.33"
STRUCTS = sources.structs()
PROBES = sources.probes()
PROGRAMS = {main.parts[1] for main in sources.CRATES.glob("*/src/main.rs")}
faults, compared = [], {"manifests": 0, "images": 0, "variables": 0, "probes": 0, "ports": 0, "hosts": 0, "networks": 0, "alerts": 0}


def expect(holds, kind, fault):
    compared[kind] += 1
    if not holds:
        faults.append(fault)


def program_of(image):
    """The crate of one of our images; None for third-party images."""
    found = re.search(r"(?:^|/)spaza/([\w-]+)(?=[:@]|$)", image)
    return found and found[1]


def check_settings(where, program, given, complete=True, keys=()):
    """`given` are variables and values (None where a secret or a configuration map has it); `keys` are those that networks name."""
    known = sources.settings(program, STRUCTS)
    if program == "subscription":
        known |= {name: (None, complete) for name in keys}
    for name in given:
        expect(name in known, "variables", f"{where}: {program} knows no {name}")
    for name in (name for name, (_, required) in known.items() if required and complete):
        expect(name in given, "variables", f"{where}: {program} does not start without {name}")
    for name, value in given.items():
        default = known.get(name, (None,))[0]
        if name in ("BIND", "OPS_BIND") and default:
            port = default.rpartition(":")[2]
            expect(value == f"0.0.0.0:{port}", "ports", f"{where}: {name} is {value}, and {program}'s own port is {port}")
        elif name.endswith("_URL") and value and (peer := re.fullmatch(r"http://([\w-]+):(\d+)", value)):
            port = sources.settings(peer[1], STRUCTS)["BIND"][0].rpartition(":")[2]
            expect(peer[2] == port, "ports", f"{where}: {name} is {value}, and {peer[1]} listens on {port}")


def check_compose():
    text = pathlib.Path("docker-compose.yml").read_text()
    services = yaml.safe_load(text)["services"]
    for name, service in services.items():
        where, program = f"docker-compose.yml: {name}", program_of(service["image"].replace("${TAG:-dev}", "dev"))
        for rule in ("read_only", "cap_drop", "pids_limit", "security_opt", "user", "restart"):
            expect(service.get(rule), "manifests", f"{where} has no {rule}")
        # The Dockerfile sets it in our images.
        expect(program or service["healthcheck"]["test"], "manifests", f"{where} has no health check")
        expect(service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}, "manifests", f"{where} has no limits")
        if program:
            expect(program in PROGRAMS, "images", f"{where}: there is no program {program}")
            expect(service["build"]["args"]["SERVICE"] == program and (program == name or name == "demo"), "images", f"{where} builds another program")
            given = {key: str(value) for key, value in service["environment"].items()}
            check_settings(where, program, given)
            for mapping in service.get("ports", []):
                port = mapping.rpartition(":")[2]
                expect(given["BIND"].endswith(f":{port}"), "ports", f"{where} opens {port}, where nobody listens")
    offered = {line.partition("=")[0] for line in pathlib.Path(".env.example").read_text().splitlines() if re.match(r"\w+=", line)}
    wanted = set(re.findall(r"(?<!\$)\$\{(\w+)", text))
    expect(offered == wanted, "variables", f".env.example and docker-compose.yml differ in {sorted(offered ^ wanted)}")
    channel = tomllib.loads(pathlib.Path("rust-toolchain.toml").read_text())["toolchain"]["channel"]
    builder = pathlib.Path("deploy/Dockerfile").read_text()
    expect(re.search(rf"^FROM rust:{re.escape(channel)}-bookworm(@\S+)? AS", builder, re.M) and f"RUSTUP_TOOLCHAIN={channel}\n" in builder, "images", f"deploy/Dockerfile does not build with Rust {channel}")
    built = set(re.search(r'ARG PACKAGES="(.*)"', builder)[1].replace("-p ", "").split())
    wanted = {program_of(service["image"].replace("${TAG:-dev}", "dev")) for service in services.values()} - {None}
    expect(built == wanted, "images", f"deploy/Dockerfile and docker-compose.yml differ in {sorted(built ^ wanted)}")
    prometheus = yaml.safe_load(pathlib.Path("deploy/observability/prometheus.yml").read_text())
    for job in prometheus["scrape_configs"]:
        (place,) = job["dns_sd_configs"]
        bind = services[job["job_name"]]["environment"].get("OPS_BIND") or services[job["job_name"]]["environment"]["BIND"]
        expect(place["names"] == [job["job_name"]] and bind.endswith(f":{place['port']}"), "ports", f"prometheus.yml: {job['job_name']}")


def check_schema(where, document):
    """Validates an object by the schema of its kind, from any publisher."""
    schema = pathlib.Path("deploy/k8s/schemas") / f"{document['apiVersion'].replace('/', '_')}_{document['kind'].lower()}.json"
    try:
        if schema.exists():
            jsonschema.validate(document, json.loads(schema.read_text()))
        else:
            kubernetes_validate.validate(document, KUBERNETES, strict=True)
        expect(True, "manifests", where)
    except (jsonschema.ValidationError, kubernetes_validate.ValidationError) as error:
        expect(False, "manifests", f"{where}: {'/'.join(map(str, error.path))}: {error.message}")
    except kubernetes_validate.SchemaNotFoundError:
        expect(False, "manifests", f"{where}: no schema of {document['apiVersion']} {document['kind']}: .ci/deploy/crds.py")


def template_of(document):
    """The pod that a Deployment, Job or CronJob makes."""
    spec = document["spec"]["jobTemplate"]["spec"] if document["kind"] == "CronJob" else document["spec"]
    return spec["template"]


def check_pod(where, container):
    """What holds for all containers."""
    context = container["securityContext"]
    expect(context["readOnlyRootFilesystem"] and context["capabilities"]["drop"] == ["ALL"], "manifests", f"{where} may too much")
    expect({"requests", "limits"} <= container["resources"].keys(), "manifests", f"{where} has no requests or limits")
    expect("latest" not in container["image"] and ":" in container["image"], "images", f"{where}: {container['image']} has no version")


def check_container(where, container, ports, secrets, maps, keys):
    check_pod(where, container)
    program = program_of(container["image"])
    if not program:
        ports.update({port["name"]: port["containerPort"] for port in container.get("ports", [])})
        return
    expect(program in PROGRAMS, "images", f"{where}: there is no program {program}")
    given = {}
    for variable in container.get("env", []):
        source = variable.get("valueFrom", {})
        if reference := source.get("configMapKeyRef"):
            held = next((data for name, data in maps.items() if name == reference["name"]), {})
            expect(reference["key"] in held, "variables", f"{where}: no configuration map has {reference['key']}")
        elif reference := source.get("secretKeyRef"):
            expect(f"`{reference['name']}`" in secrets, "variables", f"{where}: deploy/INSTALL.md names no secret {reference['name']}")
        expect(variable["name"] not in given, "variables", f"{where} sets {variable['name']} twice")
        given[variable["name"]] = variable.get("value")
    # A program that only migrates takes where the tables are and how they are reached, and none of the secrets that serving takes.
    migrates = container.get("args") == ["--migrate"]
    taken = given.keys() - {"UNNAMED_STATEMENTS", "STORES_CA_FILE"}
    expect(not migrates or taken == {"DATABASE_URL", "LOG_FORMAT"}, "variables", f"{where} migrates with {sorted(given)}")
    check_settings(where, program, given, complete=not migrates, keys=keys)
    for port in container.get("ports", []):
        bind = given["OPS_BIND" if port["name"] == "ops" else "BIND"]
        expect(bind.endswith(f":{port['containerPort']}"), "ports", f"{where}: nobody listens on {port['containerPort']}")
        ports[port["name"]] = port["containerPort"]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        if get := container.get(probe, {}).get("httpGet"):
            expect(get["path"] in PROBES and get["port"] in ports, "probes", f"{where}: nobody answers {get['path']} at {get['port']}")


def check_overlay(file):
    documents = [document for document in yaml.safe_load_all(file.read_text()) if document]
    secrets = pathlib.Path("deploy/INSTALL.md").read_text()
    maps = {document["metadata"]["name"]: document["data"] for document in documents if document["kind"] == "ConfigMap"}
    brands = tomllib.loads(next(data["brands.toml"] for name, data in maps.items() if name == "brands"))
    # The variables that hold the networks' keys.
    keys = [network.get("notify_secret", "NOTIFY_SECRET") for network in brands["network"].values()]
    # Those that hold the names and passwords by which networks know us.
    known_by = [network.get("credentials", "NETWORK_CREDENTIALS") for network in brands["network"].values() if network.get("adapter") in ("soap", "camara")]
    # Those that hold certificates.
    known_by += [network[key] for network in brands["network"].values() for key in ("client_certificate", "authorities") if key in network]
    pods, named, used = {}, {}, set()
    for document in documents:
        kind, name = document["kind"], document["metadata"]["name"]
        where = f"{file.stem}: {kind} {name}"
        check_schema(where, document)
        named.setdefault(kind, {})[name] = document
        if kind in ("Deployment", "Job", "CronJob"):
            spec, ports = template_of(document)["spec"], {}
            expect(spec["securityContext"]["runAsNonRoot"], "manifests", f"{where} may run as root")
            for container in spec.get("initContainers", []) + spec["containers"]:
                check_container(f"{where}, {container['name']}", container, ports, secrets, maps, keys + known_by)
                expect(kind != "Job" or container.get("args") == ["--migrate"], "manifests", f"{where} does more than migrate")
                for variable in container.get("env", []):
                    if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
                        used.add(reference["name"])
            pods[name] = (template_of(document)["metadata"]["labels"], ports)
    for name, service in named["Service"].items():
        chosen = [ports for labels, ports in pods.values() if service["spec"]["selector"].items() <= labels.items()]
        expect(len(chosen) == 1, "ports", f"{file.stem}: Service {name} chooses the pods of {len(chosen)} deployments")
        for port in service["spec"]["ports"]:
            expect(all(p.get(port["targetPort"]) == port["port"] for p in chosen), "ports", f"{file.stem}: Service {name}: {port}")
    for name in named["Deployment"].keys() - {"operator-sandbox", "editors", "valkey"}:
        # The number of staff does not follow that of visitors.
        expect(name == "backoffice" or name in named["HorizontalPodAutoscaler"] or name in named["ScaledObject"], "manifests", f"{file.stem}: nothing scales {name}")
        expect(name in named["PodDisruptionBudget"], "manifests", f"{file.stem}: {name} has no PodDisruptionBudget")
    # Operators make the pods of the database and of a certificate's proof; the database names its secrets.
    for name, cluster in named["Cluster"].items():
        pods[name] = ({"cnpg.io/cluster": name}, {})
        used |= {role["passwordSecret"]["name"] for role in cluster["spec"]["managed"]["roles"]}
        owners = {role["name"] for role in cluster["spec"]["managed"]["roles"]}
        for database in named["Database"].values():
            expect({schema["owner"] for schema in database["spec"]["schemas"]} < owners, "manifests", f"{file.stem}: a schema's owner is no role")
    check_recovery(file, named)
    pods["solver"] = ({"acme.cert-manager.io/http01-solver": "true"}, {})
    for name in used:
        expect(name in named["ExternalSecret"], "manifests", f"{file.stem}: nobody makes the secret {name}")
    for policy in named["NetworkPolicy"].values():
        chosen = policy["spec"]["podSelector"].get("matchLabels", {})
        expect(any(chosen.items() <= labels.items() for labels, _ in pods.values()), "manifests", f"{file.stem}: {policy['metadata']['name']} holds for nobody")
    for monitor in named.get("PodMonitor", {}).values():
        chosen = monitor["spec"]["selector"]["matchLabels"]
        watched = [ports for labels, ports in pods.values() if chosen.items() <= labels.items()]
        expect(watched, "ports", f"{file.stem}: PodMonitor {monitor['metadata']['name']} watches nobody")
        for endpoint in monitor["spec"]["podMetricsEndpoints"]:
            expect(all(endpoint["port"] in ports for ports in watched if ports), "ports", f"{file.stem}: PodMonitor {monitor['metadata']['name']}: {endpoint['port']}")
    production = next(data["PRODUCTION"] for name, data in maps.items() if name.startswith("family-")) == "1"
    for name, network in brands["network"].items():
        if production:
            addresses = [network.get("url", "")] + [value for key, value in network.get("camara", {}).items() if key.endswith("url")]
            expect(all(address.startswith("https://") for address in addresses), "networks", f"{file.stem}: the network {name} has no https address")
            expect(keys.count(network.get("notify_secret", "NOTIFY_SECRET")) == 1, "networks", f"{file.stem}: the network {name} shares its key with another")
    listeners = {one["name"]: one for one in named["Gateway"]["brands"]["spec"]["listeners"] if one["protocol"] == "HTTPS"}
    safe = {one["hostname"] for one in listeners.values()}
    certified = {cert["spec"]["secretName"]: set(cert["spec"]["dnsNames"]) for cert in named["Certificate"].values()}
    for one in listeners.values():
        for reference in one["tls"]["certificateRefs"]:
            expect(one["hostname"] in certified.get(reference["name"], ()), "hosts", f"{file.stem}: the listener {one['name']} has no certificate")
    route = named["HTTPRoute"]["brands"]["spec"]
    expect({parent["sectionName"] for parent in route["parentRefs"]} == listeners.keys(), "hosts", f"{file.stem}: the brands' route leaves out a listener")
    for route in named["HTTPRoute"].values():
        for backend in (backend for rule in route["spec"]["rules"] for backend in rule.get("backendRefs", [])):
            port = named["Service"][backend["name"]]["spec"]["ports"][0]["port"]
            expect(backend["port"] == port, "ports", f"{file.stem}: HTTPRoute {route['metadata']['name']}: {backend}")
    check_staff(file, named, pods, next(data["BACKOFFICE_URL"] for name, data in maps.items() if name.startswith("family-")))
    for brand in brands["brand"]:
        expect(brand["network"] in brands["network"], "networks", f"{file.stem}: {brand['service']} names the network {brand['network']}, which networks.toml has not")
        for label in brand["labels"]:
            address = brand.get("public_url", brands["public_url"]).replace("{label}", label)
            host = address.removeprefix("https://")
            wild = "*." + host.partition(".")[2]
            expect(address != host, "hosts", f"{file.stem}: {address} is not https")
            expect({host, wild} & safe, "hosts", f"{file.stem}: no listener takes {host}")
        for host in brand.get("domains", []):
            expect(host in safe, "hosts", f"{file.stem}: no listener takes {host}")


def check_recovery(file, named):
    """A recovered PostgreSQL says so by itself, so that nothing is billed before it has caught up, and writes over no other one's backups."""
    for kind in ("Database", "ScheduledBackup"):
        for name, document in named[kind].items():
            expect(document["spec"]["cluster"]["name"] in named["Cluster"], "manifests", f"{file.stem}: {kind} {name} is of no cluster")
    recovered = {name: cluster["spec"] for name, cluster in named["Cluster"].items() if "recovery" in cluster["spec"]["bootstrap"]}
    expect(bool(recovered) == (file.stem == "recovered"), "manifests", f"{file.stem}: {len(recovered)} recovered clusters")
    for name, spec in recovered.items():
        where, recovery = f"{file.stem}: Cluster {name}", spec["bootstrap"]["recovery"]
        moment = recovery.get("recoveryTarget", {}).get("targetTime", "")
        expect(re.search(r"([+-]\d\d(:\d\d)?|Z)$", moment), "manifests", f"{where} is recovered to no time with a zone")
        expect(spec["postgresql"]["parameters"].get("spaza.restored_to") == moment, "manifests", f"{where} does not say that it was recovered to {moment}")
        sources = {source["name"]: source["plugin"]["parameters"] for source in spec["externalClusters"]}
        expect(sources[recovery["source"]]["serverName"] != name, "manifests", f"{where} would write over the backups that it comes from")


def check_staff(file, named, pods, address):
    """The back office has a host and a Gateway of its own, and neither the brands' Gateway nor the sites' gateway leads to it."""
    for name, route in named["HTTPRoute"].items():
        leads = any(backend["name"] == "backoffice" for rule in route["spec"]["rules"] for backend in rule.get("backendRefs", []))
        parents = {parent["name"] for parent in route["spec"]["parentRefs"]}
        expect(leads == ("staff" in parents) and not (leads and len(parents) > 1), "hosts", f"{file.stem}: HTTPRoute {name} leads to the back office")
    (listener,) = named["Gateway"]["staff"]["spec"]["listeners"]
    expect(address == f"https://{listener['hostname']}", "hosts", f"{file.stem}: BACKOFFICE_URL is not the host of the Gateway staff")
    expect(named["HTTPRoute"]["backoffice"]["spec"]["hostnames"] == [listener["hostname"]], "hosts", f"{file.stem}: the route of the back office has another host")
    (reference,) = listener["tls"]["certificateRefs"]
    certified = [cert["spec"]["dnsNames"] for cert in named["Certificate"].values() if cert["spec"]["secretName"] == reference["name"]]
    expect(certified == [[listener["hostname"]]], "hosts", f"{file.stem}: the Gateway staff has no certificate")
    staff, door = pods["backoffice"][0], pods["gateway"][0]
    policies = [policy["spec"] for policy in named["NetworkPolicy"].values() if policy["spec"]["podSelector"].get("matchLabels", {"none": ""}).items() <= staff.items()]
    callers = [peer["podSelector"] for policy in policies for rule in policy.get("ingress", []) for peer in rule["from"] if "podSelector" in peer]
    # With a provider configured it can be reached, and else nothing outside the cluster but the films' bucket can.
    configured = {key: value for name, data in named["ConfigMap"].items() if name.startswith("family-") for key, value in data["data"].items()}
    to_bucket = named["NetworkPolicy"].get("backoffice-to-bucket", {}).get("spec")
    leaves = [rule for policy in policies if policy is not to_bucket for rule in policy.get("egress", []) if {"port": 443} in rule.get("ports", [])]
    expect(bool(leaves) == bool(configured["OIDC_ISSUER"]), "ports", f"{file.stem}: the way to OIDC_ISSUER: component single-sign-on, or none")
    expect(bool(configured["OIDC_ISSUER"]) == bool(configured["OIDC_CLIENT_ID"]), "variables", f"{file.stem}: OIDC_ISSUER and OIDC_CLIENT_ID are set together")
    expect(policies and not any(caller.get("matchLabels", {}).items() <= door.items() for caller in callers), "ports", f"{file.stem}: the gateway reaches the back office")


def check_canary(file):
    """deploy/k8s/canary makes of each service's Deployment one that the Service chooses too, and the Deployment does not."""
    for document in (document for document in yaml.safe_load_all(file.read_text()) if document and document["kind"] == "Deployment"):
        labels = document["spec"]["template"]["metadata"]["labels"]
        if "spaza.example/serves" not in labels:
            continue
        printed = subprocess.run(["deploy/k8s/canary", "9.9.9"], input=json.dumps(document), capture_output=True, text=True, check=True).stdout
        canary = json.loads(printed)
        where = f"{file.stem}: canary of {document['metadata']['name']}"
        check_schema(where, canary)
        made = canary["spec"]["template"]["metadata"]["labels"]
        expect(made["spaza.example/serves"] == labels["spaza.example/serves"], "manifests", f"{where} is not chosen by the Service")
        expect(not document["spec"]["selector"]["matchLabels"].items() <= made.items(), "manifests", f"{where} would be taken over")
        expect(all(container["image"].endswith(":9.9.9") for container in canary["spec"]["template"]["spec"]["containers"]), "images", where)


def check_shared(file):
    """What a cluster has once: every object against its schema, and what holds for all containers."""
    for document in (document for document in yaml.safe_load_all(file.read_text()) if document):
        where = f"{file.stem}: {document['kind']} {document['metadata']['name']}"
        check_schema(where, document)
        if document["kind"] == "Deployment":
            for container in template_of(document)["spec"]["containers"]:
                check_pod(where, container)


def wanted_keys(value):
    """The secrets and keys that an object reads and cannot do without."""
    if isinstance(value, list):
        return set().union(*map(wanted_keys, value))
    if not isinstance(value, dict):
        return set()
    found = set().union(*map(wanted_keys, value.values()))
    for name in ("secretKeyRef", "accessKeyId", "secretAccessKey"):
        if (reference := value.get(name)) and not reference.get("optional"):
            found.add((reference["name"], reference["key"]))
    if reference := value.get("passwordSecret"):
        found |= {(reference["name"], key) for key in ("username", "password")}
    return found


# A Vault in a file, as far as new-secrets and the commands that it prints use one.
VAULT = """#!%s
import json, os, sys
file, (verb, *words) = os.environ["VAULT_FILE"], sys.argv[2:]
secrets = json.load(open(file))
name = next(word for word in words if not word.startswith("-"))
if verb == "get":
    field = next(word for word in words if word.startswith("-field=")).partition("=")[2]
    fields = secrets.get(name) or sys.exit(f"No value found at {name}")
    print(fields[field]) if field in fields else sys.exit(f'Field "{field}" not present in secret')
else:
    secrets[name] = ({} if verb == "put" else secrets[name]) | json.load(sys.stdin)
    json.dump(secrets, open(file + ".new", "w"))
    os.replace(file + ".new", file)
""" % sys.executable


def write_secrets(environment, secrets):
    """The Vault's content after `new-secrets | sh`, from the content before."""
    with tempfile.TemporaryDirectory() as folder:
        file, program = pathlib.Path(folder, "secrets"), pathlib.Path(folder, "vault")
        file.write_text(json.dumps(secrets))
        program.write_text(VAULT)
        program.chmod(0o755)
        given = {name: "given" for name in re.findall(r"\$([A-Z_]*KEY_ID|[A-Z]*_SECRET_KEY|PAGER_KEY|SMTP_PASSWORD)'", pathlib.Path("deploy/k8s/new-secrets").read_text())}
        environ = os.environ | given | {"VAULT_FILE": str(file), "PATH": f"{folder}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-o", "pipefail", "-c", f"deploy/k8s/new-secrets {environment} | sh"], env=environ, check=True, capture_output=True)
        return json.loads(file.read_text())


def check_secrets(environment, files):
    """deploy/k8s/new-secrets writes every secret that is fetched, and every key that is read; what the Vault has stays."""
    written = write_secrets(environment, {})
    documents = [document for file in files for document in yaml.safe_load_all(file.read_text()) if document]
    fetched = {document["metadata"]["name"] for document in documents if document["kind"] == "ExternalSecret"}
    expect(fetched == written.keys(), "variables", f"new-secrets {environment} and the ExternalSecrets differ in {sorted(fetched ^ written.keys())}")
    for name, key in sorted(wanted_keys(documents)):
        # Those of single sign-on are given out by its provider, and Prometheus' token by the cluster.
        if key != "OIDC_CLIENT_SECRET":
            expect(written.get(name, {}).get(key), "variables", f"new-secrets {environment} writes no {key} of {name}")
    expect(write_secrets(environment, written) == written, "variables", f"new-secrets {environment} changes a complete Vault")
    # A release brings keys and secrets.
    older = {name: fields for name, fields in written.items() if name not in ("spaza-stores", "spaza-session-public", "spaza-charge-key")}
    older["spaza-staff"] = {"STAFF_TOKEN_SECRET_KEY": written["spaza-staff"]["STAFF_TOKEN_SECRET_KEY"]}
    added = write_secrets(environment, older)
    second_factor = added["spaza-staff"].pop("SECOND_FACTOR_KEYS", None)
    wanted = written | {"spaza-staff": older["spaza-staff"]}
    del wanted["spaza-charge-key"]
    expect(second_factor and added == wanted, "variables", f"new-secrets {environment} does not add what a Vault lacks, or sets CHARGE_KEY_SECRET")


def check_env():
    """deploy/new-env fills a new file, and adds to an old one without a change of what it has."""
    def env(text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "env")
            if text:
                file.write_text(text)
            subprocess.run(["deploy/new-env", file], check=True, capture_output=True)
            return file.read_text()

    def values(text):
        return dict(re.findall(r"^(\w+)=(.*)$", text, re.M))

    new = values(env(""))
    names = values(pathlib.Path(".env.example").read_text())
    expect(new.keys() == names.keys() and sum(1 for value in new.values() if not value) == 3, "variables", "new-env leaves other variables empty than those of OIDC")
    kept = ("SESSION_SECRET_KEY", "NOTIFY_SECRET", "POSTGRES_PASSWORD")
    old = "# Mine.\nREADER_PASSWORD=\"r\"\n" + "".join(f"{name}={new[name]}\n" for name in kept) + "SESSION_PUBLIC_KEYS=\nREDIS_PASSWORD="
    text = env(old)
    filled = values(text)
    expect(text.startswith(old.partition("SESSION_PUBLIC")[0]), "variables", "new-env changes what an old file has")
    expect(filled["SESSION_PUBLIC_KEYS"] == new["SESSION_PUBLIC_KEYS"], "variables", "new-env makes another public key than that of the secret one")
    expect(not filled["CHARGE_KEY_SECRET"], "variables", "new-env sets CHARGE_KEY_SECRET where charges have names")
    expect(names.keys() <= filled.keys() and filled["REDIS_PASSWORD"], "variables", "new-env leaves variables out of an old file")
    expect(env(text) == text, "variables", "new-env changes a complete file")


def check_proofs(severities):
    """Every alert is made to fire by .ci/alerts/prove.py, and reaches the receiver of its severity there, or stands there with the reason why not."""
    tree = ast.parse(pathlib.Path(".ci/alerts/prove.py").read_text())
    tables = {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body
              if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("EXPECTED", "NOT_PROVEN")}
    proven, reasons = tables["EXPECTED"], tables["NOT_PROVEN"]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "fires"]
    caused = {argument.value for call in calls for argument in call.args if isinstance(argument, ast.Constant)}
    receivers = {"page": "pager", "ticket": "tickets", "none": "watchdog"}
    for name, severity in severities.items():
        expect((name in proven) != (name in reasons), "alerts", f".ci/alerts/prove.py neither proves {name} nor tells why not, or both")
        expect(name not in proven or (name in caused and proven[name] == receivers[severity]), "alerts", f".ci/alerts/prove.py does not make {name} reach {receivers[severity]}")
    expect(proven.keys() | reasons.keys() <= severities.keys(), "alerts", f".ci/alerts/prove.py has {sorted((proven.keys() | reasons.keys()) - severities.keys())}, which no rule has")


def check_alerts():
    lines = pathlib.Path("deploy/RUNBOOK.md").read_text().splitlines()
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in lines if line.startswith("#")}
    tests = "".join(file.read_text() for file in pathlib.Path("deploy/observability").glob("*.test.yml"))
    code = "\n".join(file.read_text() for file in sources.CRATES.glob("*/src/**/*.rs"))
    raised = set(re.findall(r'\balarm(?: =|:) "(\w+)"', code)) - {"test_alarm"}
    files = [file for file in pathlib.Path("deploy/observability").glob("alerts*.yml") if not file.name.endswith(".test.yml")]
    rules = [rule for file in files for group in yaml.safe_load(file.read_text())["groups"] for rule in group["rules"]]
    for rule in (rule for rule in rules if "alert" in rule):
        document, _, section = rule["annotations"]["runbook_url"].partition("#")
        expect(document.endswith("/deploy/RUNBOOK.md") and section == rule["alert"].lower(), "alerts", f"{rule['alert']} names the section {section}")
        expect(section in headings, "alerts", f"deploy/RUNBOOK.md has no heading for {rule['alert']}")
        expect(f"alertname: {rule['alert']}," in tests or f"alertname: {rule['alert']}\n" in tests, "alerts", f"no test has {rule['alert']}")
    check_proofs({rule["alert"]: rule["labels"]["severity"] for rule in rules if "alert" in rule})
    names = {rule["alert"] for rule in rules if "alert" in rule}
    # The alarms of the log: each has a row in the document, which names its alert, and no longer counts as unknown.
    told = {row[1]: row[2] for line in lines if (row := re.match(r"\| `(\w+)` \| \[(\w+)\]\(#\w+\) \|", line))}
    for alarm, alert in told.items():
        expect(alert in names, "alerts", f"deploy/RUNBOOK.md: {alarm} names the alert {alert}, which alerts.yml has not")
    known = set(re.search(r'alarm!~"([\w|]+)"', next(rule["expr"] for rule in rules if rule.get("alert") == "UnknownAlarm"))[1].split("|"))
    expect(known == told.keys(), "alerts", f"UnknownAlarm of alerts.yml and deploy/RUNBOOK.md differ in {sorted(known ^ told.keys())}")
    expect(raised <= known, "alerts", f"deploy/RUNBOOK.md does not tell the alarms {sorted(raised - known)}")
    # Some are passed to a function that logs them: then only the word is in the code.
    for alarm in known:
        expect(f'"{alarm}"' in code, "alerts", f"the code never raises the alarm {alarm}")
    ruled = {alarm for rule in rules for list_ in re.findall(r'alarm=~?"([\w|]+)"', rule["expr"]) for alarm in list_.split("|")}
    expect(ruled <= known, "alerts", f"alerts.yml waits for {sorted(ruled - known)}, which deploy/RUNBOOK.md does not tell")


check_compose()
files = {pathlib.Path(name).stem: pathlib.Path(name) for name in sys.argv[1:]}
check_env()
check_secrets("staging", [files["staging"]])
check_secrets("production", [files["production"], files["monitoring"], files["recovered"]])
for rendered in map(pathlib.Path, sys.argv[1:]):
    if rendered.stem in ("staging", "production", "recovered"):
        check_overlay(rendered)
        check_canary(rendered)
    else:
        check_shared(rendered)
check_alerts()
print("\n".join(faults) or "compared: " + ", ".join(f"{count} {kind}" for kind, count in compared.items()))
sys.exit(bool(faults))
