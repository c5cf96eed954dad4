import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, join, key, literal, print, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Limit, Operation } from "../model/api.js";
import { fieldAt } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { camelCase } from "../model/names.js";
import { ProblemError, type Problem } from "../problem.js";
import { emitExpression } from "./expressions.js";
import { keyOf, printedLimit, type Printed } from "./limit-kinds.js";
import { $serverType } from "./runtime.js";
import { statedLimits, type StatedLimit } from "./stated-limits.js";
import { member } from "./table.js";

/** Emits `limits.ts`: the limits by name, and those that apply to each operation. */
export function emitLimits(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const all = namedLimits(api, options);
  const members = all.map(
    ({ name, stated, printed }) =>
      code`${comment([printed.says, "", `From ${options.source(stated.limit.origin)}`])}\nreadonly ${key(name)}: ${printed.type};`,
  );
  const entries = all.map(({ name, printed }) => code`${key(name)}: ${literal(printed.data)}`);
  const operations = [...api.operations, ...api.linked].flatMap((operation) => {
    const asked = askedBefore(operation, all, api);
    return asked.length === 0
      ? []
      : [member(operation.name, code`{ ${join(asked, code`, `)} }`, $serverType("OperationLimits"))];
  });
  const statements = [
    code`/** The limits that the server enforces. */\nexport interface Limits {\n${members}\n}`,
    code`export const limits: Limits = { ${join(entries, code`, `)} };`,
    code`/** The limits of each operation, by name. */
export const operationLimits: Readonly<Record<string, ${$serverType("OperationLimits")}>> = { ${join(operations, code`, `)} };`,
  ];
  return [{ path: "src/gen/limits.ts", text: print(statements, banner, ["Limits", "limits", "operationLimits"]) }];
}

interface NamedLimit {
  readonly name: string;
  readonly stated: StatedLimit;
  readonly printed: Printed;
}

/** @throws A ProblemError with every limit whose id is not a usable name, or whose schema has no name. */
function namedLimits(api: Api, { locate }: ArtifactOptions): readonly NamedLimit[] {
  const ids = new Map<string, string>();
  const problems: Problem[] = [];
  const named = statedLimits(api).flatMap((stated) => {
    const printed = printedLimit(stated);
    if (printed === undefined) return [];
    const { id, kind, origin } = stated.limit;
    const report = (what: string, message: string, fix: string): void =>
      void problems.push({ code: what, severity: "error", origin: locate(origin), message, fix });
    const name = camelCase(id) ?? "";
    const other = ids.get(name);
    ids.set(name, id);
    if (name === "") report("names/unusable", `No name can be derived from the limit "${id}".`, "Give it another id.");
    else if (other !== undefined)
      report("names/collision", `The limits "${other}" and "${id}" are both called ${name}.`, "Give one another id.");
    if (kind === "unique" && stated.resource === undefined)
      report(
        "names/unusable",
        `The limit "${id}" does not belong to a named schema.`,
        "Put it on the schema of the resource.",
      );
    return [{ name, stated, printed }];
  });
  if (problems.length > 0) throw new ProblemError(problems);
  return named;
}

function askedBefore(operation: Operation, all: readonly NamedLimit[], api: Api): readonly Code[] {
  const own = all.filter(({ stated }) => operation.limits.some(({ id }) => id === stated.limit.id));
  const counted = (kind: Limit["kind"]): readonly Code[] =>
    own
      .filter(({ stated }) => stated.limit.kind === kind)
      .map(({ name, stated: { limit } }) => {
        const per = limit.per === undefined ? code`` : code`, per: ${emitExpression(limit.per)}`;
        return code`{ limit: limits.${key(name)}${per} }`;
      });
  const outcomes = own
    .filter(({ stated }) => stated.limit.kind === "outcome-rate")
    .map(({ name, stated: { limit } }) => {
      const per = limit.per === undefined ? code`` : code`, per: ${emitExpression(limit.per)}`;
      const { errors = [], effects = [] } = limit.counts ?? {};
      const reached = limit.reached === undefined ? code`` : code`, isReached: true`;
      return code`{ limit: limits.${key(name)}${per}, errors: ${literal(errors)}, effects: ${literal(effects)}${reached} }`;
    });
  const renewed = all
    .filter(({ stated: { limit } }) => limit.since?.some((id) => hasEffect(operation, id)))
    .map(({ name, stated: { limit } }) => {
      const per = limit.per === undefined ? code`` : code`, per: ${emitExpression(limit.per)}`;
      return code`{ limit: limits.${key(name)}${per}, effects: ${literal(limit.since ?? [])} }`;
    });
  const unique = all
    .filter(({ stated }) => isKept(stated, operation, api))
    .map(({ name }) => code`limits.${key(name)}`);
  const bytes = own.find(({ stated }) => stated.limit.kind === "bytes");
  return [
    ...listed("rates", counted("rate")),
    ...listed("outcomes", outcomes),
    ...listed("renewed", renewed),
    ...listed("concurrency", counted("concurrency")),
    ...listed("unique", unique),
    ...(bytes === undefined ? [] : [code`bytes: limits.${key(bytes.name)}`]),
  ];
}

/** Returns the effects of an operation that limits count or start from. The handler reports which of them a request had. */
export function countedEffects(api: Api, operation: Operation): readonly string[] {
  const named = effectsOfLimits(api);
  return operation.effects.map(({ id }) => id).filter((id) => named.has(id));
}

/** Memoized by API, since it is needed for each operation. */
function effectsOfLimits(api: Api): ReadonlySet<string> {
  const known = effectsByApi.get(api);
  if (known !== undefined) return known;
  const limits = [...api.operations, ...api.linked].flatMap((each) => each.limits);
  const named = new Set(limits.flatMap(({ counts, since }) => [...(counts?.effects ?? []), ...(since ?? [])]));
  effectsByApi.set(api, named);
  return named;
}

const effectsByApi = new WeakMap<Api, ReadonlySet<string>>();

function hasEffect({ effects }: Operation, id: string): boolean {
  return effects.some((effect) => effect.id === id);
}

function listed(what: string, entries: readonly Code[]): readonly Code[] {
  return entries.length === 0 ? [] : [code`${key(what)}: [${join(entries, code`, `)}]`];
}

/** Returns the unique keys that some operation checks. */
export function askedKeys(api: Api): readonly StatedLimit[] {
  const all = [...api.operations, ...api.linked];
  return statedLimits(api).filter(
    (stated) => stated.resource !== undefined && all.some((operation) => isKept(stated, operation, api)),
  );
}

/** True if an operation can respond with the error of a unique key, and its body contains all fields of the key. */
function isKept(stated: StatedLimit, operation: Operation, api: Api): boolean {
  const { kind, error, within } = stated.limit;
  const body = jsonContent(operation.body?.contents ?? [])?.shape;
  const fields = keyOf(stated);
  if (kind !== "unique" || within === "array" || error === undefined || body === undefined || fields.length === 0)
    return false;
  const fails = [...operation.failures, ...api.failures].some(({ id }) => id === error);
  return fails && fields.every((field) => fieldAt(api, body, field.split("/")) !== undefined);
}
