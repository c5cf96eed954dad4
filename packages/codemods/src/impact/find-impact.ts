import type { CodePlace, Difference } from "@plumbline/kit/diff";
import { pascalCase, type Api } from "@plumbline/kit/model";
import type { ts } from "ts-morph";
import { createApiNames, formatPart, type ApiPart } from "./api-part.js";
import { openCodeProject } from "./code-project.js";
import type { CodeUse } from "./code-use.js";
import { collectUses } from "./collect-uses.js";
import { createPartReader } from "./part-reader.js";
import { textsOf } from "./schema-places.js";
import { targetsOf, type Target } from "./targets.js";

/** A difference, and the places in code that it concerns. */
export interface Impact<D extends Difference = Difference> {
  readonly difference: D;
  readonly places: readonly CodePlace[];
}

/** What `findImpact` reads. */
export interface ImpactInput<D extends Difference> {
  /** The API that the code uses. */
  readonly old: Api;
  /** The API that it is to use. */
  readonly next: Api;
  readonly differences: readonly D[];
  /** Absolute paths of the files and folders with the code. */
  readonly code: readonly string[];
}

/**
 * Finds the places in TypeScript and JavaScript that differences of an API concern: in code that uses the generated client, or types in the
 * form of openapi-typescript. It follows imports, aliases and types, and runs nothing.
 *
 * @returns an entry for each difference, in the same order
 */
export function findImpact<D extends Difference>(input: ImpactInput<D>): readonly Impact<D>[] {
  const places = new Map<Difference, Map<string, CodePlace>>();
  for (const { difference, use, file, certainty } of findConcernedUses(input)) {
    const placesOfDifference = places.get(difference) ?? new Map<string, CodePlace>();
    places.set(difference, placesOfDifference);
    const place = placeOf(use.node, file, certainty);
    const key = `${place.file}:${place.line}`;
    if (placesOfDifference.get(key)?.certainty !== "certain") placesOfDifference.set(key, place);
  }
  return input.differences.map((difference) => ({ difference, places: [...(places.get(difference)?.values() ?? [])] }));
}

/** A use that a difference concerns. */
export interface ConcernedUse<D extends Difference = Difference> {
  readonly difference: D;
  readonly use: CodeUse;
  readonly file: ts.SourceFile;
  readonly certainty: CodePlace["certainty"];
}

/**
 * Finds the uses that differences concern, file by file.
 *
 * @param others further parts of the API, of which the uses are wanted
 */
export function findConcernedUses<D extends Difference>(
  { old, next, differences, code }: ImpactInput<D>,
  others: readonly Target<D>[] = [],
): readonly ConcernedUse<D>[] {
  const renamedSchemas = new Map(
    differences.flatMap((each) =>
      each.code === "schema-renamed" && each.old && each.new ? [[each.new, each.old] as const] : [],
    ),
  );
  const targets = [
    ...others,
    ...differences.flatMap((difference) => targetsOf(difference, { old, next, renamedSchemas })),
  ];
  if (targets.length === 0) return [];
  const byPart = new Map<string, Target<D>[]>();
  for (const target of targets) {
    const key = formatPart(target.part);
    byPart.set(key, [...(byPart.get(key) ?? []), target]);
  }
  const { checker, files } = openCodeProject(code);
  const names = createApiNames(old);
  const reader = createPartReader(names, { checker, userFiles: new Set(files.map(({ fileName }) => fileName)) });
  const targetNames = wantedNames(targets);
  const removed = targets.filter(({ difference }) => difference.code.endsWith("enum-value-removed"));
  const removedTexts = new Set(removed.map(({ difference }) => (difference.old ?? "").replace(/^"|"$/g, "")));
  const byTexts = new Map<string, ApiPart[]>();
  for (const { part } of removed) {
    const key = keyOfTexts(textsOf(part, old));
    byTexts.set(key, [...(byTexts.get(key) ?? []), part]);
  }
  const search = {
    partsWithTexts: (texts: readonly string[]) => (texts.length === 0 ? [] : (byTexts.get(keyOfTexts(texts)) ?? [])),
    isWantedText: (text: string) => removedTexts.has(text),
    reader,
    names,
    isWanted: (name: string) => targetNames.has(name),
    wantsObjects: targets.some(({ isOfObjects }) => isOfObjects),
  };
  return files
    .filter((file) => !reader.declaresApi(file))
    .flatMap((file) =>
      collectUses(file, search).flatMap((use) =>
        targetsOfUse(use, byPart.get(formatPart(use.part)) ?? []).flatMap(({ difference, check }) => {
          const certainty = check(use, reader);
          return certainty === undefined ? [] : [{ difference, use, file, certainty }];
        }),
      ),
    );
}

function keyOfTexts(texts: readonly string[]): string {
  return JSON.stringify([...new Set(texts)].sort());
}

/** The names that code has to mention for a use of one of the targets. */
function wantedNames(targets: readonly Target[]): ReadonlySet<string> {
  return new Set(
    targets.flatMap(({ part: { kind, owner, path } }) =>
      kind === "operation" || path.length === 0 ? namesOf(owner) : [path.at(-1) ?? ""],
    ),
  );
}

/** The names of a schema, or those of an operation's functions. */
function namesOf(owner: string): readonly string[] {
  const types = ["Request", "Arguments", "Error", "ApiError", "Success", "Filter"].map(
    (ending) => `${pascalCase(owner) ?? owner}${ending}`,
  );
  return ["", "Query", "InfiniteQuery", "Mutation"].map((ending) => `${owner}${ending}`).concat(types, "body");
}

function placeOf(node: ts.Node, file: ts.SourceFile, certainty: CodePlace["certainty"]): CodePlace {
  const start = node.getStart(file);
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const [from, to] = [file.getPositionOfLineAndCharacter(line, 0), file.getLineEndOfPosition(start)];
  return {
    file: file.fileName,
    line: line + 1,
    column: character + 1,
    text: shorten(file.text.slice(from, to).trim()),
    certainty,
  };
}

/** Maximum characters of a line in a report. */
const maxText = 120;

function shorten(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text;
}

/** A field of requests and responses has a difference of each: what is read concerns that of responses, what is written that of requests. */
function targetsOfUse<D extends Difference>({ kind }: CodeUse, targets: readonly Target<D>[]): readonly Target<D>[] {
  const other = kind === "read" ? "request-" : kind === "write" ? "response-" : undefined;
  if (other === undefined) return targets;
  const matching = targets.filter(({ difference: { code } }) => !code.startsWith(other));
  return matching.length > 0 ? matching : targets;
}
