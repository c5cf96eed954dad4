import { isObject } from "../../http/index.js";
import type { MockGrants } from "../access/users.js";
import type { Mock, MockSnapshot } from "../create-mock.js";
import type { InjectedError } from "../responses/injected-errors.js";
import { formatTime } from "../store/mock-clock.js";
import {
  arrayOf,
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
import { ControlError } from "./control-errors.js";
import type { ControlRoute } from "./control-route.js";
import { objectRoutes } from "./object-routes.js";

/** Bounds the memory of snapshots. */
const maxSnapshots = 100;

/** The controls of a mock. */
export function controlRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  return [...clockRoutes(mock), ...stateRoutes(mock), ...userRoutes(mock), ...objectRoutes(mock)];
}

function clockRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  const now = (): string => formatTime(mock.now());
  return [
    { route: "GET /clock", fields: {}, run: () => [200, { now: now() }] },
    {
      route: "POST /clock",
      fields: { advance: requireField(durationRule) },
      run: ({ body }) => {
        try {
          mock.advance(String(body["advance"]));
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          throw new ControlError(400, "The body has invalid fields.", [{ field: "advance", reason: error.message }]);
        }
        return [200, { now: now() }];
      },
    },
    {
      route: "POST /settle",
      fields: {},
      run: () => {
        const ran = mock.settle();
        return [200, { now: now(), ran }];
      },
    },
    {
      route: "POST /hold",
      fields: { hold: requireField(flagRule) },
      run: ({ body }) => {
        mock.hold(body["hold"] === true);
        return [200, { hold: body["hold"] }];
      },
    },
  ];
}

function stateRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  const snapshots = new Map<string, MockSnapshot>();
  let last = 0;
  const snapshotOf = (id = ""): MockSnapshot => {
    const found = snapshots.get(id);
    if (found === undefined) throw new ControlError(404, `There is no snapshot "${id}".`);
    return found;
  };
  const namesByLetters = new Map(Object.keys(mock.definition.operations).map((name) => [lettersOf(name), name]));
  const nameOf = (operation: string): string | undefined => namesByLetters.get(lettersOf(operation));
  const operation: FieldRule = {
    expected: "the name or the operationId of an operation of the API",
    isValid: (value) => typeof value === "string" && nameOf(value) !== undefined,
  };
  const faultFields: FieldRules = {
    operation,
    status: integerFrom(200, 599),
    delay: numberFrom(0, 600_000),
    drop: { expected: "true", isValid: (value) => value === true },
    probability: numberFrom(0, 1),
    times: integerFrom(1, 1_000_000),
  };
  return [
    {
      route: "POST /reset",
      fields: {},
      run: () => {
        mock.reset();
        return [204];
      },
    },
    {
      route: "POST /snapshots",
      fields: {},
      run: () => {
        if (snapshots.size >= maxSnapshots)
          throw new ControlError(507, `There are ${maxSnapshots} snapshots, the maximum. Delete some.`);
        const id = String((last += 1));
        snapshots.set(id, mock.snapshot());
        return [201, { id }];
      },
    },
    {
      route: "POST /snapshots/{id}/restore",
      fields: {},
      run: ({ path }) => {
        mock.restore(snapshotOf(path["id"]));
        return [204];
      },
    },
    {
      route: "DELETE /snapshots/{id}",
      fields: {},
      run: ({ path: { id = "" } }) => {
        snapshotOf(id);
        snapshots.delete(id);
        return [204];
      },
    },
    {
      route: "PUT /faults",
      fields: { faults: requireField(arrayOf(faultFields)) },
      run: ({ body }) => {
        const faults = body["faults"] as readonly InjectedError<Handlers>[];
        mock.setFaults(
          faults.map((fault) => {
            const named = fault.operation === undefined ? undefined : nameOf(fault.operation);
            return named === undefined ? fault : { ...fault, operation: named as keyof Handlers & string };
          }),
        );
        return [200, body];
      },
    },
  ];
}

/** Names of operations are their operationIds in camel case, and differ in more than case: `get-trips` is `getTrips`. */
function lettersOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function userRoutes<Handlers>(mock: Mock<Handlers>): readonly ControlRoute[] {
  const { users, objects, definition } = mock;
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
    {
      route: "POST /users",
      fields: { username: requireField(textRule), account: textRule, restricted: flagRule },
      run: ({ body }) => {
        const username = String(body["username"]);
        const [first] = users.all;
        const account = (body["account"] as string | undefined) ?? first?.account;
        users.addUser({
          username,
          restricted: body["restricted"] === true,
          ...(account === undefined ? {} : { account }),
        });
        createUserObject(username);
        return [201, { username, account: users.get(username)?.account }];
      },
    },
    {
      route: "PUT /users/{username}/grants",
      fields: undefined,
      run: ({ path, body }) => {
        const wrong = Object.entries(body).find(([name, value]) =>
          name === "global" ? !isObject(value) : !Array.isArray(value) || !value.every(isObject),
        );
        if (wrong !== undefined)
          throw new ControlError(400, "The body has invalid fields.", [
            { field: wrong[0], reason: wrong[0] === "global" ? "Not an object." : "Not an array of objects." },
          ]);
        users.setGrants(requireUser(path["username"]), body as MockGrants);
        return [200, body];
      },
    },
    {
      route: "POST /users/{username}/tokens",
      fields: { token: textRule, scopes: scopesRule, client: textRule },
      run: ({ path, body }) => {
        const { token = globalThis.crypto.randomUUID().replaceAll("-", ""), scopes, client } = body;
        users.addToken(String(token), {
          username: requireUser(path["username"]),
          scopes: scopes === "*" ? undefined : (scopes as string | undefined),
          client: client as string | undefined,
        });
        return [201, { token }];
      },
    },
  ];
}
