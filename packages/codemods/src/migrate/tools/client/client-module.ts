import path from "node:path";
import type { Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";

/** A new file with the one client of all calls, for tools whose functions have no argument for it. */
export interface ClientModule {
  /** Imports the client into a file, and returns its name there. */
  readonly client: (file: ts.SourceFile) => string;
  /** Imports the function that changes its options. */
  readonly configure: (file: ts.SourceFile) => string;
  /** Whether a declaration is that function. */
  readonly isConfigure: (declaration: ts.Declaration | undefined) => boolean;
}

/** What is in the new file, and where it is. */
export interface ClientModuleOptions {
  /** The folder of the file. */
  readonly folder: string;
  readonly api: Api;
  /** The generated package. */
  readonly target: string;
}

/** Adds the file, on its first use. */
export function createClientModule({ folder, api, target }: ClientModuleOptions, recorder: CodeRecorder): ClientModule {
  const candidates = ["api-client.ts", "generated-client.ts"].map((each) => path.posix.join(folder, each));
  // One of an earlier run is used again.
  const module = candidates.find((each) => /^(?!.)|function configureClient\(/.test(ts.sys.readFile(each) ?? "")) ?? "";
  const importFrom = (file: ts.SourceFile, imported: string): string => {
    recorder.addFile(module, moduleText(api, recorder.moduleFor(module, target)));
    return recorder.importName(file, { imported, isType: false, module });
  };
  return {
    client: (file) => importFrom(file, "client"),
    configure: (file) => importFrom(file, "configureClient"),
    isConfigure: (declaration) =>
      declaration?.getSourceFile().fileName === module && ts.isFunctionDeclaration(declaration),
  };
}

function moduleText({ servers }: Api, module: string): string {
  const isAbsolute = /^https?:\/\//.test(servers[0]?.url ?? "");
  const start = `import { createClient, type Client, type ClientOptions } from ${JSON.stringify(module)};\n\n`;
  if (isAbsolute)
    return `${start}/** The client of all calls. */
export let client: Client = createClient();

/** Changes options of all calls from now on. Headers are added to those that there are. */
export function configureClient(options: ClientOptions): void {
  const before = client.options();
  client = createClient({ ...before, ...options, headers: { ...before.headers, ...options.headers } });
}
`;
  return `${start}let options: ClientOptions = { baseUrl: "/" };

/** The client of all calls. */
export let client: Client = createClient(options);

/** Changes options of all calls from now on. Headers are added to those that there are. */
export function configureClient(changes: Partial<ClientOptions>): void {
  options = { ...options, ...changes, headers: { ...options.headers, ...changes.headers } };
  client = createClient(options);
}
`;
}
