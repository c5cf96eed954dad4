import { createInstance, deleteInstance, getInstance, inputOf, listInstances } from "@cloud-compute/validator";
import { validator } from "@cloud-compute/validator/express";
import express, { type Express } from "express";

interface Instance {
  readonly id: number;
  readonly label: string;
  readonly region: string;
  readonly booted: boolean;
}

/** A small cloud on Express. Handlers receive validated input: decoded numbers, with defaults filled in. */
export function createApp(): Express {
  const instances = new Map<number, Instance>();
  let last = 0;
  const app = express();
  app.use(validator({ basePath: "/v4" }));

  app.get("/v4/compute/instances", (request, response) => {
    const { page, page_size: size } = inputOf(listInstances, request).query;
    const all = [...instances.values()];
    const data = all.slice((page - 1) * size, page * size);
    response.json({ data, page, pages: Math.max(1, Math.ceil(all.length / size)), results: all.length });
  });

  app.post("/v4/compute/instances", (request, response) => {
    const { label, region, booted } = inputOf(createInstance, request).body;
    last += 1;
    const made = { id: last, label: label ?? `compute${last}`, region, booted };
    instances.set(made.id, made);
    response.json(made);
  });

  app.get("/v4/compute/instances/:computeId", (request, response) => {
    const found = instances.get(inputOf(getInstance, request).path.computeId);
    if (found === undefined) response.status(404).json({ errors: [{ reason: "Not found" }] });
    else response.json(found);
  });

  app.delete("/v4/compute/instances/:computeId", (request, response) => {
    instances.delete(inputOf(deleteInstance, request).path.computeId);
    response.json({});
  });

  return app;
}
