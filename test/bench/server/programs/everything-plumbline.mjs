// All operations, each with a handler, and rows for every reference.
import { readFileSync } from "node:fs";
import http from "node:http";
import { createServer } from "@cloud-compute/server";
import { nodeListener } from "@cloud-compute/server/node";

const calls = JSON.parse(readFileSync("calls.json", "utf8"));
const linked = { status: 200, type: "application/json" };
const handlers = Object.fromEntries(
  [...calls, { name: "putImageData", ...linked }].map(({ name, status, type }) => {
    const body = type === undefined ? undefined : type === "application/json" ? {} : "text";
    return [name, () => ({ status, body })];
  }),
);

const store = {
  load: ({ by, values }) => values.map((value) => ({ [by]: value, status: "offline" })),
  owner: () => ({ account: 7, user: "joe" }),
  parent: () => 1,
  own: () => ({ username: "joe" }),
  states: { PhoneVerification: () => "none", SecurityAnswering: () => "unanswered", TwoFactor: () => "disabled" },
};

const api = createServer(handlers, {
  validateResponses: "off",
  authenticate: { bearer: () => ({ caller: { user: "joe", account: { id: 7 }, restricted: false, scopes: "*" } }) },
  grants: () => ({ global: {} }),
  resources: new Proxy({}, { get: () => store }),
  limits: {
    countInProgress: { "concurrent-clones": () => 0 },
    isTaken: { "domain-unique": () => false, "unique-cluster-label": () => false },
  },
  orderedValues: { listKubeVersions: () => ["1.31", "1.32"] },
  operationRoutes: { putImageData: { path: "/uploads/{ticket}" } },
});

export const server = http.createServer(nodeListener(api));
