import type { CallStep, Expectation, MakeStep, Template } from "@plumbline/conformance-runtime";
import {
  collectFields,
  type ErrorDefinition,
  findJsonContent,
  type Operation,
  type Parameter,
  type Resource,
  type ResourceReference,
  type Schema,
  schemaParts,
  ownValue,
  pickDefined,
} from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import { uniqueSample } from "../values/samples.js";
import { validateTemplate } from "../values/template-validation.js";
import { expectError } from "./expect-error.js";
import { replacesExisting } from "./object-sources.js";
import { idPointer } from "./request-plan.js";

/** A path parameter that references an object. */
export type PathObjectReference = Parameter & { readonly reference: ResourceReference };

/** The path parameters that reference objects, outermost first. */
export function pathReferences({ parameters }: Operation): readonly PathObjectReference[] {
  return parameters.filter((each): each is PathObjectReference => each.in === "path" && each.reference !== undefined);
}

/** Steps that create objects, and the names of the objects by resource. */
export interface ObjectChain {
  readonly createSteps: readonly MakeStep[];
  readonly names: Readonly<Record<string, string>>;
}

export interface ObjectChainOptions {
  /** The outermost resource that the case creates for itself, with all objects in it. Absent: all objects are the worker's. */
  readonly freshFrom?: string;
  /** Suffix of the names. */
  readonly suffix?: string;
  /** Fields to add to the request that creates an object, by resource. */
  readonly bodyFields?: Readonly<Record<string, Template>>;
}

/** The objects that the path of an operation references. */
export function objectChain(
  context: ConformanceContext,
  operation: Operation,
  options: ObjectChainOptions = {},
): ObjectChain {
  const {
    freshFrom,
    suffix = "",
    bodyFields = ownValue(context.settings.operations, operation.name)?.with ?? {},
  } = options;
  const makes: MakeStep[] = [];
  const names = Object.create(null) as Record<string, string>;
  const naming = pathReferences(operation);
  const freshIndex = naming.findIndex(({ reference }) => reference.to === freshFrom);
  let isFresh = false;
  for (const [index, { name, reference }] of naming.entries()) {
    const { to } = reference;
    const inputs = Object.fromEntries(
      Object.entries(names).map(([outer, called]) => [outer, { $get: called }] as const),
    );
    isFresh ||= index === freshIndex || (index === freshIndex - 1 && replacesExisting(context, freshFrom));
    names[to] = `${objectName(to, name)}${suffix}`;
    makes.push({
      make: to,
      as: names[to],
      ...(Object.keys(inputs).length === 0 ? {} : { of: inputs }),
      ...pickDefined("with", ownValue(bodyFields, to)),
      ...(isFresh ? { fresh: true as const } : {}),
    });
  }
  return { createSteps: makes, names };
}

/** A call of an operation on named objects. Undefined when its path references others. */
export function callOnObjects(operation: Operation, names: Readonly<Record<string, string>>): CallStep | undefined {
  const path = Object.create(null) as Record<string, Template>;
  for (const parameter of operation.parameters.filter((each) => each.in === "path")) {
    const name = ownValue(names, parameter.reference?.to ?? "");
    if (name === undefined) return undefined;
    path[parameter.name] = pointerInto(name, idPointer(parameter));
  }
  return { call: operation.name, ...(Object.keys(path).length === 0 ? {} : { path }) };
}

/** A read of an object. Undefined when no operation reads it. */
export function readObject(
  context: ConformanceContext,
  resource: Resource | undefined,
  names: Readonly<Record<string, string>>,
): CallStep | undefined {
  const operation = context.operations.get(resource?.read ?? "");
  return operation === undefined ? undefined : callOnObjects(operation, names);
}

/** A pointer into the value of a name. */
export function pointerInto(name: string, pointer: string): Template {
  return { $get: name.includes("#") ? `${name}${pointer}` : `${name}#${pointer}` };
}

/** The names of a plan's objects, by resource. */
export function objectNames(
  operation: Operation,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pathReferences(operation).map((each) => [each.reference.to, ownValue(names, each.name) ?? ""] as const),
  );
}

/** Finds an error by id: of the operation, of its body's schemas, or shared by all operations. */
export function findErrorOf(
  { api }: ConformanceContext,
  operation: Operation,
  id: string | undefined,
): ErrorDefinition | undefined {
  if (id === undefined) return undefined;
  const shared = [...operation.errors, ...api.errors].find((each) => each.id === id);
  const schema = operation.requestBody && findJsonContent(operation.requestBody.contents)?.schema;
  if (shared !== undefined || schema === undefined) return shared;
  return collectFields(api, schema)
    .flatMap((field) => field.schema.errors ?? [])
    .find((each) => each.id === id);
}

/** The expected response for a missing object in the path: the described error, or a documented 404. */
export function expectMissing(
  context: ConformanceContext,
  operation: Operation,
  { reference }: PathObjectReference,
): Expectation | undefined {
  const error = findErrorOf(context, operation, reference.onNotFound);
  if (error !== undefined) return expectError(error, null);
  const isDocumented = reference.onNotFound === undefined && operation.responses.some(({ status }) => status === 404);
  return isDocumented ? { status: 404 } : undefined;
}

/** The requirements of a resource, else those of its schema. */
export function requirementsOfResource({ schemas }: ConformanceContext, resource: Resource): readonly string[] {
  const stated = requirementIds(resource.sources);
  return stated.length > 0 ? stated : requirementIds(schemas.get(resource.name)?.sources);
}

/** A valid id that does not exist: one that reads so, or a new value. */
export function nonexistentId(context: ConformanceContext, schema: Schema): Template {
  const parts = schemaParts(context.api, schema);
  if (parts.some(({ types }) => types.includes("integer") || types.includes("number"))) return nonexistentNumber;
  const examples = parts.flatMap((each) => each.examples ?? []).filter((each) => typeof each === "string");
  const alike = examples
    .filter((each) => /\d/.test(each))
    .map((each) => each.replace(/\d+/, String(nonexistentNumber)));
  const fits = (text: string): boolean => validateTemplate(context, schema, text, "validated").length === 0;
  return (
    [...alike, "nonexistent-0", "9.99", "compute/nonexistent0", "nonexistent/0"].find(fits) ??
    uniqueSample(context, schema) ??
    "nonexistent-0"
  );
}

/** Ids are sequential, and no run reaches this one. */
const nonexistentNumber = 2_000_000_000;
