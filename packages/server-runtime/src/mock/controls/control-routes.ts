import { isObject } from "../../http/index.js";
import type { Grants } from "../../server/index.js";
import type { CallerAttributes } from "../access/users.js";
import type { Mock, MockSnapshot } from "../create-mock.js";
import type { InjectedError } from "../responses/injected-errors.js";
import { formatTime } from "../store/mock-clock.js";
import {
  arrayOf,
  attributeRule,
  durationRule,
  type FieldRule,
  type FieldRules,
  flagRule,
  integerFrom,
  numberFrom,
  requireField,
  scopesRule,
  textRule,
} from "./control-body.js";
import { ControlError, invalidField } from "./control-errors.js";
import { controlRoute, type ControlRoute } from "./control-route.js";
import { objectRoutes } from "./object-routes.js";

/** Bounds the memory of snapshots. */
const maxSnapshots = 100;

/** The controls of a mock. */
export function controlRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  return [...clockRoutes(mock), ...snapshotRoutes(mock), faultRoute(mock), ...userRoutes(mock), ...objectRoutes(mock)];
}

function clockRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  const now = (): string => formatTime(mock.now());
  return [
    controlRoute("GET /clock", {}, () => [200, { now: now() }]),
    controlRoute("POST /clock", { advance: requireField(durationRule) }, ({ body }) => {
      try {
        mock.advance(String(body["advance"]));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw invalidField("advance", error.message);
      }
      return [200, { now: now() }];
    }),
    controlRoute("POST /settle", {}, () => {
      const ran = mock.settle();
      return [200, { now: now(), ran }];
    }),
    controlRoute("POST /hold", { hold: requireField(flagRule) }, ({ body }) => {
      mock.hold(body["hold"] === true);
      return [200, { hold: body["hold"] }];
    }),
  ];
}

function snapshotRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  const snapshots = new Map<string, MockSnapshot>();
  let last = 0;
  const requireSnapshot = (id = ""): MockSnapshot => {
    const snapshot = snapshots.get(id);
    if (snapshot === undefined) throw new ControlError(404, `There is no snapshot "${id}".`);
    return snapshot;
  };
  return [
    controlRoute("POST /reset", {}, () => {
      mock.reset();
      return [204];
    }),
    controlRoute("POST /snapshots", {}, () => {
      if (snapshots.size >= maxSnapshots)
        throw new ControlError(507, `There are ${maxSnapshots} snapshots, the maximum. Delete some.`);
      const id = String((last += 1));
      snapshots.set(id, mock.snapshot());
      return [201, { id }];
    }),
    controlRoute("POST /snapshots/{id}/restore", {}, ({ path }) => {
      mock.restore(requireSnapshot(path["id"]));
      return [204];
    }),
    controlRoute("DELETE /snapshots/{id}", {}, ({ path: { id = "" } }) => {
      requireSnapshot(id);
      snapshots.delete(id);
      return [204];
    }),
  ];
}

function faultRoute<Handlers>(mock: Mock<Handlers>): ControlRoute {
  const namesByLetters = new Map(Object.keys(mock.definition.operations).map((name) => [lettersOf(name), name]));
  const nameOf = (operation: string): string | undefined => namesByLetters.get(lettersOf(operation));
  const operationRule: FieldRule = {
    expected: "the name or the operationId of an operation of the API",
    isValid: (value) => typeof value === "string" && nameOf(value) !== undefined,
  };
  const fields = { faults: requireField(arrayOf({ operation: operationRule, ...faultFields })) };
  return controlRoute("PUT /faults", fields, ({ body }) => {
    const faults = body["faults"] as readonly InjectedError<Handlers>[];
    mock.setFaults(
      faults.map((fault) => {
        const operation = fault.operation === undefined ? undefined : nameOf(fault.operation);
        return operation === undefined ? fault : { ...fault, operation: operation as keyof Handlers & string };
      }),
    );
    return [200, body];
  });
}

const faultFields: FieldRules = {
  status: integerFrom(200, 599),
  delay: numberFrom(0, 600_000),
  drop: { expected: "true", isValid: (value) => value === true },
  probability: numberFrom(0, 1),
  times: integerFrom(1, 1_000_000),
};

/** Names of operations are their operationIds in camel case, and differ in more than case: `get-trips` is `getTrips`. */
function lettersOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function userRoutes<Handlers>({ users, objects, definition }: Mock<Handlers>): readonly ControlRoute[] {
  const { attributes: possible, namedGrants } = definition.callers;
  const attributeRules = Object.fromEntries(
    Object.entries(possible).map(([name, values]) => [name, attributeRule(values)] as const),
  );
  const requireUser = (username = ""): string => {
    if (users.get(username) === undefined) throw new ControlError(404, `There is no user "${username}".`);
    return username;
  };
  /** In descriptions with a resource of users, a user is also an object. */
  const createUserObject = (username: string): void => {
    const resource = definition.userResource;
    const { field, type } = (resource !== undefined && definition.resources[resource]?.identifier) || {};
    if (resource === undefined || field === undefined || type !== "string") return;
    if (objects.find(resource, username) === undefined) objects.create(resource, { [field]: username }, { username });
  };
  return [
    controlRoute("POST /users", { ...newUserFields, ...attributeRules }, ({ body }) => {
      const username = String(body["username"]);
      const [first] = users.all;
      const account = (body["account"] as string | undefined) ?? first?.account;
      const attributes = Object.fromEntries(
        Object.keys(attributeRules).flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
      ) as CallerAttributes;
      users.addUser({ username, attributes, ...(account === undefined ? {} : { account }) });
      createUserObject(username);
      return [201, { username, account: users.get(username)?.account }];
    }),
    controlRoute("PUT /users/{username}/grants", undefined, ({ path, body }) => {
      for (const [name, value] of Object.entries(body)) {
        if (name === namedGrants && !isObject(value)) throw invalidField(name, "Not an object.");
        if (name !== namedGrants && !(Array.isArray(value) && value.every(isObject)))
          throw invalidField(name, "Not an array of objects.");
      }
      users.setGrants(requireUser(path["username"]), body as Grants);
      return [200, body];
    }),
    controlRoute("POST /users/{username}/tokens", newTokenFields, ({ path, body }) => {
      const { token = globalThis.crypto.randomUUID().replaceAll("-", ""), scopes, client } = body;
      users.addToken(String(token), {
        username: requireUser(path["username"]),
        scopes: scopes === "*" ? undefined : (scopes as string | undefined),
        client: client as string | undefined,
      });
      return [201, { token }];
    }),
  ];
}

const newUserFields: FieldRules = { username: requireField(textRule), account: textRule };

const newTokenFields: FieldRules = { token: textRule, scopes: scopesRule, client: textRule };
