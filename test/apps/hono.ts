import { createDomain, getDomain, inputOf, updateDomain } from "@cloud-compute/validator";
import { validator } from "@cloud-compute/validator/hono";
import { Hono } from "hono";

interface Domain {
  readonly id: number;
  readonly domain: string;
  readonly ttl_sec: number;
}

/** Domains on Hono. Undocumented fields never reach a handler. */
export function createApp(): Hono {
  const domains = new Map<number, Domain>();
  const app = new Hono().basePath("/v4");
  app.use(validator({ basePath: "/v4", unknown: "strip" }));

  app.post("/domains", (context) => {
    const { domain, ttl_sec } = inputOf(createDomain, context).body;
    const made = { id: domains.size + 1, domain, ttl_sec };
    domains.set(made.id, made);
    return context.json(made);
  });

  app.get("/domains/:domainId", (context) => {
    const found = domains.get(inputOf(getDomain, context).path.domainId);
    return found === undefined ? context.json({ errors: [{ reason: "Not found" }] }, 404) : context.json(found);
  });

  app.put("/domains/:domainId", (context) => {
    const { path, body } = inputOf(updateDomain, context);
    const found = domains.get(path.domainId);
    if (found === undefined) return context.json({ errors: [{ reason: "Not found" }] }, 404);
    const changed = { ...found, ...body };
    domains.set(path.domainId, changed);
    return context.json(changed);
  });

  return app;
}
