import { describe, expect, it } from "vitest";
import { addIssueAt, type ResponseValidators } from "../../http/index.js";
import { InvalidResponseError, isInvalidResponseError } from "./invalid-response-error.js";
import {
  validateResponse,
  serializeResponse,
  type HandlerResponse,
  type ResponseTables,
  type SerializedResponse,
} from "./responses.js";
import { passthrough, toRecord, serializeItems, serializeScalar, type Serializer } from "./serializers.js";

const showPet: Serializer = (value, viewer) => {
  const fields = toRecord(value);
  if (fields === undefined) return serializeScalar(value);
  return {
    id: serializeScalar(fields["id"]),
    tags: serializeItems(fields["tags"], viewer, serializeScalar),
    more: passthrough(fields["more"], viewer),
  };
};

const tables: ResponseTables = {
  serializers: {
    getPet: {
      "200": { "application/json": showPet, "text/csv": passthrough },
      "204": {},
      "4XX": { "application/json": showPet },
    },
    getPhoto: { "200": { "image/*": passthrough } },
  },
  visibility: {
    getPet: { "204": (value, issues) => (value === "cat" ? undefined : addIssueAt(issues, "a", "rule", "")) },
  },
  headers: { getPet: { "200": [{ name: "X-Age" }] } },
};

const write = (response: HandlerResponse, caller: unknown = "cat", operation = "getPet") =>
  serializeResponse(response, { caller, operation }, tables);

describe("a response", () => {
  it("has documented properties, and no others", () => {
    const body = { tags: ["a"], hash: "b", id: 1 };
    expect(write({ status: 200, body, headers: { "X-Age": 3, "X-Hash": "b" } })).toEqual({
      status: 200,
      headers: { "X-Age": "3" },
      type: "application/json",
      body: '{"id":1,"tags":["a"]}',
    });
    expect(write({ status: 404, body })).toEqual({
      status: 404,
      headers: {},
      type: "application/json",
      body: '{"id":1,"tags":["a"]}',
    });
  });

  it("has no body if none is documented", () => {
    expect(write({ status: 204 })).toEqual({ status: 204, headers: {} });
  });

  it("is text or bytes if it is not JSON", () => {
    expect(write({ status: 200, type: "text/csv", body: "é" })).toMatchObject({
      type: "text/csv; charset=utf-8",
      body: "é",
    });
    const csv = "text/csv; charset=ISO-8859-1";
    expect(write({ status: 200, type: csv, body: "a" })).toMatchObject({ type: csv, body: "a" });
    for (const body of [new Uint8Array([1]), Buffer.from("a"), new ReadableStream<Uint8Array>()]) {
      const photo = write({ status: 200, type: "image/png", body }, undefined, "getPhoto");
      expect(photo).toEqual({ status: 200, headers: {}, type: "image/png", body });
      expect(photo.body).toBe(body);
    }
  });
});

describe("a response is an error of the server if", () => {
  const reported = (story: () => unknown): string => {
    try {
      story();
    } catch (error) {
      if (isInvalidResponseError(error)) return error.message;
      throw error;
    }
    return "nothing";
  };
  const circle: Record<string, unknown> = { a: [1] };
  circle["b"] = [circle];

  it.each<[string, HandlerResponse, string]>([
    [
      "its status is not described",
      { status: 301 },
      "response 301, which the description does not allow: 301 is not a documented status",
    ],
    [
      "its status is a fraction",
      { status: 200.5 },
      "response 200.5, which the description does not allow: 200.5 is not a documented status",
    ],
    [
      "it has a body that is not documented",
      { status: 204, body: null },
      "response 204, which the description does not allow: it must have no body",
    ],
    [
      "it has no body although one is documented",
      { status: 200 },
      "response 200, which the description does not allow: it must have a body",
    ],
    [
      "its type is not described",
      { status: 200, type: "text/html", body: "" },
      "response 200, which the description does not allow: it must be application/json or text/csv, not text/html",
    ],
    [
      "it is neither text nor bytes",
      { status: 200, type: "text/csv", body: { id: 1 } },
      "response 200, which the description does not allow: it must be a string, a Uint8Array or a ReadableStream",
    ],
    [
      "it has an undocumented object",
      { status: 200, body: { id: { hash: "a" } } },
      "response 200, which the description does not allow: id must not be an object",
    ],
    [
      "it has an undocumented array",
      { status: 200, body: { tags: ["a", ["b"]] } },
      "response 200, which the description does not allow: tags.1 must not be an array",
    ],
    [
      "a list is the body",
      { status: 200, body: [] },
      "response 200, which the description does not allow: it must not be an array",
    ],
    [
      "it has a bigint",
      { status: 200, body: { hash: 1n, tags: ["a", 2n] } },
      "response 200, which the description does not allow: tags.1 is a bigint, which JSON does not have",
    ],
    [
      "it contains itself",
      { status: 200, body: { more: circle } },
      "response 200, which the description does not allow: more.b.0 contains itself, which JSON cannot represent",
    ],
    [
      "it is a function",
      { status: 200, body: () => 1 },
      "response 200, which the description does not allow: it must be JSON",
    ],
    [
      "a header would begin another",
      { status: 200, body: {}, headers: { "X-Age": "1\r\nX-B: 2" } },
      "response 200, which the description does not allow: X-Age has characters that a header cannot have",
    ],
  ])("%s", (_, response, message) => {
    expect(reported(() => write(response))).toBe(`The handler of getPet returned ${message}`);
  });

  it("this caller must not see it", () => {
    const message =
      "The handler of getPet returned response 204, which the description does not allow: it must not be sent to this caller";
    expect(reported(() => write({ status: 204 }, "dog"))).toBe(message);
    expect(reported(() => serializeResponse({ status: 204 }, { caller: undefined, operation: "getPet" }, tables))).toBe(
      message,
    );
  });

  it("it does not exist", () => {
    expect(reported(() => Reflect.apply(write, undefined, [undefined]))).toBe(
      "The handler of getPet returned a response, which the description does not allow: it must have a status",
    );
  });

  it("its operation is not documented", () => {
    expect(reported(() => write({ status: 200 }, undefined, "getDog"))).toBe(
      "The handler of getDog returned response 200, which the description does not allow: 200 is not a documented status",
    );
  });

  it("and other errors pass unchanged", () => {
    const body = Object.defineProperty({}, "id", { enumerable: true, get: () => JSON.parse("{") as unknown });
    expect(() => write({ status: 200, body })).toThrow(SyntaxError);
    expect(() => write({ status: 200, body: { more: { toJSON: () => JSON.parse("{") as unknown } } })).toThrow(
      SyntaxError,
    );
  });
});

describe("the validation of a response", () => {
  const table: ResponseValidators = {
    getPet: {
      "200": {
        "application/json": (value, issues) => {
          if ((value as { id?: unknown }).id !== 1) addIssueAt(issues, "id", "range", 1, 1);
        },
        "text/csv": () => undefined,
      },
      "204": {},
      default: { "application/json": () => undefined },
    },
  };
  const check = (written: Partial<SerializedResponse>) =>
    validateResponse("getPet", { status: 200, headers: {}, ...written }, table);
  const type = "application/json";

  it("applies to the serialized body", () => {
    expect(check({ type, body: '{"id":1}' })).toEqual([]);
    const issues = check({ type, body: '{"id":2}' });
    expect(issues).toEqual([{ in: "response", field: "id", code: "range", reason: "must be 1" }]);
    expect(new InvalidResponseError("getPet", 200, issues).message).toBe(
      "The handler of getPet returned response 200, which the description does not allow: id must be 1",
    );
  });

  it("applies to the media type only if it is not JSON", () => {
    for (const body of ["", "a", new Uint8Array(), new ReadableStream<Uint8Array>()]) {
      expect(check({ type: "text/csv; charset=utf-8", body })).toEqual([]);
      expect(check({ type: "text/html", body })).toEqual([
        { in: "response", code: "media", reason: "Content-Type must be application/json or text/csv" },
      ]);
    }
  });

  it("checks whether there is a body", () => {
    expect(check({ status: 204 })).toEqual([]);
    expect(check({})).toEqual([{ in: "response", code: "required", reason: "is required" }]);
  });

  it("applies default to errors", () => {
    expect(check({ status: 400, type, body: "{}" })).toEqual([]);
    expect(check({ status: 399, type, body: "{}" })).toEqual([
      { in: "response", code: "status", reason: "399 is not a documented status" },
    ]);
  });
});
