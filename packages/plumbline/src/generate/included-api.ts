import path from "node:path";
import {
  type Api,
  type Diagnostic,
  DiagnosticsError,
  includeOperations,
  memoizeByKey,
  type Operation,
} from "@plumbline/kit/model";
import { didYouMean } from "@plumbline/kit/openapi";
import type { ArtifactConfig } from "../config/config.js";
import type { IncludeConfig, IncludeKey } from "../config/include.js";

/**
 * Returns the model of an artifact: the operations that its `include` names, or else all of them.
 *
 * @throws DiagnosticsError for names that no operation has.
 */
export function includedApi(
  artifact: Pick<ArtifactConfig, "include" | "location">,
  { api, folder }: { readonly api: Api; readonly folder: string },
): Api {
  const { include, location } = artifact;
  if (include === undefined) return api;
  return restrictedApi(api, include, () => {
    const all = [...api.operations, ...api.operationsWithoutPath];
    const file = path
      .relative(folder, location?.path ?? folder)
      .split(path.sep)
      .join("/");
    const diagnostics = lists.flatMap((list) => unknownNames(list, { all, include, file }));
    if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
    const isIncluded = (operation: Operation): boolean =>
      lists.some(({ key, includes }) => include[key].some(({ name }) => includes(name, operation)));
    return includeOperations(api, all.filter(isIncluded));
  });
}

const restrictedApi = memoizeByKey<IncludeConfig, Api>();

/** One of the lists in `include`. */
interface List {
  readonly key: IncludeKey;
  readonly noun: string;
  readonly valueOf: (operation: Operation) => string;
  readonly includes: (name: string, operation: Operation) => boolean;
}

const lists: readonly List[] = [
  { key: "tags", noun: "tag", valueOf: ({ tag }) => tag, includes: (name, { tag }) => name === tag },
  {
    key: "operations",
    noun: "operation",
    valueOf: (operation) => operation.name,
    includes: (name, operation) => name === operation.name,
  },
  { key: "paths", noun: "path", valueOf: (operation) => operation.path, includes: includesPath },
];

/** Operations without a path have the empty one, which no pattern includes. */
function includesPath(pattern: string, operation: Operation): boolean {
  const segments = operation.path.split("/");
  const expected = pattern.replace(/\/\*\*$/, "").split("/");
  const hasRest = pattern.endsWith("/**");
  if (operation.path === "" || (hasRest ? segments.length < expected.length : segments.length !== expected.length))
    return false;
  return expected.every((each, index) => each === "*" || each === segments[index]);
}

function unknownNames(
  { key, noun, valueOf, includes }: List,
  {
    all,
    include,
    file,
  }: { readonly all: readonly Operation[]; readonly include: IncludeConfig; readonly file: string },
): readonly Diagnostic[] {
  return include[key]
    .filter(({ name }) => !all.some((operation) => includes(name, operation)))
    .map(({ name, location }) => ({
      code: "config/value",
      severity: "error",
      origin: { ...location, file },
      message: key === "operations" ? `There is no operation "${name}".` : `No operation has the ${noun} "${name}".`,
      fix: didYouMean(
        name,
        all.map(valueOf).filter((each) => each !== ""),
        `${noun}s`,
      ),
    }));
}
