import { createServer, type Server } from "node:http";
import { integerValue, singleValue, defineOperation, type Operation } from "@plumbline/server-runtime/validator";
import { nodeListener, protectServer } from "./adapters/node/index.js";
import { OperationError, createBaseServer, type ServerDefinition } from "./index.js";

// A generator writes, for a description with one operation:
const getPet: Operation<{ readonly path: { readonly petId: number } }> = defineOperation({
  name: "getPet",
  method: "GET",
  path: "/pets/{petId}",
  parameters: [{ name: "petId", in: "path", required: true, decode: singleValue(integerValue) }],
  produces: ["application/json"],
});
const nothing = {
  operationsWithoutPath: [],
  scopeCeilings: {},
  operationResources: {},
  grants: {},
  limits: {},
  stateRules: {},
  mutability: {},
  valueRules: {},
  mergedSchemas: {},
  errorRules: {},
};
const api: ServerDefinition = {
  ...nothing,
  operations: [getPet],
  securitySchemes: { bearer: { kind: "bearer" } },
  scopeGrammar: undefined,
  security: { getPet: [[{ scheme: "bearer", scopes: [] }]] },
  resources: {},
  errors: { getPet: { "no-pet": { status: 404, field: null, reason: "Unknown pet" } } },
  sharedErrors: {},
  sharedErrorByStatus: {},
  serializers: {
    getPet: { 200: { "application/json": (pet) => ({ name: (pet as { readonly name: string }).name }) } },
  },
  responseVisibility: {},
  responseHeaders: {},
  responseValidators: async () => ({ getPet: { 200: { "application/json": () => undefined } } }),
  headerNames: { requestId: "X-Request-Id" },
  basePaths: ["/v1"],
};

// You write:
export function petShop(): Server {
  const pets = new Map([[5, { name: "Rex", owner: "not documented" }]]);
  const handlers = {
    getPet: ({ path: { petId } }: { readonly path: { readonly petId: number } }) => {
      const pet = pets.get(petId);
      if (pet === undefined) throw new OperationError("no-pet");
      return { status: 200, body: pet };
    },
  };
  const server = createBaseServer(api, handlers, {
    authenticate: { bearer: async (token: string) => (token === "secret" ? { caller: { user: "ann" } } : undefined) },
  });
  return protectServer(createServer(nodeListener(server)), server);
}
