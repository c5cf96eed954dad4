// The same operations on Fastify by hand: its schemas for parameters, bodies and responses, and hooks for everything else that ours checks.
import { readFileSync } from "node:fs";
import fastify from "fastify";
import { callers, grants, images, instances, made, most, pageOf, regions, types, users } from "./rows.mjs";

const { routes, components } = JSON.parse(readFileSync("routes.json", "utf8"));
const app = fastify({ ajv: { customOptions: { strict: false } } });
app.addSchema({ $id: "api", components });

const levels = { read_write: ["read_write", "read_only"], read_only: ["read_only"] };
const scopesHeld = new Map();

function holds(scopes, wanted) {
  let held = scopesHeld.get(scopes);
  if (held === undefined) {
    const spelled = scopes.split(",").flatMap((each) => {
      const [area, level] = each.split(":");
      return (levels[level] ?? []).map((one) => `${area}:${one}`);
    });
    scopesHeld.set(scopes, (held = new Set(spelled)));
  }
  return held.has(wanted);
}

const counts = new Map();

function countsOne(key, seconds) {
  const now = Date.now();
  let count = counts.get(key);
  if (count === undefined || count.reset <= now) counts.set(key, (count = { taken: 0, reset: now + seconds * 1000 }));
  count.taken += 1;
  return count;
}

function reject(reply, status, reason, field) {
  void reply.code(status).send({ errors: [field === undefined ? { reason } : { field, reason }] });
}

/** Authentication, scopes and rates, before the body is read. */
function admit(wanted, rates) {
  const challenge = "Bearer";
  return (request, reply, done) => {
    const { authorization } = request.headers;
    reply.header("X-Request-Id", request.id);
    reply.header("X-Accepted-OAuth-Scopes", wanted);
    const caller = authorization?.startsWith("Bearer ") ? callers.get(authorization.slice(7)) : undefined;
    reply.header("X-OAuth-Scopes", caller?.scopes ?? "unknown");
    if (caller === undefined) {
      reply.header("WWW-Authenticate", challenge);
      return reject(reply, 401, "Invalid Token");
    }
    if (!holds(caller.scopes, wanted)) return reject(reply, 401, "Your token lacks a scope");
    let narrowest;
    for (const [name, seconds] of rates) {
      const count = countsOne(`${name} ${caller.user}`, seconds);
      if (narrowest === undefined || count.taken > narrowest.taken) narrowest = count;
    }
    reply.header("X-RateLimit-Limit", most);
    reply.header("X-RateLimit-Remaining", most - narrowest.taken);
    reply.header("X-RateLimit-Reset", Math.ceil(narrowest.reset / 1000));
    if (narrowest.taken > most) return reject(reply, 429, "Too many requests");
    request.caller = caller;
    done();
  };
}

function findInstance(request, reply, done) {
  const { caller } = request;
  const row = instances.get(request.params.computeId);
  if (row === undefined || row.account !== caller.account.id) return reject(reply, 404, "Not found");
  if (caller.restricted) {
    const grant = grants.get(caller.user).compute.find(({ id }) => id === row.id);
    if (grant === undefined || grant.permissions === null) return reject(reply, 404, "Not found");
  }
  request.target = row;
  done();
}

function findNamed(request, reply, done) {
  const { caller, body } = request;
  const { region, type, image, authorized_users: names = [], swap_size: swap = 0, tags = [], interfaces = [] } = body;
  if (caller.restricted) {
    if (!grants.get(caller.user).global.add_computes) return reject(reply, 403, "Not permitted");
    if (tags.length > 0) return reject(reply, 403, "Not permitted");
  }
  const place = regions.get(region);
  if (place === undefined) return reject(reply, 400, "There is no region with this id", "region");
  if (interfaces.some(({ purpose }) => purpose === "vlan") && !place.capabilities.includes("Vlans"))
    return reject(reply, 400, "There are no VLANs in this region", "interfaces");
  const plan = types.get(type);
  if (plan === undefined) return reject(reply, 400, "There is no plan with this id", "type");
  const source = image === undefined ? undefined : images.get(image);
  if (image !== undefined) {
    if (source === undefined || !(source.is_public || source.account === caller.account.id))
      return reject(reply, 400, "There is no image with this id", "image");
    if (source.status !== "available") return reject(reply, 400, "The image is still being created", "image");
    if (caller.restricted && !source.is_public && !grants.get(caller.user).image.some(({ id }) => id === image))
      return reject(reply, 400, "There is no image with this id", "image");
    if (plan.disk < source.size) return reject(reply, 400, "The image needs a larger disk", "type");
    if (plan.disk <= swap) return reject(reply, 400, "The swap disk leaves nothing", "swap_size");
  }
  for (const [index, name] of names.entries()) {
    const user = users.get(name);
    if (user?.account !== caller.account.id)
      return reject(reply, 400, "There is no user with this name", `authorized_users.${index}`);
  }
  done();
}

function schemasOf(name) {
  const { method, url, schema, replies } = routes.find((each) => each.name === name);
  return { method, url, schema: { ...schema, response: replies } };
}

app.decorateRequest("caller", null);
app.decorateRequest("target", null);

app.route({
  ...schemasOf("createInstance"),
  onRequest: admit("computes:read_write", [
    ["creates", 30],
    ["all", 60],
  ]),
  preHandler: findNamed,
  handler: (request, reply) => void reply.send(made(request.body)),
});
app.route({
  ...schemasOf("getInstance"),
  onRequest: admit("computes:read_only", [["all", 60]]),
  preHandler: findInstance,
  handler: (request, reply) => void reply.send(request.target),
});
app.route({
  ...schemasOf("listInstances"),
  onRequest: admit("computes:read_only", [["all", 60]]),
  handler: (request, reply) => {
    const { caller, query } = request;
    const { page = 1, page_size: size = 100 } = query;
    const readable = caller.restricted
      ? grants.get(caller.user).compute.flatMap(({ id, permissions }) => (permissions === null ? [] : [id]))
      : instances.keys();
    void reply.send(pageOf(caller.account.id, readable, { page, size }));
  },
});
await app.ready();

export const { server } = app;
