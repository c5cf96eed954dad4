import { operation } from "@plumbline/validator-runtime";
import { expect, it } from "vitest";
import type { ServedApi } from "./api.js";
import { planOf } from "./plan.js";

const nothing: ServedApi = {
  operations: [],
  linked: [],
  schemes: {},
  grammar: undefined,
  security: {},
  ceilings: {},
  resources: {},
  operationResources: {},
  grants: {},
  limits: {},
  states: {},
  changes: {},
  values: {},
  merged: {},
  refusals: {},
  failures: {},
  sharedFailures: {},
  byStatus: {},
  shown: {},
  visibleTo: {},
  replyHeaders: {},
  replies: async () => ({}),
  headers: { requestId: "X-Request-Id" },
  basePaths: [""],
};

const addPet = operation({ name: "addPet", method: "POST", path: "/owners/{id}/pets" });
const owner = { to: "Owner", by: "id" } as const;

const stepsWith = (given: Partial<ServedApi>) => planOf(addPet, { ...nothing, ...given }).steps;

it("asks nothing of what is stored where nothing is said of it", () => {
  expect(stepsWith({})).toEqual([]);
});

it("asks in the order of a request, whatever the order of the description", () => {
  const steps = stepsWith({
    refusals: { addPet: [{ id: "too-many", when: {}, pointer: [] }] },
    grants: {
      addPet: [
        { kind: "entity", on: { root: "request", part: "body", pointer: ["vet"] }, level: "read_only" },
        { kind: "global", global: "add_pets" },
      ],
    },
    operationResources: {
      addPet: { path: [{ ...owner, parameter: "id" }], body: [{ ...owner, pointer: ["vet"], name: "vet" }] },
    },
  });
  expect(steps).toEqual(["path", "grants", "body", "bodyGrants", "refusals"]);
});

it("leaves alone what the handler finds a value for", () => {
  const rules = { absent: true, take: { kind: "platform" } } as const;
  expect(stepsWith({ values: { addPet: [{ pointer: ["name"], rules: [rules] }] } })).toEqual([]);
  const ignored = { take: { kind: "ignore" } } as const;
  expect(stepsWith({ values: { addPet: [{ pointer: ["name"], rules: [rules, ignored] }] } })).toEqual(["fill"]);
});

it("asks once for what several fields of the body name", () => {
  const fields = ["vet", "owner", "food"].map((name) => ({ ...owner, pointer: [name, "*"], name }));
  const body = fields.map((each) => (each.name === "food" ? { ...each, to: "Food" } : each));
  const { kinds } = planOf(addPet, { ...nothing, operationResources: { addPet: { path: [], body } } });
  expect(kinds).toEqual([
    { to: "Owner", by: "id", references: [0, 1] },
    { to: "Food", by: "id", references: [2] },
  ]);
});
