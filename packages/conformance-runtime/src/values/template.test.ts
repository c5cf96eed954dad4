import { describe, expect, it } from "vitest";
import type { Json } from "../suite.js";
import { addDuration } from "./add-duration.js";
import { usesTime, evaluateTemplate, UnavailableValueError, type TemplateValues } from "./template.js";
import { shuffle, createUniqueGenerator } from "./unique-values.js";

const bound: Readonly<Record<string, Json>> = {
  made: { body: { id: 5, "a/b": null, data: [{ id: 1 }, { id: 2 }] } },
  index: 3,
};
const values: TemplateValues = {
  get: (name) => bound[name],
  unique: createUniqueGenerator({ tag: "crun", seed: 1, owner: 10 }),
  now: () => Date.parse("2026-02-28T23:59:59.500Z"),
  matches: (schema, value) => JSON.stringify(schema) === JSON.stringify(value),
};

describe("a template", () => {
  it.each<[string, Json, Json]>([
    ["$get", { $get: "made#/body/data/1/id" }, 2],
    ["$get of a whole", { $get: "index" }, 3],
    ["$get of null", { $get: "made#/body/a~1b" }, null],
    ["$text", { $text: ["a-", { $get: "made#/body/id" }, true] }, "a-5true"],
    ["$repeat", { $repeat: ["é", 3] }, "ééé"],
    ["$list", { $list: [{ n: { $index: true } }, { $sum: [1, 1] }] }, [{ n: 3 }, { n: 3 }]],
    ["$time", { $time: "PT1H" }, "2026-03-01T00:59:59Z"],
    ["$time before", { $time: "-P1D" }, "2026-02-27T23:59:59Z"],
    [
      "$merge",
      {
        $merge: [
          { a: 1, b: { c: 1 } },
          { b: { $absent: true }, d: 2 },
        ],
      },
      { a: 1, d: 2 },
    ],
    ["$sum", { $sum: [1, { $get: "made#/body/id" }] }, 6],
    ["$count", { $count: { $get: "made#/body/data" } }, 2],
    ["$find", { $find: [{ $get: "made#/body/data" }, { id: 2 }] }, { id: 2 }],
    ["$json", { $json: { a: { $get: "index" } } }, '{"a":3}'],
    ["$literal", { $literal: { $get: "made" } }, { $get: "made" }],
    ["a schema", { $ref: "#/$defs/A" }, { $ref: "#/$defs/A" }],
    ["more than one key", { $get: "index", more: 1 }, { $get: "index", more: 1 }],
  ])("has %s", (_, template, value) => {
    expect(evaluateTemplate(template, values)).toEqual(value);
  });

  it.each<[Json, string]>([
    [{ $get: "made#/body/name" }, "made#/body/name has no value."],
    [{ $get: "never" }, "never has no value."],
    [{ $find: [[], true] }, "No item of [] matches true."],
    [{ $sum: ["a"] }, '"a" is not a number, so $sum cannot add it.'],
  ])("is unavailable: %j", (template, message) => {
    expect(() => evaluateTemplate(template, values)).toThrow(new UnavailableValueError(message));
  });

  it("with an unknown operator is an error", () => {
    expect(() => evaluateTemplate({ $geet: "x" }, values)).toThrow(
      /^\$geet is not a template operator\. Use one of \$get, /,
    );
    expect(() => evaluateTemplate({ $repeat: ["x", -1] }, values)).toThrow("$repeat cannot be evaluated with -1.");
    expect(() => evaluateTemplate({ $unique: "name" }, values)).toThrow('$unique cannot be evaluated with "name".');
  });

  it("without operators is not copied", () => {
    const still = { a: [{ b: 1 }], $ref: "#/x" };
    expect(evaluateTemplate(still, values)).toBe(still);
  });

  it("reports whether it uses the time", () => {
    expect([usesTime({ a: [{ $time: "PT1S" }] }), usesTime({ a: [{ $get: "time" }] })]).toEqual([true, false]);
  });
});

it("durations add calendar units and clock units", () => {
  const moment = Date.parse("2026-01-31T00:00:00Z");
  const moved = ["P1Y", "P1W", "-PT0.5S", "P1DT1H1M1S"].map((each) =>
    new Date(addDuration(moment, each)).toISOString(),
  );
  expect(moved).toEqual([
    "2027-01-31T00:00:00.000Z",
    "2026-02-07T00:00:00.000Z",
    "2026-01-30T23:59:59.500Z",
    "2026-02-01T01:01:01.000Z",
  ]);
  expect(() => addDuration(moment, "1h")).toThrow(
    '"1h" is not a valid ISO 8601 duration. Write one such as PT30S or -P1D.',
  );
  expect(() => addDuration(moment, "P")).toThrow("is not a valid ISO 8601 duration");
});

it("unique values have their kind's format, and never repeat", () => {
  const unique = createUniqueGenerator({ tag: "cabcdefgh", seed: 1, owner: 5999 });
  expect(unique("label")).toMatch(/^cabcdefgh-[a-z0-9-]{3,22}$/);
  expect(unique("domain")).toMatch(/^cabcdefgh-[a-z0-9-]+\.example\.com$/);
  expect(unique("number")).toMatch(/^\d{10}$/);
  expect(unique("phone")).toMatch(/^\+1[2-9]\d\d[2-9]\d\d\d{4}$/);
  expect(unique("ssh-key")).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[\w+/]{43} cabcdefgh-/);
  const many = (["label", "number", "phone"] as const).flatMap((kind) =>
    [1, 2, 3].flatMap((whose) => {
      const own = createUniqueGenerator({ tag: "cx", seed: 1, owner: whose });
      return Array.from({ length: 60 }, () => own(kind));
    }),
  );
  expect(new Set(many).size).toBe(many.length);
});

it("each seed has its own order", () => {
  const things = Array.from({ length: 50 }, (_, index) => index);
  expect(shuffle(things, 1)).toEqual(shuffle(things, 1));
  expect(shuffle(things, 1)).not.toEqual(shuffle(things, 2));
  expect(shuffle(things, 1).toSorted((a, b) => a - b)).toEqual(things);
});
