import { randomBytes } from "node:crypto";
import type { Mock } from "@cloud-compute/mock";
import { controlsPath, withControls } from "@plumbline/server-runtime/mock/controls";

/**
 * The test controls of Cloud Compute: those of every mock for users, the clock and the state, and a few that name objects and events of the
 * platform. What follows from these, the mock knows from the description.
 */
export function cloudComputeControls(mock: Mock): (request: Request) => Promise<Response> {
  const routes = platformRoutes(mock);
  const respond = withControls(mock);
  return async (request) => {
    const { pathname, search, searchParams, origin } = new URL(request.url);
    const text = await request.text();
    const body = (text === "" ? {} : JSON.parse(text)) as Body;
    for (const [route, run] of Object.entries(routes)) {
      const [method, template = ""] = route.split(" ");
      const match = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`).exec(pathname);
      if (method === request.method && match !== null)
        return run({ body, name: decodeURIComponent(match[1] ?? ""), query: searchParams });
    }
    const { method, headers } = request;
    const sent = text === "" ? {} : { body: text };
    return respond(new Request(`${origin}${controlsPath}${pathname}${search}`, { method, headers, ...sent }));
  };
}

type Body = Readonly<Record<string, unknown>>;

interface ControlRequest {
  readonly body: Body;
  /** The value in the path. */
  readonly name: string;
  readonly query: URLSearchParams;
}

type Control = (request: ControlRequest) => Response;

function notFound(): Response {
  return Response.json({ errors: [{ reason: "Not found" }] }, { status: 404 });
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function platformRoutes(mock: Mock): Readonly<Record<string, Control>> {
  const { users, objects } = mock;
  const now = (): string => new Date(mock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const accountOf = (body: Body): string => textOf(body["account"], "bootstrap");
  const userOf = (body: Body): string => textOf(body["username"], "admin");
  const created = (values: unknown): Response => Response.json(values, { status: 201 });
  const instance = (name: string): Body | undefined => objects.find("Instance", Number(name));
  const newToken = (): string => randomBytes(32).toString("hex");
  return {
    "POST /users/{username}/tokens": ({ name, body }) => {
      const token = newToken();
      const { label = "test", scopes = "*", expiry = null, client } = body;
      const { id } = objects.create("Token", { label, scopes, expiry, token }, { username: name });
      const object = objects.keyOf("Token", id);
      users.addToken(token, {
        username: name,
        scopes: String(scopes),
        client: client as string | undefined,
        ...object,
      });
      return created({ id, token });
    },
    "GET /messages": ({ query }) => {
      const data = objects.list("PhoneMessage", query.has("to") ? { to: query.get("to") } : {});
      return Response.json({ data: data.toReversed().map((each) => ({ text: "", sent: now(), ...each })) });
    },
    "PUT /instances/{id}/status": ({ name, body }) => {
      if (instance(name) === undefined) return notFound();
      const status = String(body["status"]);
      const event = { offline: "power-loss", stopped: "maintenance", suspended: "suspend" }[status];
      if (event === undefined || !objects.perform("Instance", Number(name), event))
        objects.setState("Instance", Number(name), status);
      return Response.json({ id: Number(name), status: instance(name)?.["status"] });
    },
    "POST /instances/{id}/image": ({ name }) => {
      const found = instance(name);
      if (found === undefined) return notFound();
      objects.remove("Instance", Number(name));
      return created(
        objects.create(
          "Image",
          { label: found["label"], is_public: false, size: 1 },
          { account: "bootstrap", event: "instance-deleted" },
        ),
      );
    },
    "GET /instances/{id}/disks": ({ name }) =>
      Response.json({ data: objects.children("Disk", { resource: "Instance", identifier: Number(name) }) }),
    "POST /instances/{id}/backups": ({ name }) =>
      created(objects.create("Backup", { type: "auto" }, { parent: Number(name), event: "weekly-backup" })),
    "POST /volumes": ({ body }) =>
      created(objects.create("Volume", { ...body, status: "active" }, { account: accountOf(body) })),
    "POST /nodebalancers": ({ body }) => created(objects.create("NodeBalancer", body, { account: accountOf(body) })),
    "POST /stackscripts": ({ body }) => created(objects.create("StackScript", body, { account: accountOf(body) })),
    "DELETE /stackscripts/{id}": ({ name }) =>
      objects.remove("StackScript", Number(name)) ? new Response(null, { status: 204 }) : notFound(),
    "PUT /regions/{id}": ({ name, body }) =>
      objects.change("Region", name, body) ? Response.json(objects.find("Region", name)) : notFound(),
    "POST /apps": ({ body }) => {
      const token = newToken();
      const { label, scopes } = body;
      const { id } = objects.create(
        "App",
        { label, scopes, expiry: null },
        { username: userOf(body), event: "authorize" },
      );
      const object = objects.keyOf("App", id);
      users.addToken(token, { username: userOf(body), scopes: String(scopes), client: `app ${String(id)}`, ...object });
      return created({ id, token });
    },
    "POST /devices": ({ body }) =>
      created(objects.create("Device", body, { username: userOf(body), event: "remembered-login" })),
    "POST /logins": ({ body }) =>
      created(
        objects.create("Login", { datetime: now(), ...body, username: userOf(body) }, { username: userOf(body) }),
      ),
    "POST /payments": ({ body }) => {
      const account = accountOf(body);
      if (objects.find("Account", account) === undefined)
        objects.create("Account", { name: account, total_payments: 0 }, {});
      const before = Number(objects.find("Account", account)?.["total_payments"]);
      objects.change("Account", account, { total_payments: before + Number(body["usd"]) });
      return new Response(null, { status: 204 });
    },
  };
}
