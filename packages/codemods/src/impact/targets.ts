import type { Difference } from "@plumbline/diff";
import type { Api, Operation, Parameter, Schema } from "@plumbline/model";
import type { ApiPart } from "./api-part.js";
import {
  callsWithout,
  everyAccess,
  everyCall,
  everyMention,
  everyNamedCall,
  everyPathCall,
  everyUse,
  judgeOfValue,
  objectsWithout,
  someCalls,
  type Judge,
} from "./judgement.js";

/** A part of the API that a difference is about, and the judge of its uses. */
export interface Target {
  readonly difference: Difference;
  readonly part: ApiPart;
  readonly judge: Judge;
  /** Whether it judges objects by what they lack. */
  readonly isOfObjects?: true;
}

/** Both sides of a comparison. */
export interface ComparedApis {
  readonly old: Api;
  readonly next: Api;
  /** The old names of schemas by their new ones. */
  readonly renamedSchemas: ReadonlyMap<string, string>;
}

/** Differences that change no program: texts, examples, and what is new and optional. */
const silent =
  /^(title|version|text|example|problem-types|tag|server|schema-added|schema-changed|operation-(added|tag-changed)|scope-)/;

/** The judges of differences that are about an operation itself. */
const ofOperations: Readonly<Record<string, Judge>> = {
  "operation-removed": everyUse,
  "operation-sunset": everyUse,
  "operation-renamed": everyNamedCall,
  // A generated client of the new version calls the new path.
  "operation-moved": everyPathCall,
  "operation-deprecated": everyCall,
};

/** The parts of the old API that a difference is about. Empty for a difference that no code can show. */
export function targetsOf(difference: Difference, apis: ComparedApis): readonly Target[] {
  const { code } = difference;
  if (silent.test(code)) return [];
  const target = (part: ApiPart, judge: Judge): Target => ({ difference, part, judge });
  const operations = operationsOf(difference, apis);
  const calls = (judge: Judge): readonly Target[] =>
    operations.map(({ name }) => target({ kind: "operation", owner: name, path: [] }, judge));

  const judge = Object.hasOwn(ofOperations, code) ? ofOperations[code] : undefined;
  if (judge !== undefined) return calls(judge);
  if (code === "schema-renamed" || code === "schema-removed")
    return schemaNames(difference, apis).map((owner) => target({ kind: "schema", owner, path: [] }, everyMention));
  if (code.startsWith("parameter-"))
    return parameterTargets(difference, operations, apis).map(([part, judge]) => target(part, judge));
  if (code === "body-required" || code === "body-required-added") return calls(callsWithout(["body"]));
  if (code === "body-removed")
    return operations.map(({ name }) => target({ kind: "body", owner: name, path: [] }, everyAccess));

  const parts = valueParts(difference, operations, apis);
  if (parts.length === 0) return calls(someCalls);
  if (code === "request-property-required" || code === "request-property-required-added")
    return parts.map((part): Target => ({
      ...target({ ...part, path: part.path.slice(0, -1) }, objectsWithout(part.path.at(-1) ?? "")),
      isOfObjects: true,
    }));
  return parts.map((part) => target(part, judgeOfValue(difference)));
}

/** The operations of a difference, in the old description. Path parameters may have other names there, and operations another path. */
function operationsOf({ where }: Difference, { old, next }: ComparedApis): readonly Operation[] {
  const changed = new Set(where.operations.map(withoutNames));
  const renamed = new Set(
    next.operations.filter((each) => changed.has(withoutNames(`${each.method} ${each.path}`))).map(({ name }) => name),
  );
  return [...old.operations, ...old.operationsWithoutPath].filter(
    ({ name, method, path }) =>
      changed.has(path === "" ? name : withoutNames(`${method} ${path}`)) || renamed.has(name),
  );
}

/** A path without the names of its parameters. */
function withoutNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function parameterTargets(
  difference: Difference,
  operations: readonly Operation[],
  apis: ComparedApis,
): readonly (readonly [ApiPart, Judge])[] {
  const { code } = difference;
  const isRequired = code === "parameter-required" || code === "parameter-required-added";
  return operations.flatMap((operation): readonly (readonly [ApiPart, Judge])[] => {
    const { name: owner } = operation;
    const parameter = changedParameter(difference, operation, apis);
    if (parameter === undefined) return [[{ kind: "operation", owner, path: [] }, someCalls]];
    const path = [parameter.in, parameter.name];
    if (isRequired) {
      const group = groups[parameter.in];
      return [[{ kind: "operation", owner, path: [] }, callsWithout([group, parameter.name])]];
    }
    const judge = code === "parameter-removed" || code === "parameter-renamed" ? everyAccess : judgeOfValue(difference);
    return [[{ kind: "parameters", owner, path }, judge]];
  });
}

/** The names of the groups of parameters in requests of the client. */
const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } satisfies Record<
  Parameter["in"],
  string
>;

/** The parameter of a difference: the old one, if code can use it, else the new one. */
function changedParameter(
  { origin, side, message }: Difference,
  operation: Operation,
  { old, next }: ComparedApis,
): Parameter | undefined {
  const api = side === "old" ? old : next;
  const signature = withoutNames(`${operation.method} ${operation.path}`);
  const current = api.operations.find((each) => withoutNames(`${each.method} ${each.path}`) === signature);
  const found = (current ?? operation).parameters.find(
    (each) => each.origin.file === origin.file && each.origin.pointer === origin.pointer,
  );
  return operation.parameters.find((each) => message.includes(`${each.in} parameter "${each.name}"`)) ?? found;
}

/** The parts at the location and pointer of a difference. */
function valueParts(
  { where }: Difference,
  operations: readonly Operation[],
  { old, renamedSchemas }: ComparedApis,
): readonly ApiPart[] {
  const path = where.pointer
    .split("/")
    .slice(1)
    .filter((token) => token !== "*")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const [, location, parameter = ""] = /^(path|query|header|cookie) parameter "(.*)"$/.exec(where.location) ?? [];
  if (location !== undefined)
    return operations.map(({ name }) => ({ kind: "parameters", owner: name, path: [location, parameter, ...path] }));
  if (where.location.startsWith("request body"))
    return operations.map(({ name }) => ({ kind: "body", owner: name, path }));
  const [, status] = /^response (\S+)/.exec(where.location) ?? [];
  if (status !== undefined) {
    const kind = /^[45]|default/.test(status) ? "failure" : "success";
    return path.length === 0 ? [] : operations.map(({ name }) => ({ kind, owner: name, path }));
  }
  const [owner = ""] = where.location.split(" in ");
  return relatedSchemas(renamedSchemas.get(owner) ?? owner, old).map((each) => ({ kind: "schema", owner: each, path }));
}

/** The names of a schema in code: its own, those of its variants, and those of the schemas that it combines. */
function relatedSchemas(name: string, { schemas }: Api): readonly string[] {
  const found = new Set(
    schemas.filter((each) => each.name === name || each.variantOf?.name === name).map((each) => each.name),
  );
  for (const each of found) {
    const schema = schemas.find((known) => known.name === each)?.schema;
    for (const { ref } of schema?.allOf ?? ([] as readonly Schema[])) if (ref !== undefined) found.add(ref);
  }
  return [...found];
}

function schemaNames({ message, old: renamed }: Difference, { old }: ComparedApis): readonly string[] {
  return old.schemas.map(({ name }) => name).filter((name) => name === renamed || message.includes(`type ${name} was`));
}
