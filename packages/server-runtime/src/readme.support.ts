import { createServer, type Server } from "node:http";
import { integer, one, operation, type Operation } from "@plumbline/validator-runtime";
import { nodeListener, protectServer } from "./node.js";
import { Refused, serve, type ServedApi } from "./index.js";

// A generator writes, for a description with one operation:
const getPet: Operation<{ readonly path: { readonly petId: number } }> = operation({
  name: "getPet",
  method: "GET",
  path: "/pets/{petId}",
  parameters: [{ name: "petId", in: "path", required: true, read: one(integer) }],
  produces: ["application/json"],
});
const nothing = {
  linked: [],
  ceilings: {},
  operationResources: {},
  grants: {},
  limits: {},
  states: {},
  changes: {},
  values: {},
  merged: {},
  refusals: {},
};
const api: ServedApi = {
  ...nothing,
  operations: [getPet],
  schemes: { bearer: { kind: "bearer" } },
  grammar: undefined,
  security: { getPet: [[{ scheme: "bearer", scopes: [] }]] },
  resources: {},
  failures: { getPet: { "no-pet": { status: 404, field: null, reason: "Unknown pet" } } },
  sharedFailures: {},
  byStatus: {},
  shown: { getPet: { 200: { "application/json": (pet) => ({ name: (pet as { readonly name: string }).name }) } } },
  visibleTo: {},
  replyHeaders: {},
  replies: async () => ({ getPet: { 200: { "application/json": () => undefined } } }),
  headers: { requestId: "X-Request-Id" },
  basePaths: ["/v1"],
};

// You write:
export function petShop(): Server {
  const pets = new Map([[5, { name: "Rex", owner: "not documented" }]]);
  const handlers = {
    getPet: ({ path: { petId } }: { readonly path: { readonly petId: number } }) => {
      const pet = pets.get(petId);
      if (pet === undefined) throw new Refused("no-pet");
      return { status: 200, body: pet };
    },
  };
  const server = serve(api, handlers, {
    authenticate: { bearer: async (token: string) => (token === "secret" ? { caller: { user: "ann" } } : undefined) },
  });
  return protectServer(createServer(nodeListener(server)), server);
}
