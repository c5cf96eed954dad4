import {
  type TextFile,
  code,
  docComment,
  joinCode,
  propertyKey,
  jsonLiteral,
  printSourceFile,
  type Code,
  type ArtifactOptions,
} from "@plumbline/kit/codegen";
import { emitExpression, tableMember } from "@plumbline/kit/codegen/conditions";
import {
  type Api,
  camelCase,
  codePhrase,
  type CollectedLimit,
  collectLimits,
  describeLimit,
  type Diagnostic,
  DiagnosticsError,
  expressionContext,
  findField,
  findJsonContent,
  type Limit,
  type LimitKind,
  type Operation,
  phrase,
  toMarkdown,
  toSentence,
  uniqueKeyFields,
} from "@plumbline/kit/model";
import { serverType } from "../runtime.js";
import { printLimit, type PrintedLimit } from "./limit-kinds.js";

/** Emits `limits.ts`: the limits by name, and those that apply to each operation. */
export function emitServerLimits(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const all = namedLimits(api, options);
  const members = all.map(
    ({ name, collected, printed }) =>
      code`${docComment([summaryOf(api, collected), "", `From ${options.source(collected.limit.origin)}`])}\nreadonly ${propertyKey(name)}: ${printed.type};`,
  );
  const entries = all.map(({ name, printed }) => code`${propertyKey(name)}: ${jsonLiteral(printed.data)}`);
  const operations = [...api.operations, ...api.operationsWithoutPath].flatMap((operation) => {
    const limits = limitMembers(operation, all, api);
    return limits.length === 0
      ? []
      : [tableMember(operation.name, code`{ ${joinCode(limits, code`, `)} }`, serverType("OperationLimits"))];
  });
  const statements = [
    code`/** The limits that the server enforces. */\nexport interface Limits {\n${members}\n}`,
    code`export const limits: Limits = { ${joinCode(entries, code`, `)} };`,
    code`/** The limits of each operation, by name. */
export const operationLimits: Readonly<Record<string, ${serverType("OperationLimits")}>> = { ${joinCode(operations, code`, `)} };`,
  ];
  return [
    {
      path: "src/gen/limits.ts",
      text: printSourceFile(statements, ["Limits", "limits", "operationLimits"]),
    },
  ];
}

function summaryOf(api: Api, collected: CollectedLimit): string {
  const { id, kind, error, per } = collected.limit;
  const user = [...api.operations, ...api.operationsWithoutPath].find(({ limits }) =>
    limits.some((each) => each.id === id),
  );
  const words = describeLimit(collected, user && expressionContext(api, user));
  const isPerUser = per === undefined && countedKinds.has(kind);
  const failure =
    error === undefined ? [] : phrase`; ${excessWords[kind] ?? "one more"} fails with ${codePhrase(error)}`;
  return toMarkdown(toSentence(phrase`${words}${isPerUser ? " per user" : ""}${failure}`));
}

/** What is too much, if it is not one more of something. */
const excessWords: Readonly<Partial<Record<LimitKind, string>>> = { unique: "another", bytes: "more" };

/** The runtime counts these per user unless they say otherwise. */
const countedKinds: ReadonlySet<LimitKind> = new Set(["rate", "outcome-rate", "concurrency"]);

interface NamedLimit {
  readonly name: string;
  readonly collected: CollectedLimit;
  readonly printed: PrintedLimit;
}

/** @throws A DiagnosticsError with every limit whose id is not a usable name, or whose schema has no name. */
function namedLimits(api: Api, { locate }: ArtifactOptions): readonly NamedLimit[] {
  const ids = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const limits = collectLimits(api).flatMap((collected) => {
    const printed = printLimit(collected);
    if (printed === undefined) return [];
    const { id, kind, origin } = collected.limit;
    const report = (what: string, message: string, fix: string): void =>
      void diagnostics.push({ code: what, severity: "error", origin: locate(origin), message, fix });
    const name = camelCase(id) ?? "";
    const other = ids.get(name);
    ids.set(name, id);
    if (name === "") report("names/unusable", `No name can be derived from the limit "${id}".`, "Give it another id.");
    else if (other !== undefined)
      report("names/collision", `The limits "${other}" and "${id}" are both called ${name}.`, "Give one another id.");
    if (kind === "unique" && collected.resource === undefined)
      report(
        "names/unusable",
        `The limit "${id}" does not belong to a named schema.`,
        "Put it on the schema of the resource.",
      );
    return [{ name, collected, printed }];
  });
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return limits;
}

function limitMembers(operation: Operation, all: readonly NamedLimit[], api: Api): readonly Code[] {
  const limitsOfOperation = all.filter(({ collected }) => operation.limits.some(({ id }) => id === collected.limit.id));
  const counted = (kind: Limit["kind"]): readonly Code[] =>
    limitsOfOperation
      .filter(({ collected }) => collected.limit.kind === kind)
      .map(({ name, collected: { limit } }) => {
        return code`{ ${emitKeyedLimit(name, limit)} }`;
      });
  const outcomes = limitsOfOperation
    .filter(({ collected }) => collected.limit.kind === "outcome-rate")
    .map(({ name, collected: { limit } }) => {
      const { errors = [], effects = [] } = limit.counts ?? {};
      const reached = limit.reached === undefined ? code`` : code`, isReached: true`;
      return code`{ ${emitKeyedLimit(name, limit)}, errors: ${jsonLiteral(errors)}, effects: ${jsonLiteral(effects)}${reached} }`;
    });
  const renewed = all
    .filter(({ collected: { limit } }) => limit.since?.some((id) => hasEffect(operation, id)))
    .map(({ name, collected: { limit } }) => {
      return code`{ ${emitKeyedLimit(name, limit)}, effects: ${jsonLiteral(limit.since ?? [])} }`;
    });
  const unique = all
    .filter(({ collected }) => isChecked(collected, operation, api))
    .map(({ name }) => code`limits.${propertyKey(name)}`);
  const bytes = limitsOfOperation.find(({ collected }) => collected.limit.kind === "bytes");
  return [
    ...listMember("rates", counted("rate")),
    ...listMember("outcomes", outcomes),
    ...listMember("renewed", renewed),
    ...listMember("concurrency", counted("concurrency")),
    ...listMember("unique", unique),
    ...(bytes === undefined ? [] : [code`bytes: limits.${propertyKey(bytes.name)}`]),
  ];
}

/** Emits the limit, and the key by which it counts. */
function emitKeyedLimit(name: string, { per }: Limit): Code {
  const key = per === undefined ? code`` : code`, per: ${emitExpression(per)}`;
  return code`limit: limits.${propertyKey(name)}${key}`;
}

/** Returns the effects of an operation that limits count or start from. The handler reports which of them a request had. */
export function countedEffects(api: Api, operation: Operation): readonly string[] {
  const effectIds = effectsOfLimits(api);
  return operation.effects.map(({ id }) => id).filter((id) => effectIds.has(id));
}

/** Memoized by API, since it is needed for each operation. */
function effectsOfLimits(api: Api): ReadonlySet<string> {
  const cached = effectsByApi.get(api);
  if (cached !== undefined) return cached;
  const limits = [...api.operations, ...api.operationsWithoutPath].flatMap((each) => each.limits);
  const effectIds = new Set(limits.flatMap(({ counts, since }) => [...(counts?.effects ?? []), ...(since ?? [])]));
  effectsByApi.set(api, effectIds);
  return effectIds;
}

const effectsByApi = new WeakMap<Api, ReadonlySet<string>>();

function hasEffect({ effects }: Operation, id: string): boolean {
  return effects.some((effect) => effect.id === id);
}

function listMember(what: string, entries: readonly Code[]): readonly Code[] {
  return entries.length === 0 ? [] : [code`${propertyKey(what)}: [${joinCode(entries, code`, `)}]`];
}

/** Returns the unique keys that some operation checks. */
export function checkedUniqueKeys(api: Api): readonly CollectedLimit[] {
  const all = [...api.operations, ...api.operationsWithoutPath];
  return collectLimits(api).filter(
    (collected) => collected.resource !== undefined && all.some((operation) => isChecked(collected, operation, api)),
  );
}

/** True if an operation can respond with the error of a unique key, and its body contains all fields of the key. */
function isChecked(collected: CollectedLimit, operation: Operation, api: Api): boolean {
  const { kind, error, within } = collected.limit;
  const body = findJsonContent(operation.requestBody?.contents ?? [])?.schema;
  const fields = uniqueKeyFields(collected);
  if (kind !== "unique" || within === "array" || error === undefined || body === undefined || fields.length === 0)
    return false;
  const fails = [...operation.errors, ...api.errors].some(({ id }) => id === error);
  return fails && fields.every((field) => findField(api, body, field.split("/")) !== undefined);
}
