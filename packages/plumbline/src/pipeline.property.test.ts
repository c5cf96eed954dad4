import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { ts } from "ts-morph";
import { afterAll, beforeAll, expect, test } from "vitest";
import { propertyRuns, untrustedText } from "../../../test/support/property-testing.js";
import { lintInProcess } from "../../kit/src/openapi/lint/lint-in-process.support.js";
import type { Config } from "./config/config.js";
import { runPipeline } from "./pipeline.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plumbline-property-"));
});
afterAll(() => rm(folder, { recursive: true }));

const sizes = propertyRuns(40, 600);

test("for any texts in a description, the client parses, or every problem has a position", async () => {
  const outcomes = { clients: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(description, async (written) => {
      const { packages, problems: diagnostics } = await outcomeOf(JSON.stringify(written));
      for (const { code, message, origin } of diagnostics) {
        expect(code).toMatch(/^[a-z]+\/[A-Za-z0-9-]+$/);
        expect(message).not.toBe("");
        expect(origin).toMatchObject({ file: "openapi.json", line: expect.any(Number), column: expect.any(Number) });
      }
      for (const file of packages.flatMap((each) => each.files)) {
        expect(file.path).toMatch(/^(?!.*\.\.)[A-Za-z0-9._/-]{1,200}$/);
        if ("text" in file && file.path.endsWith(".ts")) expect(faultsIn(file.text)).toEqual([]);
      }
      outcomes[packages.length > 0 ? "clients" : "rejected"] += 1;
      expect(packages.length > 0 || diagnostics.some((each) => each.severity === "error")).toBe(true);
    }),
    sizes,
  );
  // About a third are rejected, for their reference: 40 runs without one of the two happen once in a million times.
  expect(outcomes.clients).toBeGreaterThan(sizes.numRuns / 60);
  expect(outcomes.rejected).toBeGreaterThan(sizes.numRuns / 60);
});

test("detects code that escapes from a string", () => {
  expect(faultsIn("export const a = `${globalThis.canary()}`;")).toEqual(["globalThis.canary()"]);
  expect(faultsIn("export const a = 'globalThis.canary()'; // globalThis.canary()")).toEqual([]);
  expect(faultsIn("export const a = ;")).toEqual(["Expression expected."]);
});

/** Most slots are valid: otherwise no description would lead to a client. */
function slot(usual: string, weight = 8): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: untrustedText });
}

/** Prose and values are valid whatever their text. */
const description = fc
  .record({
    title: untrustedText,
    prose: untrustedText,
    value: untrustedText,
    field: untrustedText,
    extension: untrustedText,
    id: slot("getPet"),
    tag: untrustedText,
    schema: slot("Pet"),
    parameter: untrustedText,
    header: untrustedText,
    pattern: slot("^a*$"),
    url: slot("https://pets.example"),
    media: slot("application/json"),
    sent: slot("application/json"),
    path: slot("pets"),
    scheme: slot("key"),
    style: slot("form"),
    reference: slot("#/components/schemas/Pet", 2),
  })
  .map((at) => ({
    openapi: "3.1.0",
    info: { title: at.title, version: at.prose, summary: at.prose, description: at.prose },
    servers: [{ url: at.url, description: at.prose }],
    security: [{ [at.scheme]: [] }],
    tags: [{ name: at.tag, description: at.prose }],
    paths: {
      [`/${at.path}/{id}`]: {
        post: {
          operationId: at.id,
          tags: [at.tag],
          summary: at.prose,
          description: at.prose,
          [`x-${at.extension}`]: at.value,
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            {
              name: at.parameter,
              in: "query",
              description: at.prose,
              style: at.style,
              explode: false,
              schema: { type: "array", enum: [at.value] },
            },
            { name: at.header, in: "header", schema: { type: "object", default: at.value } },
          ],
          requestBody: {
            description: at.prose,
            content: {
              [at.sent]: {
                schema: { $ref: at.reference },
                example: { [at.field]: at.value },
              },
            },
          },
          responses: {
            "200": {
              description: at.prose,
              content: { [at.media]: { schema: { $ref: `#/components/schemas/${escaped(at.schema)}` } } },
            },
            "400": { description: at.prose },
          },
        },
      },
    },
    components: {
      securitySchemes: { [at.scheme]: { type: "apiKey", in: "header", name: at.header } },
      schemas: {
        Pet: {},
        [at.schema]: {
          title: at.title,
          description: at.prose,
          type: "object",
          required: [at.field],
          properties: {
            [at.field]: {
              type: "string",
              enum: [at.value],
              pattern: at.pattern,
              default: at.value,
              description: at.prose,
            },
            [at.value]: { const: at.value, format: at.value, title: at.prose },
          },
          patternProperties: { [at.pattern]: { enum: [{ [at.field]: [at.value] }] } },
        },
      },
    },
  }));

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

async function outcomeOf(written: string) {
  const file = path.join(folder, "openapi.json");
  await writeFile(file, written);
  const artifacts = [{ kind: "client", package: undefined, out: path.join(folder, "out"), private: false, ...noInput }];
  const only = {
    description: file,
    overlays: [],
    boundary: [folder],
    requirements: undefined,
    nestedArrays: undefined,
    keywords: [],
    names: {},
    artifacts,
  };
  const config: Config = {
    ruleset: "minimal",
    precedingDescriptions: [],
    descriptions: [only],
    artifactKinds: ["client"],
  };
  const { results, rejected } = await runPipeline(config, { only: [], startLinting: lintInProcess });
  const diagnostics = [...results.flatMap((read) => read.warnings), ...rejected.flatMap((each) => each.diagnostics)];
  return { packages: results.flatMap((read) => read.packages), problems: diagnostics };
}

/** The errors of the parser, and every call of the canary that is code instead of text. */
function faultsIn(source: string): readonly string[] {
  const options = {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  };
  const { diagnostics = [] } = ts.transpileModule(source, options);
  const faults = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText().includes("canary")) faults.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.ts", source, ts.ScriptTarget.ES2022, true));
  return faults;
}

/** The inputs of a conformance suite. */
const noInput = {
  sourcesOnly: false,
  importExtension: "js",
  include: undefined,
  options: {},
  location: undefined,
  generator: undefined,
} as const;
