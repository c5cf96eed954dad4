import type { CallStep, Expect, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation, Parameter, Reference, Resource, Shape } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { requirementsOf, type Context } from "./context.js";
import { isMatch } from "./matching.js";
import { idPointer, nameOf, takesPlace } from "./plans.js";

/** A path parameter that names an object. */
export type Naming = Parameter & { readonly reference: Reference };

/** The parameters of an operation's path that name objects, outermost first. */
export function namingOf({ parameters }: Operation): readonly Naming[] {
  return parameters.filter((each): each is Naming => each.in === "path" && each.reference !== undefined);
}

/** Objects as a case makes them, and what they are called, by their resources. */
export interface Chain {
  readonly makes: readonly MakeStep[];
  readonly names: Readonly<Record<string, string>>;
}

export interface ChainOptions {
  /** The outermost of its own for the case; what is in it follows. Absent: all are the lane's. */
  readonly freshFrom?: string;
  /** Goes at the end of the names. */
  readonly suffix?: string;
  /** What is laid over what an object is made with, by its resource. */
  readonly laid?: Readonly<Record<string, Template>>;
}

/** The objects that the path of an operation names. */
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

/** A call of an operation on objects by their names; undefined where its path names others. */
export function callOn(operation: Operation, names: Readonly<Record<string, string>>): CallStep | undefined {
  const path: Record<string, Template> = {};
  for (const parameter of operation.parameters.filter((each) => each.in === "path")) {
    const name = names[parameter.reference?.to ?? ""];
    if (name === undefined) return undefined;
    path[parameter.name] = part(name, idPointer(parameter));
  }
  return { call: operation.name, ...(Object.keys(path).length === 0 ? {} : { path }) };
}

/** Reads an object of a resource; undefined where nothing does. */
export function readOf(
  context: Context,
  resource: Resource | undefined,
  names: Readonly<Record<string, string>>,
): CallStep | undefined {
  const operation = context.operations.get(resource?.read ?? "");
  return operation === undefined ? undefined : callOn(operation, names);
}

/** A part of what a name stands for. */
export function part(name: string, pointer: string): Template {
  return { $get: name.includes("#") ? `${name}${pointer}` : `${name}#${pointer}` };
}

/** The names of the objects in a plan, by their resources. */
export function namesIn(
  operation: Operation,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(namingOf(operation).map((each) => [each.reference.to, names[each.name] ?? ""] as const));
}

/** A failure of an operation by its id, one that its body tells of, or one that all operations share. */
export function failureOf({ api }: Context, operation: Operation, id: string | undefined): Failure | undefined {
  if (id === undefined) return undefined;
  const shared = [...operation.failures, ...api.failures].find((each) => each.id === id);
  const shape = operation.body && jsonContent(operation.body.contents)?.shape;
  if (shared !== undefined || shape === undefined) return shared;
  return fieldsOf(api, shape)
    .flatMap((field) => field.shape.failures ?? [])
    .find((each) => each.id === id);
}

/** What is answered for a failure that is about the value at a place of the request, such as `configs.0`. */
export function refusal({ status, field, mentions }: Failure, place: string | null): Expect {
  const about = field === undefined || field?.includes("$") === true ? place : field;
  return { status, error: { field: about, ...(mentions.length === 0 ? {} : { mentions }) } };
}

/** What is answered when a parameter of the path names nothing: the failure that is described, or a 404 where one is documented. */
export function missingAt(context: Context, operation: Operation, { reference }: Naming): Expect | undefined {
  const failure = failureOf(context, operation, reference.missing);
  if (failure !== undefined) return refusal(failure, null);
  const isDocumented = reference.missing === undefined && operation.replies.some(({ status }) => status === 404);
  return isDocumented ? { status: 404 } : undefined;
}

/** The requirements of a resource: what it is said to be, or else those of its shape. */
export function requirementsOfResource({ shapes }: Context, resource: Resource): readonly string[] {
  const own = requirementsOf(resource.sources);
  return own.length > 0 ? own : requirementsOf(shapes.get(resource.name)?.sources);
}

/** An id that fits a shape, and that nobody has. */
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

/** Ids are given one after another, and no run gets so far. */
const nobody = 2_000_000_000;
