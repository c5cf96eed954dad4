// mock/cloud-compute-mock.ts
import { randomBytes as randomBytes2 } from "node:crypto";
import { createServer } from "node:http";
import { createMock } from "@cloud-compute/mock";
import { createAdaptorServer } from "@hono/node-server";

// mock/cloud-compute-data.ts
var cloudComputeData = {
  Region: [
    region("ap-south", "sg", { vlans: true, net: 1 }),
    region("eu-central", "de", { vlans: true, net: 2 }),
    region("eu-west", "uk", { vlans: false, net: 3 }),
    region("us-east", "us", { vlans: true, net: 4 }),
    region("us-west", "us", { vlans: false, net: 6 })
  ],
  InstanceType: [
    plan("g6-nanode-1", { disk: 25, memory: 1, transfer: 1e3, vcpus: 1 }),
    plan("g6-standard-1", { disk: 50, memory: 2, transfer: 2e3, vcpus: 1 }),
    plan("g6-standard-2", { disk: 80, memory: 4, transfer: 4e3, vcpus: 2 }),
    plan("g6-standard-4", { disk: 160, memory: 8, transfer: 5e3, vcpus: 4 }),
    plan("g6-standard-6", { disk: 320, memory: 16, transfer: 8e3, vcpus: 6 }),
    plan("g6-dedicated-2", { disk: 80, memory: 4, transfer: 4e3, vcpus: 2 })
  ],
  Kernel: [
    { id: "compute/latest-64bit", label: "Latest 64 bit", built: "2024-05-06T09:15:00Z" },
    { id: "compute/grub2", label: "GRUB 2", built: "2021-03-17T12:00:00Z" }
  ],
  KubeVersion: [{ id: "1.28" }, { id: "1.29" }, { id: "1.30" }],
  Image: [
    distribution("debian10", "Debian 10", { size: 1500, deprecated: true }),
    distribution("debian11", "Debian 11", { size: 1300 }),
    distribution("debian12", "Debian 12", { size: 1300 }),
    distribution("ubuntu22.04", "Ubuntu 22.04 LTS", { size: 2500 }),
    distribution("ubuntu24.04", "Ubuntu 24.04 LTS", { size: 2700 }),
    distribution("fedora40", "Fedora 40", { size: 2500 })
  ],
  SecurityQuestion: [
    "In what city were you born?",
    "What was your first pet?",
    "Who was your first teacher?",
    "What is your favorite book?"
  ].map((question, index) => ({ id: index + 1, question, response: null }))
};
function region(id, country, { vlans, net }) {
  const capabilities = [
    "Compute",
    "Block Storage",
    "Backups",
    "NodeBalancers",
    "Kubernetes",
    ...vlans ? ["Vlans"] : []
  ];
  const resolvers = { ipv4: `192.0.2.${net}5,192.0.2.${net}6`, ipv6: `2001:db8:${net}::5,2001:db8:${net}::6` };
  return { id, country, capabilities, resolvers, status: "ok" };
}
function plan(id, { disk, memory, ...rest }) {
  return { id, label: id, disk: disk * 1024, memory: memory * 1024, gpus: 0, ...rest };
}
function distribution(name, label, { size, deprecated = false }) {
  const at = "2024-06-03T12:00:00Z";
  return {
    ...{ id: `compute/${name}`, label, description: null, created: at, updated: at, created_by: "compute", deprecated },
    ...{ eol: "2028-06-30T00:00:00Z", expiry: null, is_public: true, size, status: "available", type: "manual" },
    vendor: label.split(" ")[0]
  };
}

// mock/cloud-compute-controls.ts
import { randomBytes } from "node:crypto";
function cloudComputeControls(mock) {
  const routes = controlRoutes(mock);
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? {} : JSON.parse(text);
    for (const [route, run] of Object.entries(routes)) {
      const [method, template = ""] = route.split(" ");
      const match = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`).exec(pathname);
      if (method === request.method && match !== null)
        return run({ body, name: decodeURIComponent(match[1] ?? ""), query: searchParams });
    }
    return notFound();
  };
}
function notFound() {
  return Response.json({ errors: [{ reason: "Not found" }] }, { status: 404 });
}
function controlRoutes(mock) {
  const { users, objects } = mock;
  const now = () => new Date(mock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const accountOf = (body) => String(body["account"] ?? "bootstrap");
  const userOf = (body) => String(body["username"] ?? "admin");
  const created = (values) => Response.json(values, { status: 201 });
  const instance = (name) => objects.find("Instance", Number(name));
  const newToken = () => randomBytes(32).toString("hex");
  return {
    "POST /reset": () => {
      mock.reset();
      return new Response(null, { status: 204 });
    },
    "POST /users": ({ body }) => {
      const username = userOf(body);
      users.addUser({ username, account: accountOf(body), restricted: body["restricted"] === true });
      objects.create("User", { username }, { username });
      return created({ username, account: accountOf(body) });
    },
    "PUT /users/{username}/grants": ({ name, body }) => {
      users.setGrants(name, body);
      return Response.json(body);
    },
    "POST /users/{username}/tokens": ({ name, body }) => {
      const token = newToken();
      const { label = "test", scopes = "*", expiry = null, client } = body;
      const { id } = objects.create("Token", { label, scopes, expiry, token }, { username: name });
      const object = objects.keyOf("Token", id);
      users.addToken(token, {
        username: name,
        scopes: String(scopes),
        client,
        ...object
      });
      return created({ id, token });
    },
    "GET /clock": () => Response.json({ now: now() }),
    "POST /clock": ({ body }) => {
      mock.advance(String(body["advance"]));
      return Response.json({ now: now() });
    },
    "POST /settle": () => {
      const ran = mock.settle();
      return Response.json({ now: now(), ran });
    },
    "POST /hold": ({ body }) => {
      mock.hold(body["hold"] === true);
      return Response.json(body);
    },
    "GET /messages": ({ query }) => {
      const data = objects.list("PhoneMessage", query.has("to") ? { to: query.get("to") } : {});
      return Response.json({ data: data.toReversed().map((each) => ({ text: "", sent: now(), ...each })) });
    },
    "PUT /instances/{id}/status": ({ name, body }) => {
      if (instance(name) === void 0) return notFound();
      const status = String(body["status"]);
      const event = { offline: "power-loss", stopped: "maintenance", suspended: "suspend" }[status];
      if (event === void 0 || !objects.perform("Instance", Number(name), event))
        objects.setState("Instance", Number(name), status);
      return Response.json({ id: Number(name), status: instance(name)?.["status"] });
    },
    "POST /instances/{id}/image": ({ name }) => {
      const found = instance(name);
      if (found === void 0) return notFound();
      objects.remove("Instance", Number(name));
      return created(
        objects.create(
          "Image",
          { label: found["label"], is_public: false, size: 1 },
          { account: "bootstrap", event: "instance-deleted" }
        )
      );
    },
    "GET /instances/{id}/disks": ({ name }) => Response.json({ data: objects.children("Disk", { resource: "Instance", identifier: Number(name) }) }),
    "POST /instances/{id}/backups": ({ name }) => created(objects.create("Backup", { type: "auto" }, { parent: Number(name), event: "weekly-backup" })),
    "POST /volumes": ({ body }) => created(objects.create("Volume", { ...body, status: "active" }, { account: accountOf(body) })),
    "POST /nodebalancers": ({ body }) => created(objects.create("NodeBalancer", body, { account: accountOf(body) })),
    "POST /stackscripts": ({ body }) => created(objects.create("StackScript", body, { account: accountOf(body) })),
    "DELETE /stackscripts/{id}": ({ name }) => objects.remove("StackScript", Number(name)) ? new Response(null, { status: 204 }) : notFound(),
    "PUT /regions/{id}": ({ name, body }) => objects.change("Region", name, body) ? Response.json(objects.find("Region", name)) : notFound(),
    "POST /apps": ({ body }) => {
      const token = newToken();
      const { label, scopes } = body;
      const { id } = objects.create(
        "App",
        { label, scopes, expiry: null },
        { username: userOf(body), event: "authorize" }
      );
      const object = objects.keyOf("App", id);
      users.addToken(token, { username: userOf(body), scopes: String(scopes), client: `app ${String(id)}`, ...object });
      return created({ id, token });
    },
    "POST /devices": ({ body }) => created(objects.create("Device", body, { username: userOf(body), event: "remembered-login" })),
    "POST /logins": ({ body }) => created(
      objects.create("Login", { datetime: now(), ...body, username: userOf(body) }, { username: userOf(body) })
    ),
    "POST /payments": ({ body }) => {
      const account = accountOf(body);
      if (objects.find("Account", account) === void 0)
        objects.create("Account", { name: account, total_payments: 0 }, {});
      const before = Number(objects.find("Account", account)?.["total_payments"]);
      objects.change("Account", account, { total_payments: before + Number(body["usd"]) });
      return new Response(null, { status: 204 });
    }
  };
}

// mock/cloud-compute-mock.ts
async function startCloudComputeMock(pace) {
  const token = randomBytes2(32).toString("hex");
  const mock = createMock({
    pace,
    data: cloudComputeData,
    users: [{ username: "admin", account: "bootstrap", tokens: [token] }]
  });
  const servers = [createAdaptorServer({ fetch: mock.fetch }), createServer()];
  const [api, controls] = servers;
  const respond = createAdaptorServer({ fetch: cloudComputeControls(mock) });
  for (const listener of respond.listeners("request")) controls.on("request", listener);
  const [url, controlsUrl] = await Promise.all([api, controls].map(listen));
  return {
    mock,
    url: `${url}/v4`,
    controls: controlsUrl ?? "",
    token,
    close: async () => void await Promise.all(servers.map(close))
  };
}
async function listen(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}
function close(server) {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
export {
  startCloudComputeMock
};
