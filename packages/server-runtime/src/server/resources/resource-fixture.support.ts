/** Hand-written resources: houses of accounts, and rooms in them. */
import { addIssue, isObject, ownField, type Check } from "../../http/index.js";
import type { ErrorDefinitions } from "../errors/errors.js";
import type { ServerDefinition } from "../server-definition.js";
import { describeApi, storesOf, type TestDescription, type Row } from "../test-server.support.js";
import type { BodyReference, Resource } from "./resources.js";

/** Satisfied by objects with this field. */
export const hasField =
  (field: string, wanted: unknown = true): Check =>
  (value, issues) => {
    if (!isObject(value) || ownField(value, field) !== wanted) addIssue(issues, "const", wanted);
  };

export const resources: Readonly<Record<string, Resource>> = {
  House: { owner: ["account"], grants: "houses", public: hasField("isOpen") },
  Room: { owner: ["account"], parent: "House" },
  Bed: { owner: ["account"], parent: "Room" },
  Diary: { owner: ["user"], parent: "House" },
  Note: { owner: ["user"] },
  Setting: { owner: ["user", "client"] },
  City: { owner: ["platform"] },
};

const a = { account: "a" };
const b = { account: "b" };

/** Houses 1 and 2 belong to account a, 3 to b, 4 to b and public; 9 is not an object. */
export const tables: Readonly<Record<string, readonly Row[]>> = {
  House: [
    { id: 1, owner: a },
    { id: 2, owner: a },
    { id: 3, owner: b },
    { id: 4, owner: b, isOpen: true },
  ],
  Room: [
    { id: 10, parent: 1, isBroken: false },
    { id: 20, parent: 2, isBroken: true },
    { id: 30, parent: 3 },
    { id: 40, parent: 4 },
    { id: 90, parent: 9 },
    { id: 91, parent: null },
  ],
  Bed: [
    { id: 100, parent: 10 },
    { id: 900, parent: 90 },
  ],
  Diary: [
    { id: 1, parent: 1, owner: { user: "ann" } },
    { id: 2, parent: 1, owner: { user: "eve" } },
  ],
  Note: [
    { id: 1, owner: { user: "ann" } },
    { id: 2, owner: { user: "bob" } },
  ],
  Setting: [
    { id: 1, owner: { user: "ann", client: "cli" } },
    { id: 2, owner: { user: "ann" } },
  ],
  City: [{ id: 1 }],
};

export const knownRows: ErrorDefinitions = {
  "no-house": { status: 404, field: null, reason: "Unknown house" },
  "no-room": { status: 404, reason: "Unknown room" },
  broken: { status: 400, reason: "The room is broken" },
  taken: { status: 400, reason: "It is taken" },
};

export const house = { parameter: "house", to: "House", by: "id", onNotFound: "no-house" } as const;

/** A field of a body that references a room. */
export function room(pointer: string, given: Partial<BodyReference> = {}): BodyReference {
  return { pointer: pointer.split("."), name: pointer, to: "Room", by: "id", onNotFound: "no-room", ...given };
}

export function houses(given: TestDescription): ServerDefinition {
  return describeApi({ resources, known: knownRows, ...given });
}

export const storedRows = (): ReturnType<typeof storesOf> => storesOf(tables);
