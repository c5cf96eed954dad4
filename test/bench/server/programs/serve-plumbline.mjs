import http from "node:http";
import { createServer } from "@cloud-compute/server";
import { nodeListener } from "@cloud-compute/server/node";
import { memoryStore } from "@plumbline/server-runtime";
import { callers, grants, images, instances, made, most, pageOf, regions, types, users } from "./rows.mjs";

const counts = memoryStore();
const storeOf = (rows) => ({
  load: ({ values }) => values.flatMap((id) => rows.get(id) ?? []),
  owner: ({ account }) => ({ account }),
});

const handlers = {
  createInstance: ({ body }) => ({ status: 200, body: made(body) }),
  getInstance: ({ target }) => ({ status: 200, body: target }),
  listInstances: ({ query: { page = 1, page_size: size = 100 }, visible: { owner, ids = instances.keys() } }) => ({
    status: 200,
    body: pageOf(owner.account, ids, { page, size }),
  }),
};

const api = createServer(handlers, {
  missing: "not-implemented",
  replies: "trust",
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
    store: { hit: (hit) => counts.hit({ ...hit, max: most }) },
    general: [{ kind: "rate", id: "all", max: most, windowSeconds: 60 }],
  },
  links: { putImageData: { path: "/uploads/{ticket}" } },
});

export const server = http.createServer(nodeListener(api));
