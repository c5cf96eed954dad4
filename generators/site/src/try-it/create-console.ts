import type { GeneratedFile, GeneratorOptions } from "@plumbline/codegen";
import type { Api, Diagnostic } from "@plumbline/model";
import type { SiteConsole } from "../site-context.js";
import { bundleScript, digestOf } from "./bundle-script.js";

export interface ConsoleOptions extends Pick<GeneratorOptions, "generateFiles"> {
  /** The maximum number of operations for which there is a mock. */
  readonly maxOperations: number;
}

/** The scripts of consoles, and what the user should know about them. */
export interface CreatedConsole {
  /** Absent: pages have no console. */
  readonly console: SiteConsole | undefined;
  readonly warnings: readonly Diagnostic[];
}

/** What was created for a model: its warnings are asked for after its files. */
const created = new WeakMap<Api, Promise<CreatedConsole>>();

/** Creates the scripts of consoles: the console, and the mock of the description that it loads. */
export async function createConsole(api: Api, options: ConsoleOptions): Promise<CreatedConsole> {
  const known = created.get(api) ?? create(api, options);
  created.set(api, known);
  return known;
}

async function create(api: Api, { maxOperations, generateFiles }: ConsoleOptions): Promise<CreatedConsole> {
  const count = api.operations.length;
  if (count === 0) return { console: undefined, warnings: [] };
  const script = await bundleScript({ entry: 'import { startConsole } from "./console/console"; startConsole();' });
  if (count > maxOperations) {
    const message = `The console has no mock: the description has ${count} operations, more than ${maxOperations}.`;
    const fix = "Raise the option `maxMockedOperations`, or set `console: false`.";
    return { console: { script, mock: undefined }, warnings: [warningOf(api, message, fix)] };
  }
  try {
    const mock = await bundleMock(generateFiles);
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
import { responses } from "server/src/gen/responses.ts";
import { responseIssues } from "@plumbline/http-runtime";
globalThis.plumblineMock = {
  createMock,
  responseIssues: (operation, response) => responseIssues(response, responses[operation] ?? {}),
};
`;

/** Bundles the mock of a description, the server behind it, and what checks responses. */
async function bundleMock(generateFiles: GeneratorOptions["generateFiles"]): Promise<string> {
  const server = await generateFiles("server", { package: serverName });
  const mock = await generateFiles("mock", { package: "site-mock", config: { server: serverName } });
  return bundleScript({
    entry: mockEntry,
    modules: new Map([...modulesIn("server", server), ...modulesIn("mock", mock)]),
    packages: { [serverName]: "server/src/gen/server.ts" },
  });
}

function modulesIn(folder: string, files: readonly GeneratedFile[]): readonly (readonly [string, string])[] {
  return files.flatMap((file) =>
    file.path.endsWith(".ts") && "text" in file ? [[`${folder}/${file.path}`, file.text] as const] : [],
  );
}
