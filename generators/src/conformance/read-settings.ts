import path from "node:path";
import { type Api, type Diagnostic, DiagnosticsError, isJsonObject, inferResources } from "@plumbline/kit/model";
import { findNearest, formatPointer, type SourceFile, readSource } from "@plumbline/kit/openapi";
import { errorsOf } from "./cases/errors.js";
import { checkSteps, type StepCheck } from "./check-steps.js";
import { emptySettings, type ConformanceSettings } from "./context/settings.js";

/**
 * Reads `conformance.yaml`, with the keys of `ConformanceSettings`; `requires` of a fixture is optional.
 *
 * @throws DiagnosticsError for unknown keys, operations and requirements.
 */
export async function readConformanceSettings(file: string, api: Api): Promise<ConformanceSettings> {
  const source = await readSource(file, path.dirname(file));
  const settings = recordOf(source.value);
  const diagnostics = checkSettings(settings, source, api);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  // This checks what people get wrong. The runtime checks steps when it runs them.
  return {
    ...emptySettings,
    ...settings,
    actors: fixturesOf(settings["actors"]),
    clock: settings["clock"] === undefined ? undefined : fixturesOf(settings["clock"]),
    fixtures: fixturesOf(settings["fixtures"]),
  } as unknown as ConformanceSettings;
}

function fixturesOf(fixtures: unknown): Settings {
  const complete = ([name, each]: Entry): Entry => [
    name,
    { requires: [], steps: [], ...recordOf(each), ...ownObjects(name, each) },
  ];
  return Object.fromEntries(entriesOf(fixtures).map(complete));
}

function checkSettings(settings: Settings, source: SourceFile, api: Api): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report: StepCheck["report"] = (tokens, message, fix) => {
    const { line, column } = source.locate(tokens);
    const origin = { file: source.name, pointer: formatPointer(tokens), line, column };
    diagnostics.push({ code: "conformance/unknown", severity: "error", origin, message, fix });
  };
  const expectNames = (value: unknown, at: readonly string[], names: readonly string[], noun: string): void => {
    for (const [name] of entriesOf(value))
      if (!names.includes(name)) report([...at, name], `Unknown ${noun} "${name}".`, fixOf(name, names));
  };
  expectNames(settings, [], settingsKeys, "key of the settings of a suite");
  expectNames(settings["actors"], ["actors"], ["user", "token"], "fixture for a caller");
  expectNames(settings["clock"], ["clock"], ["now", "advance", "settle", "hold"], "control of the clock");
  const all = [...api.operations, ...api.operationsWithoutPath];
  const operations = all.map(({ name }) => name);
  expectNames(settings["operations"], ["operations"], operations, "operation");
  for (const [name, each] of entriesOf(settings["operations"]))
    expectNames(each, ["operations", name], acceptedKeys, "key of an accepted request");
  expectNames(settings["filters"], ["filters"], operations, "operation");
  for (const [name, each] of entriesOf(settings["filters"]))
    expectNames(each, ["filters", name], filterKeys, "key of filter items");
  expectNames(settings["errors"], ["errors"], operations, "operation");
  for (const operation of all)
    for (const [id, each] of entriesOf(recordOf(settings["errors"])[operation.name])) {
      const at = ["errors", operation.name];
      const ids = errorsOf(api, operation).map((error) => error.id);
      expectNames({ [id]: each }, at, ids, `error of ${operation.name}`);
      expectNames(each, [...at, id], failingKeys, "key of a failing request");
    }
  const requirements = api.requirements.map(({ id }) => id);
  for (const key of ["also", "untested"]) expectNames(settings[key], [key], requirements, "requirement");
  expectNames(settings["callers"], ["callers"], subjects, "subject of the requirements of security schemes");
  for (const key of ["callers", "also"])
    for (const [name, each] of entriesOf(settings[key]))
      if (!Array.isArray(each)) report([key, name], `"${name}" is not a list.`, `Write [${String(each)}].`);
  for (const [subject, ids] of entriesOf(settings["callers"]))
    for (const [at, id] of (Array.isArray(ids) ? ids.map(String) : []).entries())
      if (!requirements.includes(id))
        report(["callers", subject, String(at)], `Unknown requirement "${id}".`, fixOf(id, requirements));
  const context: StepCheck = {
    report,
    operations,
    needBody: all.flatMap(({ name, requestBody }) => (requestBody?.required === true ? [name] : [])),
    fixtures: [
      ...inferResources(api).api.resources.map(({ name }) => name),
      ...Object.keys(recordOf(settings["fixtures"])),
    ],
    fixOf,
  };
  for (const group of ["fixtures", "actors", "clock"])
    for (const [name, each] of entriesOf(settings[group])) {
      expectNames(each, [group, name], fixtureKeys, "key of a fixture");
      checkSteps(recordOf(each)["steps"], [group, name, "steps"], context);
    }
  for (const [name, each] of entriesOf(settings["operations"]))
    checkSteps(recordOf(each)["before"], ["operations", name, "before"], context);
  for (const [name, errors] of entriesOf(settings["errors"]))
    for (const [id, each] of entriesOf(errors))
      checkSteps(recordOf(each)["before"], ["errors", name, id, "before"], context);
  return diagnostics;
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
const acceptedKeys = "path query headers body before with beside others fixed by requires exclusive".split(" ");

function fixOf(name: string, names: readonly string[]): string {
  const close = findNearest(name, names);
  if (names.length === 0) return "None is defined.";
  return close === undefined ? `Known: ${names.slice(0, 12).join(", ")}.` : `Did you mean ${close}?`;
}

type Settings = Readonly<Record<string, unknown>>;
type Entry = readonly [name: string, value: unknown];

function recordOf(value: unknown): Settings {
  return isJsonObject(value) ? value : {};
}

function entriesOf(value: unknown): readonly Entry[] {
  return Object.entries(recordOf(value));
}
