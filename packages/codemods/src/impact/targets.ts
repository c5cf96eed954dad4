import type { Difference } from "@plumbline/kit/diff";
import type { Api, Operation, Parameter } from "@plumbline/kit/model";
import type { ApiPart } from "./api-part.js";
import { discriminatorsOf, placesOfSchema, relatedSchemas } from "./schema-places.js";
import {
  branchCompares,
  callsWithout,
  comparesWith,
  everyAccess,
  everyCall,
  everyName,
  everyObject,
  everyPath,
  everyResult,
  everyTypeName,
  everyUse,
  checkOfValue,
  objectsWithout,
  passedOn,
  someCalls,
  statuses,
  type UseCheck,
} from "./use-checks.js";

/** A part of the API that a difference is about, and the check of its uses. */
export interface Target<D extends Difference = Difference> {
  readonly difference: D;
  readonly part: ApiPart;
  readonly check: UseCheck;
  /** Whether it checks objects by what they lack. */
  readonly isOfObjects?: true;
}

/** Both sides of a comparison. */
export interface ComparedApis {
  readonly old: Api;
  readonly next: Api;
  /** The old names of schemas by their new ones. */
  readonly renamedSchemas: ReadonlyMap<string, string>;
}

/** Differences that change no program: texts, examples, and what is new and optional. Servers concern all programs alike. */
const silent =
  /^(title|version|text|example|problem-types|tag|server|scope|schema-(added|changed)|operation-(added|tag-changed)|response-success-added|transition)/;

/** The parts of the old API that a difference is about. Empty for a difference that no code can show. */
export function targetsOf<D extends Difference>(difference: D, apis: ComparedApis): readonly Target<D>[] {
  const { code, breaking, where, old } = difference;
  const isForServers = breaking.length > 0 && !breaking.includes("callers") && !breaking.includes("wire");
  if (silent.test(code) || (isForServers && code !== "response-enum-value-removed")) return [];
  const operations = operationsOf(difference, apis);
  const target = (part: ApiPart, check: UseCheck): Target<D> => ({ difference, part, check });
  const calls = (checkOf: (name: string) => UseCheck): readonly Target<D>[] =>
    operations.map(({ name }) => target({ kind: "operation", owner: name, path: [] }, checkOf(name)));

  switch (code) {
    case "operation-removed":
    case "operation-sunset":
      return calls(everyUse);
    case "operation-renamed":
      return calls(everyName);
    // A generated client of the new version calls the new path.
    case "operation-moved":
      return calls(() => everyPath);
    case "operation-deprecated":
      return calls(() => everyCall);
    case "schema-renamed":
    case "schema-removed":
      return schemaNames(difference, apis).map((owner) =>
        target({ kind: "schema", owner, path: [] }, everyTypeName(owner)),
      );
    case "body-required":
    case "body-required-added":
      return calls(() => callsWithout(["body"]));
    case "body-removed":
      return operations.map(({ name }) => target({ kind: "body", owner: name, path: [] }, everyAccess));
    case "error-status-changed":
      return calls(() => statuses(old, "calls"));
    case "response-success-removed":
      return calls(() => statuses(/\d{3}/.exec(difference.message)?.[0]));
    case "state-removed":
      return stateParts(where.location, apis.old).map((part) => target(part, comparesWith(old ?? "")));
    case "response-branch-added":
    case "request-branch-removed":
      return branchParts(difference, apis).map(([part, check]) => target(part, check));
  }
  return targetsOfValues(difference, operations, apis);
}

/** The parts that a difference of parameters and bodies is about. */
function targetsOfValues<D extends Difference>(
  difference: D,
  operations: readonly Operation[],
  apis: ComparedApis,
): readonly Target<D>[] {
  const { code, where } = difference;
  const calls = (check: UseCheck): readonly Target<D>[] =>
    operations.map(({ name }) => ({ difference, part: { kind: "operation", owner: name, path: [] }, check }));
  if (code.startsWith("parameter-"))
    return operations
      .flatMap((operation) => parameterTargets(difference, operation, apis))
      .map(([part, check]) => ({ difference, part, check }));

  if (/^response-type-(changed|narrowed)$/.test(code) && where.pointer === "" && where.location.startsWith("response "))
    return calls(everyResult);

  const parts = valueParts(difference, operations, apis);
  if (parts.length === 0) return isOfValues(difference) ? [] : calls(someCalls);
  const passed = code.startsWith("request-") ? calls(passedOn) : [];
  if (code === "request-property-required" || code === "request-property-required-added")
    return [
      ...passed,
      ...parts.map((part): Target<D> => {
        const name = part.path.at(-1) ?? "";
        const object = { ...part, path: part.path.slice(0, -1) };
        return { difference, part: object, check: objectsWithout(name), isOfObjects: true };
      }),
    ];
  return [...passed, ...parts.map((part) => ({ difference, part, check: checkOfValue(difference) }))];
}

/** Whether a difference is about values in bodies, of which code may have no part. */
function isOfValues({ code, where }: Difference): boolean {
  return /^(request|response)-/.test(code) && (where.pointer !== "" || where.location.includes(" in "));
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
export function withoutNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function parameterTargets(
  difference: Difference,
  operation: Operation,
  apis: ComparedApis,
): readonly (readonly [ApiPart, UseCheck])[] {
  const { code } = difference;
  const call: ApiPart = { kind: "operation", owner: operation.name, path: [] };
  const parameter = changedParameter(difference, operation, apis);
  if (parameter === undefined) return [[call, someCalls]];
  if (code === "parameter-required" || code === "parameter-required-added")
    return [[call, callsWithout([groupNames[parameter.in], parameter.name])]];
  const part: ApiPart = { kind: "parameters", owner: operation.name, path: [parameter.in, parameter.name] };
  if (code === "parameter-renamed")
    return [
      [part, everyAccess],
      [call, everyPath],
    ];
  if (code === "parameter-removed")
    return [
      [part, everyAccess],
      [call, passedOn],
    ];
  return [[part, checkOfValue(difference)]];
}

/** The groups of parameters in requests of the client, by their locations. */
export const groupNames: Readonly<Record<Parameter["in"], "path" | "query" | "headers" | "cookies">> = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
};

/** The parameter of a difference: the old one, if code can use it, else the new one. */
function changedParameter(
  { origin, side, message, where }: Difference,
  operation: Operation,
  { old, next }: ComparedApis,
): Parameter | undefined {
  const api = side === "old" ? old : next;
  const signature = withoutNames(`${operation.method} ${operation.path}`);
  const current = api.operations.find((each) => withoutNames(`${each.method} ${each.path}`) === signature);
  const isMeant = (each: Parameter): boolean =>
    `${message} ${where.location}`.includes(`${each.in} parameter "${each.name}"`);
  const isThere = (each: Parameter): boolean =>
    each.origin.file === origin.file && each.origin.pointer === origin.pointer;
  const changed =
    operation.parameters.find(isMeant) ?? current?.parameters.find(isThere) ?? current?.parameters.find(isMeant);
  if (changed === undefined || changed.in !== "path") return changed;
  // A renamed path parameter has the same position.
  const position = namesIn(current?.path ?? "").indexOf(changed.name);
  const before = namesIn(operation.path)[position];
  return operation.parameters.find(({ name }) => name === before) ?? changed;
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
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
  const [first = ""] = where.location.split(" in ");
  const owner = renamedSchemas.get(first) ?? first;
  const parts = relatedSchemas(owner, old).map((each): ApiPart => ({ kind: "schema", owner: each, path }));
  return path.length === 0 ? [...parts, ...placesOfSchema(owner, old)] : parts;
}

/** The field with the states of a state machine. */
function stateParts(location: string, old: Api): readonly ApiPart[] {
  const machine = old.stateMachines.find(({ name }) => name === location);
  if (machine?.field === undefined) return [];
  const { field, resource } = machine;
  return relatedSchemas(resource, old).map((owner) => ({ kind: "schema", owner, path: [field] }));
}

/** What shows a branch of a union: the property that selects it, and for a removed one its objects. */
function branchParts(
  { code, where, old: removed }: Difference,
  { old, renamedSchemas }: ComparedApis,
): readonly (readonly [ApiPart, UseCheck])[] {
  const [first = ""] = where.location.split(" in ");
  const owner = renamedSchemas.get(first) ?? first;
  if (code === "request-branch-removed") {
    const schema = removed ?? "";
    return relatedSchemas(schema, old).map((each) => [{ kind: "schema", owner: each, path: [] }, everyObject]);
  }
  return discriminatorsOf(owner, old).map((part) => [part, branchCompares]);
}

function schemaNames({ message, old: renamed }: Difference, { old }: ComparedApis): readonly string[] {
  return old.schemas.map(({ name }) => name).filter((name) => name === renamed || message.includes(`type ${name} was`));
}
