import { type ArtifactOptions, code, type GeneratedFile, importType } from "@plumbline/kit/codegen";
import { CheckFile, objectLiteral } from "@plumbline/kit/codegen/conditions";
import { checkFunction } from "@plumbline/kit/codegen/validation";
import type { Api, NamedSchema } from "@plumbline/kit/model";
import * as serverRuntime from "@plumbline/server-runtime";
import type { Mock, MockDefinition, MockOptions } from "@plumbline/server-runtime/mock";
import * as mockRuntime from "@plumbline/server-runtime/mock";
import type { Check } from "@plumbline/server-runtime/validator";
import * as validatorRuntime from "@plumbline/server-runtime/validator";
import * as patternRuntime from "@plumbline/server-runtime/validator/patterns";
import { inMemoryOptions } from "../generate/generate-in-memory.js";
import { loadGenerator } from "../generate/load-generator.js";
import { evaluateModules, type ModuleExports } from "./evaluate-modules.js";

/** The packages that generated servers and mocks import. */
const externals: Readonly<Record<string, ModuleExports>> = {
  "@plumbline/server-runtime/mock": mockRuntime,
  "@plumbline/server-runtime": serverRuntime,
  "@plumbline/server-runtime/validator": validatorRuntime,
  "@plumbline/server-runtime/validator/patterns": patternRuntime,
};

const serverName = "mocked-server";

/** A mock that is generated and evaluated. */
export interface GeneratedMock {
  /** Creates a mock. Several ones share nothing. */
  readonly createMock: (options?: MockOptions) => Mock;
  readonly definition: MockDefinition;
  /** Functions that check the values of objects, by resource. Empty without `withChecks`. */
  readonly checks: Readonly<Record<string, Check>>;
}

export interface GenerateMockOptions extends Pick<ArtifactOptions, "locate"> {
  /** Whether to generate functions that check objects, too. Default: false. */
  readonly withChecks?: boolean;
}

/**
 * Generates the server and the mock of a model, and evaluates both in this process. Nothing is written.
 *
 * @throws DiagnosticsError for what the generators reject.
 */
export async function generateMock(
  api: Api,
  { locate, withChecks = false }: GenerateMockOptions,
): Promise<GeneratedMock> {
  const serverOptions = inMemoryOptions({ api, locate }, { package: serverName });
  const mockOptions = inMemoryOptions({ api, locate }, { package: "described-mock", config: { server: serverName } });
  const [server, mock] = await Promise.all(
    (["server", "mock"] as const).map((kind) => loadGenerator({ kind, generator: undefined }, "")),
  );
  if (server === undefined || mock === undefined) throw new TypeError("The generators are missing.");
  const schemas = withChecks ? (((await mock.data?.(api, mockOptions)) ?? []) as readonly NamedSchema[]) : [];
  const texts = new Map([
    ...textsIn("server", await server.files(api, serverOptions)),
    ...textsIn("mock", [...(await mock.files(api, mockOptions)), emitChecks(api, schemas, serverOptions)]),
  ]);
  const load = async (entry: string, others: Readonly<Record<string, ModuleExports>> = {}): Promise<ModuleExports> =>
    evaluateModules(entry, { texts, externals: { ...externals, ...others } });
  const evaluated = await load("mock/src/gen/mock.ts", { [serverName]: await load("server/src/gen/server.ts") });
  const { definition } = await load("mock/src/gen/definition.ts");
  const { checks } = withChecks ? await load("mock/src/gen/checks.ts") : { checks: {} };
  return {
    createMock: evaluated["createMock"] as GeneratedMock["createMock"],
    definition: definition as MockDefinition,
    checks: checks as GeneratedMock["checks"],
  };
}

/** Emits a function for each resource that checks its objects. */
function emitChecks(api: Api, schemas: readonly NamedSchema[], options: ArtifactOptions): GeneratedFile {
  const withObjects = { ...api, schemas: [...api.schemas, ...schemas.filter(({ name }) => name.startsWith("/"))] };
  const file = new CheckFile(withObjects, options, ["checks"]);
  const checks = schemas.map(
    ({ name, schema }) => [name, checkFunction(file.context, schema, `object ${name}`)] as const,
  );
  const type = importType("Check", "@plumbline/server-runtime/validator");
  return file.print("src/gen/checks.ts", [
    code`export const checks: Record<string, ${type}> = ${objectLiteral(Object.fromEntries(checks))};`,
  ]);
}

function textsIn(folder: string, files: readonly GeneratedFile[]): readonly (readonly [string, string])[] {
  return files.flatMap((file) =>
    file.path.endsWith(".ts") && "text" in file ? [[`${folder}/${file.path}`, file.text] as const] : [],
  );
}
