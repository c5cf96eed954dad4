import { checkSteps, type KnownNames } from "./check-steps.js";
import path from "node:path";
import { errorsOf } from "./cases/errors.js";
import { emptySettings, type ConformanceSettings } from "./context/settings.js";
import { type Api, type Diagnostic, DiagnosticsError, isJsonObject, inferResources } from "@plumbline/kit/model";
import { findNearest, formatPointer, type SourceFile, readSource } from "@plumbline/kit/openapi";

/**
 * Reads `conformance.yaml`, with the keys of `ConformanceSettings`; `requires` of a fixture is optional.
 *
 * @throws DiagnosticsError for unknown keys, operations and requirements.
 */
export async function readConformanceSettings(file: string, api: Api): Promise<ConformanceSettings> {
  const source = await readSource(file, path.dirname(file));
  const diagnostics: Diagnostic[] = [];
  const settings = settingsOf(source, api, diagnostics);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return settings;
}

function settingsOf(source: SourceFile, api: Api, diagnostics: Diagnostic[]): ConformanceSettings {
  const report = (tokens: readonly string[], message: string, fix: string): void => {
    const { line, column } = source.locate(tokens);
    const origin = { file: source.name, pointer: formatPointer(tokens), line, column };
    diagnostics.push({ code: "conformance/unknown", severity: "error", origin, message, fix });
  };
  const known = (given: unknown, at: readonly string[], names: readonly string[], what: string): void => {
    for (const name of Object.keys(isJsonObject(given) ? given : {}))
      if (!names.includes(name)) report([...at, name], `Unknown ${what} "${name}".`, fixOf(name, names));
  };
  const value = isJsonObject(source.value) ? source.value : {};
  known(value, [], settingsKeys, "key of the settings of a suite");
  known(value["actors"], ["actors"], ["user", "token"], "fixture for a caller");
  known(value["clock"], ["clock"], ["now", "advance", "settle", "hold"], "control of the clock");
  const all = [...api.operations, ...api.operationsWithoutPath];
  const operations = all.map(({ name }) => name);
  known(value["operations"], ["operations"], operations, "operation");
  for (const [name, each] of Object.entries(recordOf(value["operations"])))
    known(each, ["operations", name], fittingKeys, "key of an accepted request");
  known(value["filters"], ["filters"], operations, "operation");
  for (const [name, each] of Object.entries(recordOf(value["filters"])))
    known(each, ["filters", name], filterKeys, "key of filter items");
  known(value["errors"], ["errors"], operations, "operation");
  for (const operation of all)
    for (const [id, each] of Object.entries(recordOf(recordOf(value["errors"])[operation.name]))) {
      const at = ["errors", operation.name];
      known(
        { [id]: each },
        at,
        errorsOf(api, operation).map((error) => error.id),
        `error of ${operation.name}`,
      );
      known(each, [...at, id], failingKeys, "key of a failing request");
    }
  const requirements = api.requirements.map(({ id }) => id);
  for (const key of ["also", "untested"]) known(value[key], [key], requirements, "requirement");
  known(value["callers"], ["callers"], subjects, "subject of the requirements of security schemes");
  for (const key of ["callers", "also"])
    for (const [name, each] of Object.entries(recordOf(value[key])))
      if (!Array.isArray(each)) report([key, name], `"${name}" is not a list.`, `Write [${String(each)}].`);
  for (const [subject, ids] of Object.entries(recordOf(value["callers"])))
    for (const [at, id] of (Array.isArray(ids) ? ids.map(String) : []).entries())
      if (!requirements.includes(id))
        report(["callers", subject, String(at)], `Unknown requirement "${id}".`, fixOf(id, requirements));
  const names: KnownNames = {
    operations,
    needBody: all.flatMap(({ name, requestBody }) => (requestBody?.required === true ? [name] : [])),
    fixtures: [
      ...inferResources(api).api.resources.map(({ name }) => name),
      ...Object.keys(recordOf(value["fixtures"])),
    ],
    fixOf,
  };
  for (const group of ["fixtures", "actors", "clock"])
    for (const [name, each] of Object.entries(recordOf(value[group]))) {
      known(each, [group, name], fixtureKeys, "key of a fixture");
      checkSteps(recordOf(each)["steps"], [group, name, "steps"], report, names);
    }
  for (const [name, each] of Object.entries(recordOf(value["operations"])))
    checkSteps(recordOf(each)["before"], ["operations", name, "before"], report, names);
  for (const [name, errors] of Object.entries(recordOf(value["errors"])))
    for (const [id, each] of Object.entries(recordOf(errors)))
      checkSteps(recordOf(each)["before"], ["errors", name, id, "before"], report, names);
  const fixtures = (given: unknown): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(recordOf(given)).map(
        ([name, each]) => [name, { requires: [], steps: [], ...recordOf(each), ...ownObjects(name, each) }] as const,
      ),
    );
  // This checks what people get wrong. The runtime checks steps when it runs them.
  return {
    ...emptySettings,
    ...value,
    actors: fixtures(value["actors"]),
    clock: value["clock"] === undefined ? undefined : fixtures(value["clock"]),
    fixtures: fixtures(value["fixtures"]),
  } as unknown as ConformanceSettings;
}

/** The steps of a fixture such as `Task@done`. The task that it makes is one of its own, since it changes it. */
function ownObjects(name: string, fixture: unknown): { readonly steps?: readonly unknown[] } {
  const { steps } = recordOf(fixture);
  const [resource = ""] = name.split("@");
  if (resource === name || !Array.isArray(steps)) return {};
  const isItself = (each: unknown): boolean => String(recordOf(each)["make"]).split("@")[0] === resource;
  const owned = (each: unknown): unknown => (isItself(each) ? { ...recordOf(each), fresh: true } : each);
  return { steps: steps.map(owned) };
}

const settingsKeys = "actors clock fixtures operations errors filters also callers untested notes".split(" ");
const fixtureKeys = "requires steps outputs".split(" ");
const subjects = "token anonymous scopes grants".split(" ");
const filterKeys = "lesser greater differ later distinct present identifyingField".split(" ");
const failingKeys = "before fails alternatives passes field".split(" ");
const fittingKeys = "path query headers body before with beside others fixed by requires exclusive".split(" ");

function fixOf(name: string, names: readonly string[]): string {
  const close = findNearest(name, names);
  if (names.length === 0) return "None is defined.";
  return close === undefined ? `Known: ${names.slice(0, 12).join(", ")}.` : `Did you mean ${close}?`;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
