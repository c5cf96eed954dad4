import { isInvalidResponseError } from "@plumbline/server-runtime";
import { beforeAll, describe, expect, it } from "vitest";
import {
  validateResponse,
  serializeResponse,
  type ResponseTables,
  type SerializedResponse,
} from "../../packages/server-runtime/src/server/response/responses.js";
import { responseHeaders, responseVisibility, serializers } from "../../packages/server/dist/gen/serializers.js";
import { responses as checks } from "../../packages/validator/dist/gen/responses.js";
import { readModel, type Api } from "../support/model.js";

const tables: ResponseTables = { serializers, visibility: responseVisibility, headers: responseHeaders };

let api: Api;
beforeAll(async () => {
  api = await readModel();
});

const restricted = { restricted: true, account: { id: 1, total_payments: 24.99 } };
const owner = { restricted: false, account: { id: 1, total_payments: 25 } };

interface How {
  readonly caller?: unknown;
  readonly status?: number;
}

function send(operation: string, body: unknown, how: How = {}): SerializedResponse {
  const { caller, status } = { caller: owner, status: 200, ...how };
  return serializeResponse({ status, ...(body === undefined ? {} : { body }) }, { caller, operation }, tables);
}

function sent(operation: string, body: unknown, how: How = {}): unknown {
  const { body: text } = send(operation, body, how);
  return typeof text === "string" ? JSON.parse(text) : text;
}

/** The first example of a schema, with internal fields, as handlers often have them. */
function rowOf(schema: string): Record<string, unknown> {
  const example = api.schemas.find(({ name }) => name === schema)?.schema.examples?.[0];
  return { ...(example as Record<string, unknown>), root_pass_hash: "$6$rounds", account_id: 7 };
}

function without({ root_pass_hash: _hash, account_id: _account, ...described }: Record<string, unknown>): unknown {
  return described;
}

describe("responses of our API", () => {
  it("contain an instance without undocumented fields", () => {
    const row = rowOf("Instance");
    const specs = { ...(row["specs"] as object), host: "h1" };
    expect(sent("getInstance", { ...row, specs })).toEqual(without(row));
    const page = { data: [row, { ...row, id: 2 }], page: 1, pages: 1, results: 2, cursor: "a" };
    expect(sent("listInstances", page)).toEqual({
      data: [without(row), without({ ...row, id: 2 })],
      page: 1,
      pages: 1,
      results: 2,
    });
  });

  it("has times in UTC", () => {
    const row = rowOf("Instance");
    const times = { created: new Date(0), updated: "2024-01-01T02:00:00+02:00" };
    expect(sent("getInstance", { ...row, ...times })).toMatchObject({
      created: "1970-01-01T00:00:00.000Z",
      updated: "2024-01-01T00:00:00Z",
    });
  });

  it("has a token in full once", () => {
    const token = { ...rowOf("Token"), token: "0123456789abcdef".repeat(4) };
    expect(sent("createToken", token)).toEqual(without(token));
    const cut = { ...(without(token) as object), token: "0123456789abcdef" };
    expect(sent("getToken", token)).toEqual(cut);
    const page = { page: 1, pages: 1, results: 1 };
    expect(sent("listTokens", { ...page, data: [token] })).toEqual({ ...page, data: [cut] });
  });

  it("has the code of referrals for those who have paid enough", () => {
    const profile = rowOf("Profile");
    const referrals = { ...(profile["referrals"] as object), code: "abc", url: "https://pets.example/?r=abc" };
    expect(sent("getProfile", { ...profile, referrals })).toMatchObject({ referrals });
    const hidden = { referrals: { ...referrals, code: "", url: "" } };
    expect(sent("getProfile", { ...profile, referrals }, { caller: restricted })).toMatchObject(hidden);
    expect(sent("getProfile", { ...profile, referrals }, { caller: undefined })).toMatchObject(hidden);
    expect(sent("getProfile", { ...profile, referrals }, { caller: { account: {} } })).toMatchObject(hidden);
  });

  it("contain the fields of a tagged object's kind", () => {
    const [instance, domain] = [rowOf("Instance"), rowOf("Domain")];
    const page = { page: 1, pages: 1, results: 3 };
    const data = [
      { type: "compute", data: { ...instance, soa_email: "a@b.example" }, id: 1 },
      { type: "domain", data: { ...domain, specs: {} } },
      { type: "bucket", data: { id: 1 } },
    ];
    expect(sent("listTaggedObjects", { ...page, data })).toEqual({
      ...page,
      data: [
        { type: "compute", data: without(instance) },
        { type: "domain", data: without(domain) },
        { type: "bucket" },
      ],
    });
  });

  it("is, of preferences, all of them", () => {
    const preferences = { theme: "dark", columns: [{ label: 1 }], constructor: null };
    expect(sent("getPreferences", preferences)).toEqual(preferences);
  });

  it("is an empty object where that is described", () => {
    expect(send("deleteInstance", { deleted: 1 }).body).toBe("{}");
  });

  it("contain grants for restricted users only", () => {
    const grants = rowOf("Grants");
    expect(sent("getGrants", grants, { caller: restricted })).toEqual(without(grants));
    expect(send("getGrants", undefined, { status: 204 })).toEqual({ status: 204, headers: {} });
    const rejected = "it must not be sent to this caller";
    expect(messageOf(() => send("getGrants", grants))).toContain(rejected);
    expect(messageOf(() => send("getGrants", undefined, { status: 204, caller: restricted }))).toContain(rejected);
    expect(messageOf(() => send("getGrants", grants, { caller: undefined }))).toContain(rejected);
  });

  it("is never an object where a text is described", () => {
    const row = { ...rowOf("Instance"), region: { id: "us-east", secret: "a" } };
    expect(messageOf(() => send("getInstance", row))).toBe(
      "The handler of getInstance returned response 200, which the description does not allow: region must not be an object",
    );
  });

  it("does not accept a bigint", () => {
    const page = { data: [{ ...rowOf("Instance"), id: 1n }], page: 1, pages: 1, results: 1 };
    expect(messageOf(() => send("listInstances", page))).toBe(
      "The handler of listInstances returned response 200, which the description does not allow: data.0.id is a bigint, which JSON does not have",
    );
  });
});

describe("the check of responses", () => {
  const check = (operation: string, written: SerializedResponse) => validateResponse(operation, written, checks);

  it("finds no issues in the examples of the description", () => {
    let validated = 0;
    for (const { name, responses } of api.operations) {
      const response = responses.find(({ status }) => status === 200);
      const ref = response?.contents[0]?.schema.ref;
      if (ref === undefined) continue;
      const example = rowOf(ref);
      if (Object.keys(example).length === 2) continue; // no example
      validated += 1;
      expect([name, check(name, send(name, example, { caller: name === "getGrants" ? restricted : owner }))]).toEqual([
        name,
        [],
      ]);
    }
    expect(validated).toBeGreaterThan(40);
  });

  it("names the field that is wrong", () => {
    const row = rowOf("Instance");
    const specs = { ...(row["specs"] as object), disk: -1 };
    const faults = check("getInstance", send("getInstance", { ...row, specs, label: undefined }));
    expect(faults.map(({ field, reason }) => [field, reason])).toEqual([
      ["label", "is required"],
      ["specs.disk", "must be at least 0"],
    ]);
  });
});

function messageOf(story: () => unknown): string {
  try {
    story();
  } catch (error) {
    if (isInvalidResponseError(error)) return error.message;
    throw error;
  }
  return "nothing";
}
