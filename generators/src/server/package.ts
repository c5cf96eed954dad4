import {
  emitPackageFiles,
  type GeneratedFile,
  escapeProse,
  describeUncheckedPatterns,
  printUncheckedPatterns,
  readTemplate,
  type ArtifactOptions,
} from "@plumbline/kit/codegen";
import { runtimeVersionRange, serverRuntime } from "@plumbline/kit/codegen/validation";
import { type Api, collectFilterFields, schemasByName, storedResources } from "@plumbline/kit/model";
import { serverEntries } from "./adapters.js";
import { handlerTypeNames, handlerInputTypeName } from "./handlers.js";
import { hasCursors, listFunctions } from "./responses/lists.js";
import { responseTypeName } from "./responses/response-types.js";
import { basePathsOf } from "./server.js";
import { stateMachineNames } from "./state-machines/state-machines.js";
import type { ImportedValidator } from "./validator.js";

const readmeTemplate = readTemplate(new URL("../../templates/server/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitServerPackage(
  api: Api,
  options: ArtifactOptions,
  validator: ImportedValidator,
): readonly GeneratedFile[] {
  return emitPackageFiles(api, options, {
    description: (title) => `Server stubs for the ${title}`,
    keyword: "server",
    entries: {
      ".": "index",
      "./types": "gen/types",
      ...Object.fromEntries(Object.keys(serverEntries).map((each) => [`./${each}`, `gen/${each}`])),
    },
    dependencies: { [serverRuntime]: runtimeVersionRange },
    ...(validator.package === undefined ? {} : { siblings: [validator.package] }),
    index: index(api),
    readme: { template: readmeTemplate, data: { ...readmeData(api), validator: validator.package } },
  });
}

/**
 * Returns the text of the entry point. Its exports shadow types of the description with the same name, which remain
 * available from `/types`.
 */
function index(api: Api): string {
  const { handlers, server, states } = exportedTypes(api);
  const stateMachines = api.stateMachines.map((each) => stateMachineNames(each, api).constant);
  const shadowing = (types: readonly string[], file: string): readonly string[] => {
    const hidden = types.filter((name) => schemasByName(api).get(name) !== undefined);
    return hidden.length === 0 ? [] : [`export type { ${hidden.join(", ")} } from "./gen/${file}.js";`];
  };
  return [
    `export { ${["createServer", ...server.map((name) => `type ${name}`)].join(", ")} } from "./gen/server.js";`,
    `export type * from "./gen/handlers.js";`,
    ...shadowing(handlers, "handlers"),
    `export { errors, type Errors, NotImplementedError } from "./gen/errors.js";`,
    `export { limits, type Limits } from "./gen/limits.js";`,
    `export { ${["filterable", ...listFunctions(api), "type Filterable"].join(", ")} } from "./gen/lists.js";`,
    ...(stateMachines.length === 0
      ? []
      : [
          `export { ${stateMachines.join(", ")} } from "./gen/states.js";`,
          `export type * from "./gen/states.js";`,
          ...shadowing(states, "states"),
        ]),
    `export type * from "./gen/types.js";`,
    printUncheckedPatterns(api),
  ].join("\n");
}

/** The names of types that the entry point exports, by their file. */
function exportedTypes(api: Api): Readonly<Record<"handlers" | "server" | "states", readonly string[]>> {
  const all = [...api.operations, ...api.operationsWithoutPath];
  return {
    handlers: [...handlerTypeNames, ...all.flatMap((each) => [handlerInputTypeName(each), responseTypeName(each)])],
    server: [
      "PartialServerOptions",
      "ServerOptions",
      ...(storedResources(api).length === 0 ? [] : ["ResourceLoaders"]),
    ],
    states: api.stateMachines.flatMap((each) => stateMachineNames(each, api).types),
  };
}

function readmeData(api: Api): object {
  const read = api.operations.find(
    ({ method, parameters }) => method === "GET" && !parameters.some((each) => each.required),
  );
  const filtered = api.operations.find((operation) => collectFilterFields(api, operation).length > 0);
  return {
    runtime: serverRuntime,
    basePath: basePathsOf(api)[0] ?? "",
    operation: read && { name: read.name, path: escapeProse(read.path) },
    list: filtered && { name: filtered.name, hasCursors: hasCursors(api) },
    unchecked: describeUncheckedPatterns(api),
  };
}
