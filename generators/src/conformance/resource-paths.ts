import type { CallStep, Expect, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation, Parameter, Reference, Resource, Shape } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { requirementsOf, type Context } from "./context.js";
import { isMatch } from "./matching.js";
import { idPointer, nameOf, takesPlace } from "./plans.js";

/** A path parameter that references an object. */
export type Naming = Parameter & { readonly reference: Reference };

/** The path parameters that reference objects, outermost first. */
export function namingOf({ parameters }: Operation): readonly Naming[] {
  return parameters.filter((each): each is Naming => each.in === "path" && each.reference !== undefined);
}

/** Steps that create objects, and the names of the objects by resource. */
export interface Chain {
  readonly makes: readonly MakeStep[];
  readonly names: Readonly<Record<string, string>>;
}

export interface ChainOptions {
  /** The outermost resource that the case creates for itself, with all objects in it. Absent: all objects are the lane's. */
  readonly freshFrom?: string;
  /** Suffix of the names. */
  readonly suffix?: string;
  /** Fields to add to the request that creates an object, by resource. */
  readonly laid?: Readonly<Record<string, Template>>;
}

/** The objects that the path of an operation references. */
export function chainOf(context: Context, operation: Operation, options: ChainOptions = {}): Chain {
  const { freshFrom, suffix = "", laid = context.settings.operations[operation.name]?.with ?? {} } = options;
  const makes: MakeStep[] = [];
  const names: Record<string, string> = {};
  const naming = namingOf(operation);
  const own = naming.findIndex(({ reference }) => reference.to === freshFrom);
  let isFresh = false;
  for (const [index, { name, reference }] of naming.entries()) {
    const { to } = reference;
    const of = Object.fromEntries(Object.entries(names).map(([outer, called]) => [outer, { $get: called }] as const));
    isFresh ||= index === own || (index === own - 1 && takesPlace(context, freshFrom));
    names[to] = `${nameOf(to, name)}${suffix}`;
    makes.push({
      make: to,
      as: names[to],
      ...(Object.keys(of).length === 0 ? {} : { of }),
      ...(laid[to] === undefined ? {} : { with: laid[to] }),
      ...(isFresh ? { fresh: true as const } : {}),
    });
  }
  return { makes, names };
}

/** A call of an operation on named objects. Undefined when its path references others. */
export function callOn(operation: Operation, names: Readonly<Record<string, string>>): CallStep | undefined {
  const path: Record<string, Template> = {};
  for (const parameter of operation.parameters.filter((each) => each.in === "path")) {
    const name = names[parameter.reference?.to ?? ""];
    if (name === undefined) return undefined;
    path[parameter.name] = part(name, idPointer(parameter));
  }
  return { call: operation.name, ...(Object.keys(path).length === 0 ? {} : { path }) };
}

/** A read of an object. Undefined when no operation reads it. */
export function readOf(
  context: Context,
  resource: Resource | undefined,
  names: Readonly<Record<string, string>>,
): CallStep | undefined {
  const operation = context.operations.get(resource?.read ?? "");
  return operation === undefined ? undefined : callOn(operation, names);
}

/** A pointer into the value of a name. */
export function part(name: string, pointer: string): Template {
  return { $get: name.includes("#") ? `${name}${pointer}` : `${name}#${pointer}` };
}

/** The names of a plan's objects, by resource. */
export function namesIn(
  operation: Operation,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(namingOf(operation).map((each) => [each.reference.to, names[each.name] ?? ""] as const));
}

/** Finds an error by id: of the operation, of its body's schemas, or shared by all operations. */
export function failureOf({ api }: Context, operation: Operation, id: string | undefined): Failure | undefined {
  if (id === undefined) return undefined;
  const shared = [...operation.failures, ...api.failures].find((each) => each.id === id);
  const shape = operation.body && jsonContent(operation.body.contents)?.shape;
  if (shared !== undefined || shape === undefined) return shared;
  return fieldsOf(api, shape)
    .flatMap((field) => field.shape.failures ?? [])
    .find((each) => each.id === id);
}

/** The expectation of an error about a location in the request, such as `configs.0`. */
export function refusal({ status, field, mentions }: Failure, place: string | null): Expect {
  const about = field === undefined || field?.includes("$") === true ? place : field;
  return { status, error: { field: about, ...(mentions.length === 0 ? {} : { mentions }) } };
}

/** The expected response for a missing object in the path: the described error, or a documented 404. */
export function missingAt(context: Context, operation: Operation, { reference }: Naming): Expect | undefined {
  const failure = failureOf(context, operation, reference.missing);
  if (failure !== undefined) return refusal(failure, null);
  const isDocumented = reference.missing === undefined && operation.replies.some(({ status }) => status === 404);
  return isDocumented ? { status: 404 } : undefined;
}

/** The requirements of a resource, else those of its schema. */
export function requirementsOfResource({ shapes }: Context, resource: Resource): readonly string[] {
  const own = requirementsOf(resource.sources);
  return own.length > 0 ? own : requirementsOf(shapes.get(resource.name)?.sources);
}

/** A valid id that does not exist. */
export function nobodysId({ api }: Context, shape: Shape): Template {
  const parts = partsOf(api, shape);
  if (parts.some(({ types }) => types.includes("integer") || types.includes("number"))) return nobody;
  const examples = parts.flatMap((each) => each.examples ?? []).filter((each) => typeof each === "string");
  const alike = examples.filter((each) => /\d/.test(each)).map((each) => each.replace(/\d+/, String(nobody)));
  const fits = (text: string): boolean =>
    parts.every(
      ({ minLength = 0, maxLength = Infinity, pattern, enum: values }) =>
        text.length >= minLength &&
        text.length <= maxLength &&
        (pattern === undefined || isMatch(pattern, text)) &&
        (values === undefined || values.includes(text)),
    );
  return [...alike, "nobody-0", "9.99", "compute/nobody0", "nobody/0"].find(fits) ?? "nobody-0";
}

/** Ids are sequential, and no run reaches this one. */
const nobody = 2_000_000_000;
