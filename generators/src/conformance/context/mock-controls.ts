import type { ActorFixtures, ClockControls, OperationInfo, ParameterInfo } from "@plumbline/conformance-runtime";
import type { Api } from "@plumbline/kit/model";
import { requiresBasic } from "./security-schemes.js";

/** The controls of `plumbline mock --controls` that a suite uses, by name. */
export const mockControls: Readonly<Record<string, OperationInfo>> = {
  createUser: control("POST", "/users", 201),
  setGrants: control("PUT", "/users/{username}/grants", 200),
  createUserToken: control("POST", "/users/{username}/tokens", 201),
  getClock: control("GET", "/clock", 200),
  advanceClock: control("POST", "/clock", 200),
  settle: control("POST", "/settle", 200),
  hold: control("POST", "/hold", 200),
};

function control(method: string, path: string, status: number): OperationInfo {
  const parameters: readonly ParameterInfo[] = path.includes("{username}")
    ? [{ name: "username", in: "path", segments: 1, style: "simple", explode: false }]
    : [];
  return {
    method,
    path,
    tag: "controls",
    location: "plumbline mock --controls",
    parameters,
    ...(method === "GET" ? {} : { mediaType: "application/json" }),
    responses: { [status]: { requirements: [], mediaTypes: ["application/json"], headers: {} } },
    public: true,
  };
}

/** The fixtures of callers. HTTP Basic needs the name of the user in front of the token. */
export function mockActors(api: Api): ActorFixtures {
  const secret = { $get: "made#/body/token" };
  const username = { $get: "of#/username" };
  const token = requiresBasic(api) ? { $text: [username, ":", { $unique: "username" }] } : undefined;
  return {
    user: {
      requires: ["controls"],
      steps: [
        {
          call: "controls:createUser",
          body: { $merge: [{ username, account: { $get: "of#/account" } }, { $get: "of#/attributes" }] },
        },
        { call: "controls:setGrants", path: { username }, body: { $get: "of#/grants" } },
        {
          call: "controls:createUserToken",
          path: { username },
          body: { scopes: { $get: "of#/scopes" }, ...(token === undefined ? {} : { token }) },
          as: "made",
        },
      ],
      outputs: { username, token: secret },
    },
  };
}

/** The fixtures of the clock. */
export const mockClock: ClockControls = {
  now: { requires: [], steps: [{ call: "controls:getClock", as: "clock" }], outputs: { $get: "clock#/body/now" } },
  advance: {
    requires: [],
    steps: [{ call: "controls:advanceClock", body: { advance: { $get: "of#/by" } }, as: "clock" }],
    outputs: { $get: "clock#/body/now" },
  },
  settle: {
    requires: [],
    steps: [{ call: "controls:settle", as: "settled" }],
    outputs: { $get: "settled#/body/now" },
  },
  hold: {
    requires: [],
    steps: [{ call: "controls:hold", body: { hold: { $get: "of#/hold" } }, as: "held" }],
    outputs: { $get: "held#/body/hold" },
  },
};
