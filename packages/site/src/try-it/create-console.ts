import type { GeneratedFile, GeneratorOptions } from "@plumbline/kit/codegen";
import { inferResources, isJsonArray, isJsonObject, type Api, type Diagnostic, type Json } from "@plumbline/kit/model";
import type { SiteConsole } from "../site-context.js";
import { bundleScript, digestOf } from "./bundle-script.js";

export interface ConsoleOptions extends Pick<GeneratorOptions, "generateFiles"> {
  /** Whether there is a console. */
  readonly console: boolean;
  /** The maximum number of operations for which there is a mock. */
  readonly maxMockedOperations: number;
  readonly mockData: MockData;
}

/** The objects that exist in the mock from the start, by resource. */
export type MockData = Readonly<Record<string, readonly Json[]>>;

/**
 * Reads the objects of a mock.
 *
 * @throws Error for a text that is not JSON, and for unknown resources.
 */
export function readMockData(api: Api, text: string): MockData {
  const data = JSON.parse(text) as Json;
  const { resources } = api.resources.length > 0 ? api : inferResources(api).api;
  const names = new Set(resources.map(({ name }) => name));
  if (!isJsonObject(data)) throw new Error("The option `mockData` names a file that has no object.");
  return Object.fromEntries(
    Object.entries<Json>(data).map(([resource, objects]) => {
      if (!names.has(resource))
        throw new Error(`The option \`mockData\` has objects of ${resource}, which is not a resource.`);
      return [resource, isJsonArray(objects) ? objects : [objects]] as const;
    }),
  );
}

/** The scripts of consoles, and what the user should know about them. */
export interface CreatedConsole {
  /** Absent: pages have no console. */
  readonly console: SiteConsole | undefined;
  readonly warnings: readonly Diagnostic[];
}

/** What was created last for a model, and for which options: its warnings are asked for after its files. */
const created = new WeakMap<Api, { readonly key: string; readonly result: Promise<CreatedConsole> }>();

/** Creates the scripts of consoles: the console, and the mock of the description that it loads. */
export async function createConsole(api: Api, options: ConsoleOptions): Promise<CreatedConsole> {
  const key = JSON.stringify([options.console, options.maxMockedOperations, options.mockData]);
  const cached = created.get(api);
  if (cached?.key === key) return cached.result;
  const result = create(api, options);
  created.set(api, { key, result });
  return result;
}

async function create(api: Api, options: ConsoleOptions): Promise<CreatedConsole> {
  const { maxMockedOperations: maxOperations, generateFiles, mockData } = options;
  const count = api.operations.length;
  if (count === 0 || !options.console) return { console: undefined, warnings: [] };
  const script = await bundleScript({ entry: 'import { startConsole } from "./console/console"; startConsole();' });
  if (count > maxOperations) {
    const message = `The console has no mock: the description has ${count} operations, more than ${maxOperations}.`;
    const fix = "Raise the option `maxMockedOperations`, or set `console: false`.";
    return { console: { script, mock: undefined }, warnings: [warningOf(api, message, fix)] };
  }
  try {
    const mock = await bundleMock(generateFiles, mockData);
    return { console: { script, mock: { script: mock, digest: digestOf(mock) } }, warnings: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    const message = `The site has no console, because there is no mock of the description: ${reason}`;
    return {
      console: undefined,
      warnings: [warningOf(api, message, "Correct the description, or set `console: false`.")],
    };
  }
}

function warningOf({ origin }: Api, message: string, fix: string): Diagnostic {
  const location = { ...origin, line: 1, column: 1 };
  return { code: "site/no-mock", severity: "warning", origin: location, message, fix };
}

const serverName = "site-server";

/** A classic script has no exports: the console finds these at `plumblineMock`. */
const mockEntry = `import { createMock } from "mock/src/gen/mock.ts";
import { responses } from "server/src/gen/validator/responses.ts";
import { responseIssues } from "@plumbline/server-runtime/http";
import { data } from "data.ts";
globalThis.plumblineMock = {
  createMock,
  data,
  responseIssues: (operation, response) => responseIssues(response, responses[operation] ?? {}),
};
`;

/** Bundles the mock of a description, the server behind it, and what checks responses. */
async function bundleMock(generateFiles: GeneratorOptions["generateFiles"], data: MockData): Promise<string> {
  const server = await generateFiles("server", { package: serverName });
  const mock = await generateFiles("mock", { package: "site-mock", config: { server: serverName } });
  return bundleScript({
    entry: mockEntry,
    modules: new Map([
      ["data.ts", `export const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});`],
      ...modulesIn("server", server),
      ...modulesIn("mock", mock),
    ]),
    packages: { [serverName]: "server/src/gen/server.ts" },
  });
}

function modulesIn(folder: string, files: readonly GeneratedFile[]): readonly (readonly [string, string])[] {
  return files.flatMap((file) =>
    file.path.endsWith(".ts") && "text" in file ? [[`${folder}/${file.path}`, file.text] as const] : [],
  );
}
