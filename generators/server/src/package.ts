import {
  emitPackageFiles,
  type GeneratedFile,
  escapeProse,
  describeUncheckedPatterns,
  printUncheckedPatterns,
  readTemplate,
  type ArtifactOptions,
} from "@plumbline/codegen";
import { validatorRuntime, runtimeVersionRange as validatorRuntimeVersion } from "@plumbline/codegen/validation";
import { type Api, storedResources } from "@plumbline/model";
import { handlerTypeNames, handlerInputTypeName } from "./handlers.js";
import { serverEntries } from "./adapters.js";
import { hasUniformPagination } from "./responses/lists.js";
import { stateMachineNames } from "./state-machines/state-machines.js";
import { responseTypeName } from "./responses/response-types.js";
import { serverRuntime, serverRuntimeVersion } from "./runtime.js";
import { basePathsOf } from "./server.js";
import type { ImportedValidator } from "./validator.js";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

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
    dependencies: { [serverRuntime]: serverRuntimeVersion, [validatorRuntime]: validatorRuntimeVersion },
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
  const all = [...api.operations, ...api.operationsWithoutPath];
  const types = [
    ...handlerTypeNames,
    ...all.flatMap((each) => [handlerInputTypeName(each), responseTypeName(each)]),
  ].toSorted();
  const server = [
    "createServer",
    "type PartialServerOptions",
    "type ServerOptions",
    ...(storedResources(api).length === 0 ? [] : ["type ResourceLoaders"]),
  ];
  const stateMachines = api.stateMachines.flatMap((each) => {
    const [stateMachine, ...schemas] = stateMachineNames(each);
    return [stateMachine, ...schemas.map((schema) => `type ${schema}`)];
  });
  return [
    `export { ${server.join(", ")} } from "./gen/server.js";`,
    `export type { ${types.join(", ")} } from "./gen/handlers.js";`,
    `export { errors, type Errors, NotImplementedError } from "./gen/errors.js";`,
    `export { limits, type Limits } from "./gen/limits.js";`,
    `export { filterable, ${hasUniformPagination(api) ? "page, " : ""}type Filterable } from "./gen/lists.js";`,
    ...(stateMachines.length === 0 ? [] : [`export { ${stateMachines.join(", ")} } from "./gen/states.js";`]),
    `export type * from "./gen/types.js";`,
    printUncheckedPatterns(api),
  ].join("\n");
}

function readmeData(api: Api): object {
  const read = api.operations.find(
    ({ method, parameters }) => method === "GET" && !parameters.some((each) => each.required),
  );
  return {
    runtime: serverRuntime,
    basePath: basePathsOf(api)[0] ?? "",
    operation: read && { name: read.name, path: escapeProse(read.path) },
    unchecked: describeUncheckedPatterns(api),
  };
}
