import path from "node:path";
import { failuresOf } from "./conformance/errors.js";
import { noSettings, type Settings } from "./conformance/settings.js";
import type { Api } from "./model/api.js";
import { nearest } from "./spec/nearest.js";
import { ProblemError, type Problem } from "./problem.js";
import { pointerOf, type SourceFile } from "./spec/place.js";
import { readSource } from "./spec/source.js";

/**
 * Reads `conformance.yaml`, whose form is `Settings`; a recipe's `needs` may be left out. Throws a ProblemError for keys, operations,
 * recipes and requirements that are not known.
 */
export async function readSettings(file: string, api: Api): Promise<Settings> {
  const source = await readSource(file, path.dirname(file));
  const problems: Problem[] = [];
  const settings = settingsOf(source, api, problems);
  if (problems.length > 0) throw new ProblemError(problems);
  return settings;
}

function settingsOf(source: SourceFile, api: Api, problems: Problem[]): Settings {
  const report = (tokens: readonly string[], message: string, fix: string): void => {
    const { line, column } = source.locate(tokens);
    const origin = { file: source.name, pointer: pointerOf(tokens), line, column };
    problems.push({ code: "conformance/unknown", severity: "error", origin, message, fix });
  };
  const known = (given: unknown, at: readonly string[], names: readonly string[], what: string): void => {
    for (const name of Object.keys(isRecord(given) ? given : {}))
      if (!names.includes(name)) report([...at, name], `"${name}" is no ${what}.`, fixOf(name, names));
  };
  const value = isRecord(source.value) ? source.value : {};
  known(value, [], settingsKeys, "part of the settings of a suite");
  known(value["actors"], ["actors"], ["user", "token"], "recipe for a caller");
  known(value["clock"], ["clock"], ["now", "advance", "settle", "hold"], "control of the clock");
  const operations = [...api.operations, ...api.linked].map(({ name }) => name);
  known(value["operations"], ["operations"], operations, "operation");
  for (const [name, each] of Object.entries(recordOf(value["operations"])))
    known(each, ["operations", name], fittingKeys, "part of a fitting request");
  known(value["filters"], ["filters"], operations, "operation");
  for (const [name, each] of Object.entries(recordOf(value["filters"])))
    known(each, ["filters", name], filterKeys, "part of two items that are told apart");
  known(value["errors"], ["errors"], operations, "operation");
  for (const operation of [...api.operations, ...api.linked])
    for (const [id, each] of Object.entries(recordOf(recordOf(value["errors"])[operation.name]))) {
      const at = ["errors", operation.name];
      known(
        { [id]: each },
        at,
        failuresOf(api, operation).map((failure) => failure.id),
        `error of ${operation.name}`,
      );
      known(each, [...at, id], failingKeys, "part of how a failure comes about");
    }
  const requirements = api.requirements.map(({ id }) => id);
  for (const key of ["also", "untested"]) known(value[key], [key], requirements, "requirement");
  known(value["callers"], ["callers"], subjects, "subject of the requirements of security schemes");
  for (const key of ["callers", "also"])
    for (const [name, each] of Object.entries(recordOf(value[key])))
      if (!Array.isArray(each)) report([key, name], `"${name}" has no list.`, `Write [${String(each)}].`);
  for (const [subject, ids] of Object.entries(recordOf(value["callers"])))
    for (const [at, id] of (Array.isArray(ids) ? ids.map(String) : []).entries())
      if (!requirements.includes(id))
        report(["callers", subject, String(at)], `"${id}" is no requirement.`, fixOf(id, requirements));
  const recipes = (given: unknown): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(recordOf(given)).map(
        ([name, each]) => [name, { needs: [], steps: [], ...recordOf(each) }] as const,
      ),
    );
  // The form is checked as far as a person goes wrong; what a step says is judged when it is run.
  return {
    ...noSettings,
    ...value,
    actors: recipes(value["actors"]),
    clock: value["clock"] === undefined ? undefined : recipes(value["clock"]),
    recipes: recipes(value["recipes"]),
  } as unknown as Settings;
}

const settingsKeys = "actors clock recipes operations errors filters also callers untested".split(" ");
const subjects = "token anonymous scopes grants".split(" ");
const filterKeys = "lesser greater differ later distinct present alone".split(" ");
const failingKeys = "before fails others passes field".split(" ");
const fittingKeys = "path query headers body before with beside judged by needs alone".split(" ");

function fixOf(name: string, names: readonly string[]): string {
  const close = nearest(name, names);
  if (names.length === 0) return "There is none.";
  return close === undefined ? `Known: ${names.slice(0, 12).join(", ")}.` : `Did you mean ${close}?`;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
