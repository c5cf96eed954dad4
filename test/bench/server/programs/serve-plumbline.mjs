import http from "node:http";
import { createServer } from "@cloud-compute/server";
import { nodeListener } from "@cloud-compute/server/node";
import { createMemoryStore } from "@plumbline/server-runtime";
import { callers, grants, images, instances, made, most, pageOf, regions, types, users } from "./rows.mjs";

const counts = createMemoryStore();
const storeOf = (rows) => ({
  load: ({ values }) => values.flatMap((id) => rows.get(id) ?? []),
  owner: ({ account }) => ({ account }),
});

const handlers = {
  createInstance: ({ body }) => ({ status: 200, body: made(body) }),
  getInstance: ({ target }) => ({ status: 200, body: target }),
  listInstances: ({ query: { page = 1, page_size: size = 100 }, listScope: { owner, ids = instances.keys() } }) => ({
    status: 200,
    body: pageOf(owner.account, ids, { page, size }),
  }),
};

const api = createServer(handlers, {
  missingHandlers: "not-implemented",
  validateResponses: "off",
  authenticate: {
    bearer: (token) => {
      const caller = callers.get(token);
      return caller && { caller };
    },
  },
  grants: ({ user }) => grants.get(user),
  resources: {
    Instance: storeOf(instances),
    Image: storeOf(images),
    InstanceType: storeOf(types),
    Region: storeOf(regions),
    User: storeOf(users),
  },
  limits: {
    store: { ...counts, consume: (hit) => counts.consume({ ...hit, max: most }) },
    global: [{ kind: "rate", id: "all", max: most, windowSeconds: 60 }],
  },
  operationRoutes: { putImageData: { path: "/uploads/{ticket}" } },
});

export const server = http.createServer(nodeListener(api));
