import { readFileSync } from "node:fs";
import { ts } from "ts-morph";
import type { Api } from "../model/index.js";

/** A position in the model, and the mutations that are possible there. */
export interface MutationSite {
  readonly path: readonly string[];
  readonly change: readonly (readonly [how: string, value: unknown])[];
}

const removed = Symbol("gone");

/** Every position in a model, in order. */
export function findMutationSites(value: unknown, path: readonly string[] = []): readonly MutationSite[] {
  if (typeof value !== "object" || value === null) return [{ path, change: [["is another", anotherValue(value)]] }];
  const isShape = "types" in value;
  const isOptional = (key: string): boolean =>
    Array.isArray(value) ||
    mapProperties.has(path.at(-1) ?? "") ||
    (isShape ? !["types", "origin"].includes(key) : optional.has(key));
  return Object.entries(value).flatMap(([key, each]) => {
    const spot: MutationSite = { path: [...path, key], change: isOptional(key) ? [["is gone", removed]] : [] };
    return [spot, ...findMutationSites(each, [...path, key])];
  });
}

/** Properties whose keys the description chooses. */
const mapProperties: ReadonlySet<string> = new Set([
  "levels",
  "hidden",
  "values",
  "encoding",
  "refs",
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
  "keywords",
]);

function anotherValue(value: unknown): unknown {
  if (typeof value === "string") return `${value}x`;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : "x";
}

/** A copy of the model with another value at a position. */
export function mutateModel(model: Api, path: readonly string[], value: unknown): Api {
  const copy = structuredClone(model) as unknown as Record<string, unknown>;
  let holder: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const last = path.at(-1) ?? "";
  if (value !== removed) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy as unknown as Api;
}

/** The first of the positions whose paths differ only by indexes. */
export function firstOfEachKind(spots: readonly MutationSite[]): readonly MutationSite[] {
  const kindOf = ({ path }: MutationSite): string => path.filter((key) => !/^\d+$/.test(key)).join("/");
  const first = new Map(spots.toReversed().map((spot) => [kindOf(spot), spot] as const));
  return spots.filter((spot) => first.get(kindOf(spot)) === spot);
}

const { optional } = readModelProperties();

/** The properties of the interfaces of the model: all of them, and those that are optional wherever they occur. */
export function readModelProperties(): { readonly all: readonly string[]; readonly optional: ReadonlySet<string> } {
  const file = new URL("../model/api.ts", import.meta.url);
  const source = ts.createSourceFile("api.ts", readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const [present, absent] = [new Set<string>(), new Set<string>()];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node))
      (node.questionToken === undefined ? present : absent).add(node.name.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { all: [...present, ...absent], optional: new Set([...absent].filter((name) => !present.has(name))) };
}
