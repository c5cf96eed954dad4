import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Json } from "../model/index.js";
import {
  code,
  docComment,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type Code,
} from "./printer.js";

function text(...statements: readonly Code[]): string {
  return printSourceFile(statements).trim();
}

describe("identifiers", () => {
  test.each(["limit", "$", "_a1", "Pet"])("%s is one", (given) => {
    expect(text(identifier(given))).toBe(given);
  });

  test.each(["", "a b", "1a", "a-b", "class", "await", "ä", "a;b", "a\u2028", "`"])("%j is none", (given) => {
    expect(() => identifier(given)).toThrow(`${JSON.stringify(given)} is not usable as an identifier`);
  });

  test("an import has to be an identifier too", () => {
    expect(() => importValue("a, b", "x")).toThrow('"a, b" is not an identifier');
    expect(() => importType("a\n", "x")).toThrow('"a\\n" is not an identifier');
  });
});

describe("keys", () => {
  test.each([
    ["plain", "plain"],
    ["class", "class"],
    ["X-Filter", '"X-Filter"'],
    ["", '""'],
    ["1", '"1"'],
    // As a bare or quoted key of an object literal it would set the prototype.
    ["__proto__", '["__proto__"]'],
    ['"]: 1, evil: [', '"\\"]: 1, evil: ["'],
  ])("%j is written %s", (given, written) => {
    expect(text(propertyKey(given))).toBe(written);
  });
});

describe("literals", () => {
  test.each<[Json, string]>([
    [null, "null"],
    [true, "true"],
    [-0, "-0"],
    [1.5, "1.5"],
    ["a", '"a"'],
    [[1, ["b"]], '[1, ["b"]]'],
    [{}, "{}"],
    [{ a: { "b c": null } }, '{ a: { "b c": null } }'],
  ])("%j is written %s", (given, written) => {
    expect(text(jsonLiteral(given))).toBe(written);
  });

  test.each([
    "*/ alert(1) /*",
    "`${process.exit()}`",
    "\u2028\u2029",
    "\u202e\u2066\u200f\u061c\ufeff",
    "\"'\\",
    "\u0000\u001b[31m\u007f\u009b",
    "</script>",
    "\ud800",
  ])("%j comes back as it was, and shows no sign that cannot be seen", (given) => {
    const written = text(jsonLiteral(given));
    expect(written).toMatch(/^[\x20-\x7e]*$/);
    expect(evaluated(written)).toBe(given);
  });

  test("an own __proto__ stays one", () => {
    const given = JSON.parse('{"__proto__": {"evil": true}}') as Json;
    expect(Object.keys(evaluated(text(jsonLiteral(given))) as object)).toEqual(["__proto__"]);
  });
});

describe("comments", () => {
  test.each<[string, readonly string[], string]>([
    ["nothing", ["", " "], ""],
    ["one line", ["A pet."], "/** A pet. */"],
    ["several", ["A pet.", "", "It barks."], "/**\n * A pet.\n *\n * It barks.\n */"],
    [
      "every kind of line end",
      ["a\n\nb\r\n\r\nc\u2028\u2028d\u0085\u0085e"],
      "/**\n * a\n *\n * b\n *\n * c\n *\n * d\n *\n * e\n */",
    ],
    ["a line end of Windows at the end of each line", ["a\r", "\r", "b\r"], "/**\n * a\n *\n * b\n */"],
    ["the end of a comment", ["a */ alert(1) /* b"], "/** a *\\/ alert(1) /* b */"],
    ["the end of a comment with something invisible in it", ["a *\u200f/ b *\u0000/"], "/** a *\\/ b *\\/ */"],
    ["the end of a comment over two lines", ["a *", "", "/ b"], "/**\n * a *\n *\n * / b\n */"],
    ["what turns text around", ["a\u202eb\u2066c\u200f\u061cd"], "/** abcd */"],
    ["what a terminal obeys", ["a\u001b[31mb\u009b1m"], "/** a[31mb1m */"],
    ["backticks and placeholders", ["`${a}`"], "/** `${a}` */"],
    ["what the compiler obeys", ["@ts-expect-error"], "/**\n * @ts-expect-error\n */"],
    ["what the compiler obeys, behind stars", ["** @ts-ignore"], "/**\n * ** @ts-ignore\n */"],
    ["a tag", ["@deprecated"], "/** @deprecated */"],
    [
      "empty lines around a text",
      ["", "", "GET /pets", "", "From a.yaml", ""],
      "/**\n * GET /pets\n *\n * From a.yaml\n */",
    ],
    ["empty lines alone", ["", ""], ""],
  ])("%s", (_, given, written) => {
    expect(text(docComment(given))).toBe(written);
  });

  test("wraps paragraphs and list items, and keeps tables and code", () => {
    const word = "word ".repeat(30).trim();
    const lines = text(docComment([`- ${word}`, "", "| a |", "| b |", "", "```", `${word} ${word}`, "```"])).split(
      "\n",
    );
    expect(lines).toEqual([
      "/**",
      ` * - ${"word ".repeat(21).trim()}`,
      ` *   ${"word ".repeat(9).trim()}`,
      " *",
      " * | a |",
      " * | b |",
      " *",
      " * ```",
      ` * ${word} ${word}`,
      " * ```",
      " */",
    ]);
  });

  test("wrapping a paragraph creates no JSDoc tag", () => {
    const written = text(docComment([`${"a".repeat(109)} @deprecated is a word`]));
    expect(written).toBe(`/**\n * ${"a".repeat(109)} @deprecated\n * is a word\n */`);
  });
});

describe("files", () => {
  test("merges and sorts imports; a value import replaces a type import, and a list of types is an `import type`", () => {
    const statements = [
      code`export const a: ${importType("Call", "runtime")} = ${importValue("call", "runtime")};`,
      code`export type B = ${importType("Zoo", "./b.js")} | ${importType("Ant", "./b.js")} | ${importType("Zoo", "./b.js")};`,
      code`export type C = typeof ${importType("twice", "runtime")}; ${importValue("twice", "runtime")}(); type D = ${importType("twice", "runtime")};`,
    ];
    expect(printSourceFile(statements)).toBe(`import type { Ant, Zoo } from "./b.js";
import { type Call, call, twice } from "runtime";

export const a: Call = call;

export type B = Zoo | Ant | Zoo;

export type C = typeof twice; twice(); type D = twice;

`);
  });

  test("an import with the name of a declaration gets an alias", () => {
    const call = code`export const query = ${importValue("query", "runtime")}(${importValue("call", "runtime")});`;
    const type = code`type A = ${importType("Client", "./types.js")} | ${importType("Client", "runtime")};`;
    expect(printSourceFile([call, type], ["query"])).toBe(`import type { Client } from "./types.js";
import { type Client as $Client, call, query as $query } from "runtime";

export const query = $query(call);

type A = Client | $Client;

`);
  });

  test("of several imports with one name, that of a neighbouring file keeps it", () => {
    const types = ["./b.js", "./a.js", "runtime", "another"].map((from) => importType("Call", from));
    expect(text(code`type All = ${joinCode(types, code` | `)} | ${importType("$Call", "./c.js")};`))
      .toBe(`import type { Call } from "./a.js";
import type { Call as $$Call } from "./b.js";
import type { $Call } from "./c.js";
import type { Call as $$$Call } from "another";
import type { Call as $$$$Call } from "runtime";

type All = $$Call | Call | $$$$Call | $$$Call | $Call;`);
  });

  test("an import with the name of any statement's declaration gets an alias", () => {
    const declarations = [
      code`/** A check. */\nexport function check(): void {\n${importValue("check", "a")}();\n}`,
      code`type Issues = ${importType("Issues", "b")};`,
      code`export const one = 1;\nexport const two = ${importValue("two", "c")};`,
    ];
    expect(printSourceFile(declarations)).toContain(
      'import { check as $check } from "a";\nimport type { Issues as $Issues } from "b";\nimport { two as $two } from "c";\n',
    );
  });

  test("an import with the name of a global gets an alias", () => {
    expect(text(code`const all: ReadonlyMap<${importType("ReadonlyMap", "./a.js")}, 1>;`))
      .toBe(`import type { ReadonlyMap as $ReadonlyMap } from "./a.js";

const all: ReadonlyMap<$ReadonlyMap, 1>;`);
  });

  test("without imports the statements begin the file", () => {
    expect(printSourceFile([code`export {};`])).toBe("export {};\n\n");
  });

  test("a list is joined by line breaks, or by the separator of join", () => {
    const list = [code`a`, code`b`];
    expect(text(code`${list}`)).toBe("a\nb");
    expect(text(code`[${joinCode(list, code`, `)}]`)).toBe("[a, b]");
    expect(text(code`[${[]}]`)).toBe("[]");
  });
});

test("a text cannot become code: the compiler rejects it", () => {
  const description: string = "alert(1)";
  const rejected: readonly (() => unknown)[] = [
    // @ts-expect-error: a text is not a piece
    (): Code => code`${description}`,
    // @ts-expect-error: nor is a list of texts
    (): Code => code`${[description]}`,
    // @ts-expect-error: nor a number
    (): Code => code`${3}`,
    // @ts-expect-error: nor what looks like fixed text
    (): Code => code([description]),
    // @ts-expect-error: other modules cannot create a piece
    (): Code => ({ parts: [description] }),
    // @ts-expect-error: a list of pieces holds no text
    (): Code => joinCode([description], code`, `),
    // @ts-expect-error: nor does what is between them
    (): Code => joinCode([code`a`], description),
    // @ts-expect-error: a text is not a node
    (): Code => node(description),
    // @ts-expect-error: imports stand in pieces
    (): Code => using(description, []),
    // @ts-expect-error: and are pieces themselves
    (): Code => using(code`a`, [description]),
    // @ts-expect-error: a file consists of pieces
    (): string => printSourceFile([description]),
    // @ts-expect-error: a value of JSON has no functions
    (): Code => jsonLiteral(() => description),
  ];
  expect(rejected).toHaveLength(12);
  // Functions that accept texts create a checked identifier, a string or a comment. The property tests cover any text.
  const taken: readonly ((given: string) => Code)[] = [propertyKey, jsonLiteral, (line) => docComment([line])];
  expect(taken.map((take) => text(take(description)))).toEqual([
    `"${description}"`,
    `"${description}"`,
    `/** ${description} */`,
  ]);
  for (const named of [identifier, (each: string) => importValue(each, "a"), (each: string) => importType(each, "a")])
    expect(() => named(description)).toThrow(/identifier/);
});

function evaluated(expression: string): unknown {
  return runInNewContext(`(${expression})`) as unknown;
}
