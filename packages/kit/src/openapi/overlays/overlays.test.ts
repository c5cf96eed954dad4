import path from "node:path";
import { describe, expect, test } from "vitest";
import { DiagnosticsError, type Diagnostic } from "../../model/index.js";
import { loadDescription, type Description } from "../read/load.js";
import { withFixtureFolder } from "../testing.js";

describe("an update", () => {
  test.each([
    ["adds keys", "a: {b: 1}", "$.a", "{c: 2}", { a: { b: 1, c: 2 } }],
    ["replaces plain values", "a: {b: 1, c: x}", "$.a", "{b: 2, c: null}", { a: { b: 2, c: null } }],
    ["merges objects, however deep", "a: {b: {c: 1}}", "$", "{a: {b: {d: 2}}}", { a: { b: { c: 1, d: 2 } } }],
    ["puts lists behind lists", "a: {b: [1]}", "$.a", "{b: [2, 1]}", { a: { b: [1, 2, 1] } }],
    ["appends to a list that is selected", "a: [1]", "$.a", "{b: 2}", { a: [1, { b: 2 }] }],
    ["appends a list as one item", "a: [1]", "$.a", "[2, 3]", { a: [1, [2, 3]] }],
    ["appends what is plain", "a: [1]", "$.a", "2", { a: [1, 2] }],
    [
      "is done at each place",
      "a: [{b: 1}, {c: 2}]",
      "$.a[*]",
      "{d: 3}",
      {
        a: [
          { b: 1, d: 3 },
          { c: 2, d: 3 },
        ],
      },
    ],
    ["is done once at a place that is selected twice", "a: [[]]", "$.a[0, 0]", "1", { a: [[1]] }],
    [
      "is done inside and around",
      "a: {x: 1, a: {x: 2}}",
      "$..[?@.x]",
      "{y: 3}",
      { a: { x: 1, y: 3, a: { x: 2, y: 3 } } },
    ],
    ["of the whole file", "a: 1", "$", "{b: 2}", { a: 1, b: 2 }],
    ["has a key that others take for a prototype", "a: {}", "$.a", "{constructor: 1}", { a: { constructor: 1 } }],
    ["changes one of two that an alias makes", "a: &a {b: 1}\nc: *a", "$.c", "{b: 2}", { a: { b: 1 }, c: { b: 2 } }],
  ])("%s", async (_, text, target, update, outcome) => {
    expect(await outcomeOf(text, `- target: ${target}\n  update: ${update}`)).toEqual(outcome);
  });

  test("keeps a __proto__ of its own", async () => {
    const value = await outcomeOf("a: {}", "- target: $.a\n  update: {__proto__: {b: 1}}");
    expect(JSON.stringify(value)).toBe('{"a":{"__proto__":{"b":1}}}');
  });
});

describe("a removal", () => {
  test.each([
    ["takes out a key", "a: {b: 1, c: 2}", "$.a.b", { a: { c: 2 } }],
    ["takes out an object", "a: {b: {c: 1}}", "$.a.b", { a: {} }],
    ["takes out items that follow each other", "a: [0, 1, 2, 3, 4]", "$.a[1, 2]", { a: [0, 3, 4] }],
    ["takes out items in whatever order", "a: [0, 1, 2, 3]", "$.a[3, 0, -1, 1]", { a: [2] }],
    ["takes out what a filter finds", "a: [{b: x}, {b: y}, {b: x}]", "$.a[?@.b == 'x']", { a: [{ b: "y" }] }],
    ["takes out what is in what is taken out", "a: {x: 1, b: [{x: 2}]}", "$..[?@.x]", {}],
    ["takes out everything below", "a: [{b: 1}, [2]]\nc: 3", "$.*", {}],
  ])("%s", async (_, text, target, outcome) => {
    expect(await outcomeOf(text, `- target: ${target}\n  remove: true`)).toEqual(outcome);
  });

  test("goes before an update of the same action", async () => {
    expect(await outcomeOf("a: {b: 1}", "- {target: $.a, update: {c: 2}, remove: true}")).toEqual({});
  });
});

describe("actions and overlays", () => {
  test("each sees what those before it made", async () => {
    const actions = `
- {target: $.a, remove: true}
- {target: $, update: {a: {b: 2}}}
- {target: $.a, update: {c: 3}}
- {target: '$[?@.c == 3]', update: {d: 4}}`;
    expect(await outcomeOf("a: 1", actions)).toEqual({ a: { b: 2, c: 3, d: 4 } });
  });

  test("come one after the other", async () => {
    const texts = {
      "openapi.yaml": "a: []",
      "one.yaml": overlay("- {target: $.a, update: 1}"),
      "two.json": JSON.stringify({ ...head, actions: [{ target: "$.a", update: 2 }] }),
    };
    expect((await loaded(texts, ["one.yaml", "two.json"])).root.raw).toEqual({ a: [1, 2] });
    expect((await loaded(texts, ["two.json", "one.yaml"])).root.raw).toEqual({ a: [2, 1] });
  });

  test("change a file that the description refers to, where they extend that; a reference counts from there", async () => {
    const texts = {
      "api/openapi.yaml": "a: {$ref: parts/a.yaml}",
      "api/parts/a.yaml": "b: 1",
      "api/parts/c.yaml": "d: 2",
      "overlays/a.yaml": overlay("- {target: $, update: {c: {$ref: c.yaml}}}", "extends: ../api/parts/a.yaml\n"),
    };
    const { root, files, diagnostics } = await loaded(texts, ["overlays/a.yaml"], "api/openapi.yaml");
    expect(root.get("a")?.get("c")?.raw).toEqual({ d: 2 });
    expect(files.map(({ name, overlays }) => [name, overlays?.by.length ?? 0])).toEqual([
      ["openapi.yaml", 0],
      ["parts/a.yaml", 1],
      ["parts/c.yaml", 0],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test("leave others' keys alone, and their own x- keys too", async () => {
    const text = overlay("- {target: $, update: {a: 2}, x-why: because}", "x-team: pets\n");
    expect((await loaded({ "openapi.yaml": "a: 1", "o.yaml": text }, ["o.yaml"])).root.raw).toEqual({ a: 2 });
  });
});

describe("a place", () => {
  const text = `info:
  title: Pets
tags:
  - name: cats
  - name: dogs
  - name: rats
`;
  const actions = `  - target: $.tags[0]
    remove: true
  - target: $.tags
    update:
      name: bats
  - target: $
    update:
      info:
        title: Notes
        x-limits: [{rate: 1}]
      servers: [{url: a}]
`;

  test.each([
    ["of what is as it was", "/info", "openapi.yaml /info 1:1"],
    ["of what moved in its list", "/tags/1/name", "openapi.yaml /tags/2/name 6:5"],
    ["of what was replaced", "/info/title", "o.yaml /actions/2/update/info/title 12:9"],
    ["of what was added", "/info/x-limits/0/rate", "o.yaml /actions/2/update/info/x-limits/0/rate 13:21"],
    ["of what was added as a whole", "/servers/0", "o.yaml /actions/2/update/servers/0 14:17"],
    ["of what was appended", "/tags/2", "o.yaml /actions/1/update 7:5"],
    ["inside of what was appended", "/tags/2/name", "o.yaml /actions/1/update/name 8:7"],
    ["of what is not there", "/info/version", "openapi.yaml /info 1:1"],
    ["in the overlay", "/actions/0/target", "o.yaml /actions/0/target 4:5"],
  ])("%s", async (_, pointer, place) => {
    const texts = { "openapi.yaml": text, "o.yaml": `${overlay("")}${actions}` };
    const { locate, sourceOf } = await loaded(texts, ["o.yaml"]);
    const given = { file: pointer.startsWith("/actions") ? "o.yaml" : "openapi.yaml", pointer };
    const { line, column, ...origin } = locate(given);
    expect(`${origin.file} ${origin.pointer} ${line}:${column}`).toBe(place);
    expect(sourceOf(given)).toEqual(origin);
  });
});

describe("is reported", () => {
  test.each<[string, string, readonly string[]]>([
    ["a version", "overlay: 1.1.0\n", ['1:1 overlay/version This is overlay "1.1.0"; 1.0 can be read.']],
    ["a version that is a number", "overlay: 1.0\n", ["1:1 overlay/version This is overlay 1; 1.0 can be read."]],
    ["something else", "openapi: 3.1.0\n", ["1:1 overlay/version This does not say which overlay it is."]],
    ["a broken file", "a: [", [expect.stringMatching(/^1:5 description\/syntax /)]],
    [
      "what is missing",
      "overlay: 1.0.0\nactions:\n  - {update: {}}\n  - {target: $}\n",
      [
        "1:1 overlay/schema The overlay has no title.",
        "1:1 overlay/schema The overlay has no version.",
        "3:5 overlay/schema This action has no target.",
        "4:5 overlay/schema This action does nothing.",
      ],
    ],
    [
      "an overlay without actions",
      "overlay: 1.0.0\ninfo: {title: A, version: '1'}\nactions: []\n",
      ["3:1 overlay/schema The overlay does nothing."],
    ],
    [
      "keys that are none",
      "overlay: 1.0.0\ninfo: {title: A, version: '1', by: me}\nactoins: []\nactions: [{target: $, remove: 1, copy: $.a, update: {}}]\n",
      [
        '3:1 overlay/schema "actoins" means nothing here.',
        '2:32 overlay/schema "by" means nothing here.',
        '4:34 overlay/schema "copy" means nothing here.',
        "4:23 overlay/schema remove is true or false.",
      ],
    ],
    [
      "targets that are not JSONPath",
      overlay(
        "- {target: 'a.b', remove: true}\n- {target: '$.a[', remove: true}\n- {target: '$[?f(@)]', remove: true}",
      ),
      [
        "4:4 overlay/target This is not a valid JSONPath: expected '$', found 'a' ('a.b':0).",
        "5:4 overlay/target This is not a valid JSONPath: unclosed bracketed selection ('$.a[':4).",
        "6:4 overlay/target This is not a valid JSONPath: no such function 'f' ('$[?f(@)]':3).",
      ],
    ],
    [
      "an address that is extended",
      overlay("- {target: $, remove: true}", "extends: https://pets.example/openapi.yaml\n"),
      ['3:1 overlay/extends "https://pets.example/openapi.yaml" is not a relative path.'],
    ],
    [
      "a file that is extended, and not of the description",
      overlay("- {target: $.a, remove: true}", "extends: other.yaml\n"),
      ["3:1 overlay/extends The description does not read other.yaml, so nothing of this overlay happens."],
    ],
    [
      "a plain value that is updated",
      overlay("- {target: '$.*', update: {}}"),
      ["4:4 overlay/update $.* selects a plain value."],
    ],
    [
      "values that do not go together",
      overlay("- target: $\n  update: {a: {}, b: [1], c: 1, d: {e: 1}}"),
      [
        "5:12 overlay/update This is an object, and a plain value where it is put.",
        "5:19 overlay/update This is a list, and an object where it is put.",
        "5:27 overlay/update This is a plain value, and a list where it is put.",
        "5:37 overlay/update This is a plain value, and an object where it is put.",
      ],
    ],
    [
      "a whole file that is removed",
      overlay("- {target: $, remove: true}"),
      ["4:4 overlay/update A whole file cannot be removed."],
    ],
  ])("%s", async (_, text, diagnostics) => {
    expect(await problemsOf({ "openapi.yaml": "a: 1\nb: {}\nc: []\nd: {e: {}}", "o.yaml": text })).toEqual(diagnostics);
  });

  test("an overlay that is not there", async () => {
    const [line, ...others] = await problemsOf({ "openapi.yaml": "a: 1" });
    expect(line).toMatch(/^1:1 overlay\/unreadable There is no overlay o\.yaml in \S+\.$/);
    expect(others).toEqual([]);
  });

  test("what all overlays have wrong", async () => {
    const texts = { "openapi.yaml": "a: 1", "o.yaml": "overlay: 2.0.0", "p.yaml": "overlay: 3.0.0" };
    expect(await problemsOf(texts, ["o.yaml", "p.yaml"])).toHaveLength(2);
  });

  test("what gets too deep", async () => {
    const deep = (levels: number): string => `${"{a: ".repeat(levels)}1${"}".repeat(levels)}`;
    const nested = (more: number): Readonly<Record<string, string>> => ({
      "openapi.yaml": deep(50).replace("1", "{}"),
      "o.yaml": overlay(`- {target: $${".a".repeat(50)}, update: ${deep(more)}}\n`),
    });
    expect(await problemsOf(nested(50))).toEqual([]);
    expect(await problemsOf(nested(51))).toEqual([expect.stringMatching(/^4:\d+ description\/too-deep /)]);
  });
});

const head = { overlay: "1.0.0", info: { title: "Ours", version: "1" } };

/** An overlay whose actions start on its fourth line, with another key below. */
function overlay(actions: string, beside = ""): string {
  return `overlay: 1.0.0\ninfo: {title: Ours, version: '1'}\n${beside}actions:\n${actions}`;
}

async function outcomeOf(text: string, actions: string): Promise<unknown> {
  const { root, diagnostics } = await loaded({ "openapi.yaml": text, "o.yaml": overlay(actions) }, ["o.yaml"]);
  expect(diagnostics).toEqual([]);
  return root.raw;
}

async function loaded(
  texts: Readonly<Record<string, string>>,
  overlays: readonly string[],
  root = "openapi.yaml",
): Promise<Description> {
  return withFixtureFolder(texts, (folder) =>
    loadDescription(
      path.join(folder, root),
      overlays.map((each) => path.join(folder, each)),
    ),
  );
}

/** Returns the diagnostics of a description's overlays. */
async function problemsOf(
  texts: Readonly<Record<string, string>>,
  overlays: readonly string[] = ["o.yaml"],
): Promise<readonly string[]> {
  const diagnostics = await loaded(texts, overlays).then(
    (description) => description.diagnostics,
    (error: unknown) => {
      if (!(error instanceof DiagnosticsError)) throw error;
      return error.diagnostics;
    },
  );
  expect(diagnostics.map((each) => each.origin.file)).toEqual(
    diagnostics.map((_, index) => overlays[index] ?? "o.yaml"),
  );
  return diagnostics.map(lineOf);
}

function lineOf({ code, message, origin }: Diagnostic): string {
  return `${origin.line}:${origin.column} ${code} ${message}`;
}
