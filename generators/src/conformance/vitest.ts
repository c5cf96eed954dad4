import {
  code,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  printSourceFile,
  type Code,
  type TextFile,
} from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";

/** Emits the entry points for tests: `vitest.ts`, and `matchers.ts`, which imports no test framework. */
export function emitTestModules(api: Api, { hasScenarios }: { readonly hasScenarios: boolean }): readonly TextFile[] {
  return [
    { path: "src/gen/matchers.ts", text: printSourceFile(matcherStatements(api)) },
    { path: "src/gen/vitest.ts", text: printSourceFile(vitestStatements(hasScenarios)) },
  ];
}

/** The versions of Vitest that merge `Matchers`. */
export const vitestVersionRange = ">=3.2.0";

const runtime = "@plumbline/conformance-runtime";
const suite = importValue("suite", "./suite.js");

function matcherStatements(api: Api): readonly Code[] {
  const options = importType("MatchOptions", `${runtime}/matchers`);
  const returned = importType("MatchReturn", `${runtime}/matchers`);
  return [
    code`/** The operations of the description. */\nexport type OperationName = ${unionOf(api.operations.map(({ name }) => name))};`,
    code`/** The named schemas of the description. */\nexport type SchemaName = ${unionOf(api.schemas.map(({ name }) => name))};`,
    code`/** Matchers for \`expect.extend\` of Vitest and Jest. */
export const operationMatchers: ${importType("OperationMatcherFunctions", `${runtime}/matchers`)} = ${importValue("createOperationMatchers", `${runtime}/matchers`)}(${suite});`,
    code`/** The methods of \`expect(received)\` after \`expect.extend(operationMatchers)\`. */
export interface OperationMatchers<Received = unknown> {
  /**
   * Checks the status, the media type, the headers and the body of a response of an operation.
   *
   * @returns A promise for a response that is not read yet, such as that of \`fetch\`. Await it.
   */
  toMatchOperation(operation: OperationName, options?: ${options}): ${returned}<Received>;
  /** Checks a value by a named schema of the description. */
  toMatchSchema(schema: SchemaName, options?: Pick<${options}, "strict">): void;
}`,
  ];
}

function vitestStatements(hasScenarios: boolean): readonly Code[] {
  const ofVitest = (name: string): Code => importValue(name, "vitest");
  const options = importType("ConformanceTestOptions", `${runtime}/testing`);
  const testOptions = hasScenarios
    ? code`{ scenarios: ${importValue("scenarios", "../scenarios/index.js")}, ...options }`
    : code`options`;
  return [
    code`declare module "vitest" {
  interface Matchers<T> extends ${importType("OperationMatchers", "./matchers.js")}<T> {}
}`,
    code`/** Registers each case of the suite as a test: \`describe(tag)\`, \`describe(operation)\`, \`test(title)\`. */
export function defineConformanceTests(options: ${options} = {}): void {
  ${importValue("registerConformanceTests", `${runtime}/testing`)}(${suite}, ${testOptions}, {
    describe: (name, define) => void ${ofVitest("describe")}(name, define),
    test: (name, run, timeout) => ${ofVitest("test")}(name, { timeout }, run),
    afterAll: (clean, timeout) => ${ofVitest("afterAll")}(clean, timeout),
  });
}`,
    code`export type { ${options} };`,
    code`export * from "./matchers.js";`,
  ];
}

function unionOf(names: readonly string[]): Code {
  return names.length === 0 ? code`never` : joinCode(names.map(jsonLiteral), code` | `);
}
