import { ts } from "ts-morph";

/** A file and its text. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** A fact that is stated once, and how its statement is recognised. */
export interface StatedFact {
  readonly fact: string;
  readonly statement: RegExp;
  /** The files that state it. Several have a reason each: packages that share no code. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The keywords of JSON Schema that hold a number or a flag. What a keyword means is in its file below `packages/model/src/keywords/`;
 * other files ask it.
 */
export const knownKeywords: readonly string[] =
  `minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minContains maxContains minItems maxItems
  uniqueItems minProperties maxProperties`.split(/\s+/);

export const statedFacts: readonly StatedFact[] = [
  {
    fact: "which values are JSON objects",
    statement: /typeof (\w+) === "object" && \1 !== null && !\w+(?:\.isArray)?\(\1\)/,
    files: {
      "packages/model/src/json-values.ts": "the kit and the generators",
      "packages/http-runtime/src/values/json-values.ts": "the runtimes of servers and validators",
      "packages/mcp-runtime/src/json.ts": "the runtime of MCP servers, which needs nothing else of a runtime",
      "packages/conformance/src/scenarios/values.ts": "hand-written scenarios, which import the runner alone",
    },
  },
  {
    fact: "which values are of a type of JSON Schema",
    statement: /case "integer":\s+return Number\.isInteger/,
    files: { "packages/model/src/json-values.ts": "the kit and the generators" },
  },
  {
    fact: "what a generated package.json holds",
    statement: /path: "package\.json"/,
    files: { "packages/codegen/src/package-files.ts": "all generators" },
  },
  {
    fact: "which versions of Node generated packages run in",
    statement: /\^20\.\d+\.\d+ \|\|/,
    files: { "packages/codegen/src/package-files.ts": "all generators" },
  },
  {
    fact: "how any name is assigned safely",
    statement: /[!=]== "__proto__"\) \{/,
    files: { "packages/http-runtime/src/values/safe-assign.ts": "all runtimes" },
  },
  {
    fact: "how far two names are apart",
    statement: /function \w*(?:editDistance|levenshtein)/i,
    files: {
      "packages/openapi/src/read/edit-distance.ts": "the kit and the generators",
      "packages/conformance-runtime/src/command/edit-distance.ts": "the runner of suites, which has no dependencies",
    },
  },
  {
    fact: "where limits stand in a description",
    statement: /(?:function|const) collect\w*Limits\b/,
    files: { "packages/model/src/schemas/limits.ts": "all generators" },
  },
  {
    fact: "by which key requests are counted",
    statement: /function \w*rateKey/i,
    files: {
      "packages/server-runtime/src/rate-limits/rates.ts": "servers",
      "packages/client-runtime/src/retry/rate-limit.ts": "clients, which know the path alone",
    },
  },
  {
    fact: "how many characters a text has",
    statement: /function (?:characterCount|codePointCount)\b/,
    files: { "packages/model/src/keywords/character-count.ts": "the kit and the generators" },
  },
];

/** Returns the files that know a keyword: as a name in code, or as a word of a text other than an English one. */
export function filesKnowing(keyword: string, sources: readonly SourceText[]): readonly string[] {
  return sources.filter(({ text }) => text.includes(keyword) && knows(keyword, text)).map(({ file }) => file);
}

/** Returns the files that state a fact. */
export function filesStating({ statement }: StatedFact, sources: readonly SourceText[]): readonly string[] {
  return sources.filter(({ text }) => statement.test(text)).map(({ file }) => file);
}

function knows(keyword: string, text: string): boolean {
  // "The minimum is 3" is English; "no maxLength" is JSON Schema.
  const word = /[A-Z]/.test(keyword) ? new RegExp(`\\b${keyword}\\b`) : new RegExp(`^${keyword}$`);
  const visit = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === keyword) ||
    ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && word.test(node.text)) ||
    ts.forEachChild(node, visit) === true;
  return visit(ts.createSourceFile("a.ts", text, options));
}

const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
