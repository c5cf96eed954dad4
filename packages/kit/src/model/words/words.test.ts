import { describe, expect, test } from "vitest";
import { buildFixtureApi } from "../../openapi/testing.js";
import type { Api, Operation } from "../api.js";
import { collectLimits } from "../schemas/limits.js";
import { describeBounds } from "./bounds.js";
import { conditionClause, describeCondition } from "./conditions.js";
import { bytesInWords, countOf } from "./counts.js";
import { durationInWords } from "./durations.js";
import { describeExpression, expressionContext } from "./expressions.js";
import { describeGrants, describeScopes } from "./grants.js";
import { describeLimit } from "./limits.js";
import { nameInWords, titleOfName, withArticle } from "./names.js";
import { codePhrase, listPhrases, phrase, toMarkdown, toPlainText, toSentence } from "./phrase.js";
import { appendSentence, endSentence } from "./sentences.js";

test.each([
  ["PT24H", 86_400, "24 hours"],
  ["P1D", 86_400, "1 day"],
  ["P14D", 1_209_600, "14 days"],
  ["P2W", 1_209_600, "2 weeks"],
  ["PT1S", 1, "1 second"],
  ["PT90M", 5400, "90 minutes"],
  ["P1DT12H", 129_600, "1 day and 12 hours"],
  ["PT1H30M10S", 5410, "1 hour, 30 minutes and 10 seconds"],
  ["P0DT0H", 0, "0 seconds"],
])("the duration %s: %s seconds, %s", (text, seconds, words) => {
  expect(durationInWords({ text, seconds })).toBe(words);
});

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [1024, "1 KiB"],
  [12_345, "12,345 bytes"],
  [65_536, "64 KiB"],
  [1_500_000, "1500 kB"],
  [5_000_000_000, "5 GB"],
  [5_368_709_120, "5 GiB"],
  [2_000_000_000_000, "2 TB"],
])("%d bytes: %s", (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words);
});

test.each([
  [1, "1 request"],
  [0, "0 requests"],
  [9999, "9999 requests"],
  [10_000, "10,000 requests"],
  [1_234_567, "1,234,567 requests"],
])("%d of a unit: %s", (count, words) => {
  expect(countOf(count, "request")).toBe(words);
});

test.each([
  ["createInstance", "create instance", "Create instance"],
  ["NodeBalancer", "node balancer", "Node balancer"],
  ["listSSHKeys", "list SSH keys", "List SSH keys"],
  ["SSHKey", "SSH key", "SSH key"],
  ["add_images", "add images", "Add images"],
])("the name %s: %s", (name, words, title) => {
  expect([nameInWords(name), titleOfName(name)]).toEqual([words, title]);
});

test.each([
  ["image", "an image"],
  ["cluster", "a cluster"],
  ["SSH key", "an SSH key"],
])("%s: %s", (words, article) => {
  expect(withArticle(words)).toBe(article);
});

test("phrases become Markdown and plain text, and nothing in a name ends its code", () => {
  const names = ["a", "b`c", "`", "d\ne"].map(codePhrase);
  const words = phrase`needs ${listPhrases(names, "and")} of ${2}`;
  expect(toMarkdown(words)).toBe("needs `a`, ``b`c``, `` ` `` and `d e` of 2");
  expect(toPlainText(toSentence(words))).toBe("Needs a, b`c, ` and d e of 2.");
  expect(toMarkdown(toSentence(codePhrase("label")))).toBe("`label`.");
  expect(listPhrases([], "or")).toEqual([]);
});

test.each([
  ["Unique identifier", "Unique identifier."],
  ["It ends.", "It ends."],
  ["Really?", "Really?"],
  ["And so on…", "And so on…"],
  ["(As before.)", "(As before.)"],
  ["A word (in brackets)", "A word (in brackets)."],
  ['It is "quoted."', 'It is "quoted."'],
  ["The `id`", "The `id`."],
  ["**Bold.**", "**Bold.**"],
  ["识别符。", "识别符。"],
  ["（识别符。）", "（识别符。）"],
  ["识别符", "识别符。"],
  ["هل؟", "هل؟"],
  ["नमस्ते।", "नमस्ते।"],
  ["One of:", "One of:"],
  ["  ", ""],
])("the sentence %j: %j", (text, sentence) => {
  expect(endSentence(text)).toBe(sentence);
});

test.each([
  ["Unique identifier", "Unique identifier.¶Format: uuid."],
  ["Two¶lines", "Two¶lines.¶Format: uuid."],
  ["An end.", "An end.¶Format: uuid."],
  ["One of:", "One of:¶¶Format: uuid."],
  ["One of：", "One of：¶¶Format: uuid."],
  ["One of:¶- a¶- b", "One of:¶- a¶- b¶¶Format: uuid."],
  ["- a¶  continued", "- a¶  continued¶¶Format: uuid."],
  ["1. a", "1. a¶¶Format: uuid."],
  ["Such as¶¶    code", "Such as¶¶    code¶¶Format: uuid."],
  ["```¶code¶```", "```¶code¶```¶¶Format: uuid."],
  ["| a |", "| a |¶¶Format: uuid."],
  ["# Title", "# Title¶¶Format: uuid."],
  ["- a¶¶After the list", "- a¶¶After the list.¶Format: uuid."],
  ["", "¶Format: uuid."],
])("a sentence after %j", (text, lines) => {
  expect(appendSentence(text.split("¶"), "Format: uuid.").join("¶")).toBe(lines);
});

async function operationWith(
  fields: string,
  schemas = "",
): Promise<{ readonly api: Api; readonly operation: Operation }> {
  const api = await buildFixtureApi(`openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /images/{imageId}:
    post:
      operationId: changeImage
      parameters:
        - {name: imageId, in: path, required: true, schema: {type: integer}, x-reference: {to: Image}}
        - {name: kind, in: query, schema: {type: string}}
      ${fields}
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Image'}}}}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}, key: {type: http, scheme: basic}}
  schemas:
    Image: {type: object, x-resource: {owner: [account], read: changeImage}, properties: {id: {type: integer}, label: {type: string}}${schemas}}
`);
  const [operation] = api.operations;
  if (operation === undefined) throw new Error("the description has no operation");
  return { api, operation };
}

test.each([
  ["kind: rate, max: 1, window: PT1S, per: $caller.user", "at most 1 request within 1 second per user"],
  ["kind: rate, max: 10, window: PT30S, per: $request.path.imageId", "at most 10 requests within 30 seconds per image"],
  [
    "kind: rate, max: 2, window: P1D, per: $request.query.kind",
    "at most 2 requests within 1 day per `kind` in the query",
  ],
  ["kind: rate, max: 2, window: P1D, per: $target#/id", "at most 2 times within 1 day per image"],
  [
    "kind: outcome-rate, max: 5, window: PT10M, counts: {errors: [wrong, gone]}",
    "at most 5 requests that end with `wrong` or `gone` within 10 minutes",
  ],
  [
    "kind: outcome-rate, max: 1, window: PT10M, counts: {errors: [wrong]}",
    "at most 1 request that ends with `wrong` within 10 minutes",
  ],
  [
    "kind: concurrency, max: 5, per: $request.path.imageId, until: {settled: $response.body#/id}",
    "at most 5 at a time per image",
  ],
  ["kind: bytes, max: 5000000000, window: PT24H", "at most 5 GB within 24 hours"],
  ["kind: bytes, max: 12345", "at most 12,345 bytes"],
])("a limit of an operation, {%s}: %s", async (limit, words) => {
  const errors = "x-errors: [{id: wrong, status: 400}, {id: gone, status: 410}]";
  const { api, operation } = await operationWith(`${errors}\n      x-limits: [{id: a, ${limit}}]`);
  const [first] = operation.limits;
  expect(first && toMarkdown(describeLimit({ limit: first }, expressionContext(api, operation)))).toBe(words);
});

test.each([
  ["kind: unique, by: [label], within: account", "`label` of an image is unique within the account"],
  [
    "kind: unique, by: [label, id], within: parent",
    "`label` and `id` of an image together are unique within its parent",
  ],
  ["kind: unique, by: [id], within: array", "`id` is unique in its list"],
  ["kind: unique, by: [id], within: platform", "`id` of an image is unique across the platform"],
  ["kind: combined-length, max: 1000", "at most 1000 characters in all items together"],
  ["kind: combined-length, max: 1000, by: [label, id]", "at most 1000 characters in `label` and `id` together"],
  ["kind: serialized-length, max: 65535", "at most 65,535 characters as JSON"],
  ["kind: retention, window: P14D", "kept for 14 days"],
  ["kind: retention, window: P90D, by: [label]", "kept for 90 days after `label`"],
  ["kind: retention, max: 3, within: parent", "the latest 3 of each parent are kept"],
  ["kind: retention, max: 1, window: PT1H", "the latest one is kept for 1 hour"],
])("a limit of a schema, {%s}: %s", async (limit, words) => {
  const { api } = await operationWith("", `, x-limits: [{id: a, ${limit}}]`);
  expect(collectLimits(api).map((each) => toMarkdown(describeLimit(each)))).toEqual([words]);
});

test.each([
  ["", []],
  ["{grant: add_images}", ["A caller needs the grant `add_images`."]],
  ["{on: $request.path.imageId, level: read_only}", ["A caller needs `read_only` on the image."]],
  ["{caller: {role: [admin, doctor]}}", ["The caller's `role` has to be `admin` or `doctor`."]],
  [
    "{grant: add_images}, {on: $request.body#/disk_id, level: read_only}, {on: '$request.body#/domains/*', level: read_write}",
    [
      "A caller needs the grant `add_images`, `read_only` on `disk_id` in the body and `read_write` on each of `domains` in the body.",
    ],
  ],
  [
    "{on: $request.path.imageId, level: read_only}, {caller: {role: [admin, doctor]}, when: {changes: [tags]}}",
    [
      "A caller needs `read_only` on the image.",
      "The caller's `role` has to be `admin` or `doctor` if `tags` changes.",
    ],
  ],
  [
    "{on: $request.path.imageId, level: read_only, when: {target: {properties: {is_public: {const: false}}, required: [is_public]}}}",
    ["A caller needs `read_only` on the image if the image's `is_public` is `false`."],
  ],
])("the grants [%s]", async (grants, words) => {
  const { api, operation } = await operationWith(`x-grants: [${grants}]`);
  const phrases = describeGrants(operation.grants, expressionContext(api, operation));
  expect(phrases.map((each) => toMarkdown(toSentence(each)))).toEqual(words);
});

test("grants name the callers that need none", async () => {
  const { api, operation } = await operationWith(
    "x-grants: [{grant: add_images}, {caller: {role: doctor}}, {on: $request.path.imageId, level: read_only, when: {changes: [tags]}}]",
  );
  const context = { ...expressionContext(api, operation), needNoGrants: { role: ["admin"] } };
  expect(describeGrants(operation.grants, context).map((each) => toMarkdown(toSentence(each)))).toEqual([
    "A caller needs the grant `add_images`, unless its `role` is `admin`.",
    "The caller's `role` has to be `doctor` or `admin`.",
    "A caller needs `read_only` on the image if `tags` changes, unless its `role` is `admin`.",
  ]);
});

test("a grant on what the body refers to names it", async () => {
  const reference = "x-reference: {to: Image}";
  const { api, operation } = await operationWith(`x-grants:
        - {on: $request.body#/copy_of, level: read_only}
        - {on: '$request.body#/parts/*', level: read_write}
      requestBody: {content: {application/json: {schema: {type: object, properties: {
        copy_of: {type: integer, ${reference}}, parts: {type: array, items: {type: integer, ${reference}}}}}}}}`);
  const [words] = describeGrants(operation.grants, expressionContext(api, operation));
  expect(words && toMarkdown(words)).toBe(
    "a caller needs `read_only` on the image of `copy_of` and `read_write` on each image of `parts`",
  );
});

test.each([
  ["[]", undefined],
  ["[{}]", undefined],
  ["[{token: ['images:read', 'tags:read']}]", "needs `images:read` and `tags:read`"],
  ["[{token: ['images:read']}, {key: []}]", "needs `images:read`, or any token"],
  ["[{token: ['images:read']}, {}]", "needs `images:read`, or no credentials"],
])("the security %s: %s", async (security, words) => {
  const { operation } = await operationWith(`security: ${security}`);
  const scopes = describeScopes(operation.security);
  expect(scopes && toMarkdown(scopes)).toBe(words);
});

describe("conditions", () => {
  async function conditionOf(when: string) {
    const { api, operation } = await operationWith(`x-errors: [{id: wrong, status: 400, when: {${when}}}]`);
    return { when: operation.errors[0]?.when ?? {}, context: expressionContext(api, operation) };
  }

  test.each([
    ["body: {required: [image]}", "the body has `image`"],
    ["body: {properties: {tags: {minItems: 1}}, required: [tags]}", "`tags` has at least 1 item"],
    ["body: {properties: {booted: {const: false}}}", "`booted` is absent or is `false`"],
    ["body: {required: [a, b, c]}", "the body has `a`, `b` and `c`"],
    ["body: {properties: {a: {required: [b]}}}", "`a` has `b`"],
    ["body: {not: {required: [a]}}", "the body has no `a`"],
    ["body: {not: {anyOf: [{required: [a]}, {required: [b]}]}}", "the body has no `a` or `b`"],
    ["body: {not: {properties: {a: {const: 1}}, required: [a]}}", "it is not true that `a` is `1`"],
    ["body: {properties: {a: {not: {const: 1}}}, required: [a]}", "`a` is not `1`"],
    ["body: {properties: {a: {not: {enum: [1, 2]}}}, required: [a]}", "`a` is neither `1` nor `2`"],
    ["body: {properties: {a: {contains: {const: x}}}, required: [a]}", '`a` contains an item that is `"x"`'],
    ["body: {properties: {a: {type: [object, 'null']}}, required: [a]}", "`a` is an object or null"],
    ["body: {properties: {a: {type: string, pattern: ^b}}, required: [a]}", "`a` is a string, and `a` matches `^b`"],
    ["body: {anyOf: [{required: [a]}, {required: [b]}]}", "the body has `a` or the body has `b`"],
    ["sent: {required: [a]}", "the body has `a`"],
    [
      "target: {properties: {status: {enum: [on, off]}}, required: [status]}",
      'the image\'s `status` is `"on"` or `"off"`',
    ],
    [
      "caller: {properties: {account: {properties: {total: {minimum: 25}}, required: [total]}}, required: [account]}",
      "the caller's `account.total` is at least 25",
    ],
    [
      "refs: {label: {properties: {is_public: {const: false}}, required: [is_public]}}",
      "`is_public` of `label` is `false`",
    ],
    ["changes: [tags], body: {required: [a]}", "the body has `a`, and `tags` changes"],
    ["compare: [$request.body#/disk, lt, $target#/disk]", "`disk` in the body is less than the image's `disk`"],
    ["compare: [$request.path.imageId, ne, 7]", "the image differs from `7`"],
    ["", "always"],
  ])("{%s}: %s", async (condition, words) => {
    const { when, context } = await conditionOf(condition);
    expect(toMarkdown(describeCondition(when, context))).toBe(words);
  });

  test("a clause of eighty characters is complete, and a longer one names the fields that decide", async () => {
    const clauseOf = async (length: number) => {
      const { when, context } = await conditionOf(`body: {required: [${"a".repeat(length)}]}, changes: [tags]`);
      return toMarkdown(conditionClause(when, context));
    };
    const fixed = "the body has , and tags changes".length;
    const longest = "a".repeat(80 - fixed);
    expect(await clauseOf(longest.length)).toBe(` if the body has \`${longest}\`, and \`tags\` changes`);
    expect(await clauseOf(longest.length + 1)).toBe(`, depending on \`${longest}a\` and \`tags\``);
    expect(conditionClause(undefined)).toEqual([]);
  });
});

test.each([
  ["$request.body", "the body"],
  ["$request.body#/a/b", "`a.b` in the body"],
  ["$request.body#/*", "each item of the body"],
  ["$request.body#/a/*/b", "`b` of each of `a` in the body"],
  ["$request.path.imageId", "the image"],
  ["$request.query.kind", "`kind` in the query"],
  ["$response.body#/id", "`id` in the response"],
  ["$target", "the image"],
  ["$target#/nodes/*/id", "`id` of each of the image's `nodes`"],
  ["$caller.user", "the caller's `user`"],
  ["$refs.image", "the object of `image`"],
  ["$refs.image#/size", "`size` of `image`"],
])("the expression %s: %s", async (text, words) => {
  const { api, operation } = await operationWith(
    `x-effects: [{id: a, does: set, to: Image, of: '${text}', values: {}}]`,
  );
  const expression = operation.effects[0]?.of;
  expect(expression && toMarkdown(describeExpression(expression, expressionContext(api, operation)))).toBe(words);
});

test("bounds count in words", async () => {
  const { api } = await operationWith("", ", minProperties: 1, title: I");
  const origin = api.origin;
  expect(describeBounds({ types: ["string"], minLength: 1, maxLength: 65_535, origin })).toEqual([
    "1 to 65,535 characters",
  ]);
  expect(describeBounds({ types: ["array"], maxItems: 1, origin })).toEqual(["At most 1 item"]);
});
