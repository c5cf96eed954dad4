import type { JsonSchema, Suite } from "@plumbline/conformance-runtime";
import {
  firstRead,
  emitPackageFiles,
  type GeneratedFile,
  runtimeVersionRange,
  readTemplate,
} from "@plumbline/kit/codegen";
import { type Api, callersOf, findJsonContent, isJsonObject, pickDefined, type Schema } from "@plumbline/kit/model";
import { namedGrantsOf } from "./cases/access/required-grants.js";
import { frameInfo } from "./cases/frame/frame-cases.js";
import { conformanceContextOf, type ConformanceContext, type ConformanceOptions } from "./context/context.js";
import { suiteCallers } from "./context/suite-callers.js";
import { generateCases } from "./generate-cases.js";
import { fixturesOf } from "./requests/fixtures.js";
import { operationInfos, requirementInfos } from "./requests/operation-info.js";
import { bodyFieldLimit, bodyFieldsOf } from "./values/body-fields.js";
import { jsonSchemaOf } from "./values/json-schema.js";
import { vitestVersionRange } from "./vitest.js";

const readmeTemplate = readTemplate(new URL("../../templates/conformance/readme.md.hbs", import.meta.url));

const runtime = "@plumbline/conformance-runtime";

/** Emits a publishable package with a command. */
export function emitConformancePackage(
  api: Api,
  options: ConformanceOptions,
  { hasTests, hasScenarios }: { readonly hasTests: boolean; readonly hasScenarios: boolean },
): readonly GeneratedFile[] {
  const command = commandName(options.package);
  const context = conformanceContextOf(api, options);
  const { notes } = context.settings;
  return [
    ...emitPackageFiles(api, options, {
      description: (title) => `A conformance suite for the ${title} for any server that implements it`,
      keyword: "testing",
      entries: {
        ".": "index",
        ...(hasTests ? { "./matchers": "gen/matchers", "./vitest": "gen/vitest" } : {}),
      },
      dependencies: { [runtime]: runtimeVersionRange },
      ...(hasTests ? { optionalPeers: { vitest: vitestVersionRange } } : {}),
      command: { name: command, file: `bin/${command}.js` },
      folders: ["bin", "data"],
      usesNode: hasScenarios,
      index: indexText(hasScenarios),
      readme: {
        template: readmeTemplate,
        data: {
          runtime,
          command,
          server: api.servers[0]?.url ?? "https://api.example.com",
          requirements: api.requirements.length > 0,
          hasControls: options.input.controls !== undefined || options.input.mockControls !== undefined,
          hasScenarios,
          notes,
          ...(hasTests ? { tests: testExamples(api) } : {}),
          ...largeBodies(context),
        },
      },
    }),
    { path: "data/suite.json", text: suiteText(api, options, command) },
    { path: `bin/${command}.js`, text: commandText(hasScenarios) },
    { path: "src/gen/suite.ts", text: suiteModule },
  ];
}

/** The names in the README's examples of tests. */
function testExamples(api: Api): object {
  const read = firstRead(api)?.operation ?? api.operations[0];
  return {
    tag: read?.tag,
    operation: read?.name,
    path: read?.path.replaceAll(/\{[^}]*\}/g, "1"),
    schema: api.schemas[0]?.name,
  };
}

/** The number of operations with more fields than have cases, and how many have. */
function largeBodies(context: ConformanceContext): { readonly fieldLimit: number; readonly largeBodies?: number } {
  const fieldLimit = bodyFieldLimit(context.api);
  const large = context.api.operations.filter(({ requestBody }) => {
    const schema = requestBody && findJsonContent(requestBody.contents)?.schema;
    return schema !== undefined && bodyFieldsOf(context, schema, []).length >= fieldLimit;
  });
  return { fieldLimit, ...(large.length === 0 ? {} : { largeBodies: large.length }) };
}

const suiteModule = `import { readSuite, type Suite } from "${runtime}";

/** The suite, read from the package's data. */
export const suite: Suite = readSuite(new URL("../../data/", import.meta.url));
`;

function indexText(hasScenarios: boolean): string {
  return `export { suite } from "./gen/suite.js";\n${hasScenarios ? 'export { scenarios } from "./scenarios/index.js";\n' : ""}`;
}

/** The command reads the data of the suite itself, so that it runs before the package is built. Scenarios are TypeScript and need the build. */
function commandText(hasScenarios: boolean): string {
  if (!hasScenarios)
    return `#!/usr/bin/env node
import { readSuite } from "${runtime}";
import { runCommand } from "${runtime}/command";

const suite = readSuite(new URL("../data/", import.meta.url));
process.exitCode = await runCommand(suite, process.argv.slice(2), process);
`;
  return `#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "${runtime}/command";

if (existsSync(new URL("../dist/index.js", import.meta.url))) {
  const { scenarios, suite } = await import("../dist/index.js");
  process.exitCode = await runCommand(suite, process.argv.slice(2), process, scenarios);
} else {
  console.error(\`Build the suite first: npx tsc -p \${fileURLToPath(new URL("..", import.meta.url))}\`);
  process.exitCode = 2;
}
`;
}

/** The suite without its cases, one member per line for readable diffs. */
function suiteText(api: Api, options: ConformanceOptions, command: string): string {
  const context = conformanceContextOf(api, options);
  const { settings, controls } = context;
  const suite: Omit<Suite, "cases"> = {
    title: api.title,
    version: api.version,
    command,
    servers: api.servers.map(({ url }) => url),
    strict: api.requirements.length > 0,
    operations: operationInfos(context, context.api),
    controls: {
      ...options.input.mockControls,
      ...(controls === undefined ? {} : operationInfos(context, controls)),
    },
    schemas: Object.fromEntries(
      [...(controls?.schemas ?? []), ...api.schemas].map(({ name, schema }) => [name, schemaOf(schema)]),
    ),
    fixtures: fixturesOf(context),
    actors: settings.actors,
    callers: api.callers && suiteCallers(api),
    grants: everyGrant(api),
    clock: settings.clock,
    ...pickDefined("frame", frameInfo(context, generateCases(api, options))),
    requirements: requirementInfos(context),
  };
  return `${linesOf(suite, 2)}\n`;
}

/** What users need if all callers need grants: every one that has a name. */
function everyGrant(api: Api): Suite["grants"] {
  const { needNoGrants, namedGrants } = callersOf(api);
  const names = namedGrantsOf(api);
  if (needNoGrants !== undefined || names.length === 0) return undefined;
  return { [namedGrants]: Object.fromEntries(names.map((each) => [each, true] as const)) };
}

const schemas = new WeakMap<Schema, JsonSchema>();

/** Converted once for each schema. */
function schemaOf(schema: Schema): JsonSchema {
  const converted = schemas.get(schema) ?? jsonSchemaOf(schema);
  schemas.set(schema, converted);
  return converted;
}

/** JSON with one line for each member of the outer levels. */
function linesOf(value: unknown, levels: number, indent = ""): string {
  const entries = isJsonObject(value) ? Object.entries(value).filter(([, each]) => each !== undefined) : [];
  if (levels === 0 || entries.length === 0) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = entries.map(([key, each]) => `${inner}${JSON.stringify(key)}: ${linesOf(each, levels - 1, inner)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

/** `@cloud-compute/conformance` has the command `cloud-compute-conformance`. */
function commandName(packageName: string): string {
  return packageName.replace(/^@/, "").replaceAll("/", "-");
}
