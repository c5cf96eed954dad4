import type { MakeStep, Template } from "@plumbline/conformance-runtime";
import {
  type Api,
  findField,
  findTarget,
  mediaKind,
  type Operation,
  preferredContent,
  type Property,
  type Schema,
  schemaParts,
  uniqueKeyFields,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { isPlainObject } from "../values/partial-evaluation.js";
import { bodySample, schemaSample, uniqueSample } from "../values/samples.js";
import { validateTemplate } from "../values/template-validation.js";
import { uploadSample } from "../values/uploads.js";
import { acceptingFixture } from "./accepting-fixtures.js";
import { createdResource } from "./created-resources.js";
import { createdObjectName, creationSteps } from "./reference-bodies.js";
import { uniqueKeys } from "./unique-keys.js";

/** A valid body, and the objects that it references. */
export interface SampleRequest {
  readonly body: Template | undefined;
  readonly setupSteps: readonly MakeStep[];
  /** Names of objects that one call uses up, so that another call needs others. */
  readonly usedUp: readonly string[];
}

export interface SampleRequestOptions {
  /** Names of the objects in the path, by resource. */
  readonly names?: Readonly<Record<string, string>>;
  /** A resource to which no reference is filled in, since the request is part of its own fixture. */
  readonly without?: string;
}

/**
 * A body of an operation: the one of the settings, completed by a sample of the other required fields. Unique fields have new values, and
 * references refer to objects that the setup steps create.
 */
export function sampleRequest(
  context: ConformanceContext,
  operation: Operation,
  { names = {}, without }: SampleRequestOptions = {},
): SampleRequest {
  const stated = context.settings.operations[operation.name]?.body;
  const content = operation.requestBody && preferredContent(operation.requestBody.contents);
  if (content === undefined || (stated !== undefined && !isPlainObject(stated)))
    return { body: stated, setupSteps: [], usedUp: [] };
  const { schema } = content;
  const isComplete = stated !== undefined && validateTemplate(context, schema, stated, "validated").length === 0;
  if (isComplete) return { body: stated, setupSteps: [], usedUp: [] };
  const isJson = mediaKind(content.mediaType) === "json";
  const whole = isJson ? bodySample(context, content) : uploadSample(context, content);
  const sample = stated === undefined ? whole : requiredFields(context, schema);
  if (!isPlainObject(sample)) return { body: stated ?? sample, setupSteps: [], usedUp: [] };
  const open = Object.fromEntries(
    Object.entries(sample).filter(([name]) => stated === undefined || !Object.hasOwn(stated, name)),
  );
  const unique = uniqueFields(context, operation, { schema, body: { ...stated, ...open } });
  const references = referenceFields(context, operation, { schema, body: open, names, without });
  return {
    body: { ...stated, ...open, ...pick(unique, open), ...references.fields },
    setupSteps: references.setupSteps,
    usedUp: references.usedUp,
  };
}

/** Samples of the fields that every body has. */
function requiredFields(context: ConformanceContext, schema: Schema): Template {
  const parts = schemaParts(context.api, schema);
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const properties = parts.flatMap((part) => part.properties ?? []);
  return Object.fromEntries(
    properties.flatMap(({ name, required: isRequired, schema: inner }) =>
      isRequired || required.has(name) ? [[name, schemaSample(context, inner)] as const] : [],
    ),
  );
}

function pick(
  fields: Readonly<Record<string, Template>>,
  open: Readonly<Record<string, Template>>,
): Readonly<Record<string, Template>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(open, name)));
}

interface BodyToFill {
  readonly schema: Schema;
  readonly body: Readonly<Record<string, Template>>;
}

/** New values of the unique keys of what the operation creates or updates. */
function uniqueFields(
  context: ConformanceContext,
  operation: Operation,
  { schema, body }: BodyToFill,
): Readonly<Record<string, Template>> {
  const { api } = context;
  const resource = createdResource(api, operation)?.resource.name ?? findTarget(api, operation)?.resource;
  const keys = uniqueKeys(api).filter((each) => each.resource === resource);
  const entries = keys.flatMap((key): (readonly [string, Template])[] => {
    const fields = uniqueKeyFields(key);
    const isNew = fields.some((field) => JSON.stringify(body[field] ?? null).includes('"$unique"'));
    if (isNew || !fields.every((field) => Object.hasOwn(body, field))) return [];
    for (const field of fields) {
      const inner = findField(api, schema, [field]);
      const value = inner === undefined || isReference(api, inner) ? undefined : uniqueSample(context, inner);
      if (value !== undefined) return [[field, value]];
    }
    return [];
  });
  return Object.fromEntries(entries);
}

function isReference(api: Api, schema: Schema): boolean {
  return schemaParts(api, schema).some(({ reference }) => reference !== undefined);
}

/** References in fields of the body, to objects that steps create. */
function referenceFields(
  context: ConformanceContext,
  operation: Operation,
  {
    schema,
    body,
    names,
    without,
  }: BodyToFill & { readonly names: Readonly<Record<string, string>>; readonly without: string | undefined },
): {
  readonly fields: Readonly<Record<string, Template>>;
  readonly setupSteps: readonly MakeStep[];
  readonly usedUp: readonly string[];
} {
  const { api } = context;
  const fields = Object.create(null) as Record<string, Template>;
  const setupSteps: MakeStep[] = [];
  const usedUp: string[] = [];
  const properties = new Map<string, Property>(
    schemaParts(api, schema).flatMap((part) => (part.properties ?? []).map((each) => [each.name, each] as const)),
  );
  for (const [name, property] of properties) {
    const reference = schemaParts(api, property.schema).find((part) => part.reference !== undefined)?.reference;
    if (!Object.hasOwn(body, name) || reference === undefined || reference.onNotFound === "create") continue;
    if (reference.to === without) continue;
    if (!api.resources.some((each) => each.name === reference.to)) continue;
    const isUsedUp = usesUp(api, operation, { field: name, resource: reference.to });
    const base = createdObjectName(reference.to);
    const as = setupSteps.some((step) => step.as === base) ? `${base}${setupSteps.length}` : base;
    const steps = creationSteps(context, {
      resource: reference.to,
      as,
      parents: names,
      fixture: acceptingFixture(context, operation, { resource: reference.to, field: name }),
      ...(isUsedUp ? { isOwn: true as const } : {}),
    });
    if (steps === undefined) continue;
    setupSteps.push(...steps);
    if (isUsedUp) usedUp.push(as);
    fields[name] = { $get: `${as}#/${reference.by ?? "id"}` };
  }
  return { fields, setupSteps, usedUp };
}

/** True if a second call cannot refer to the same object: the call changes its state, or may refer to it once only. */
function usesUp(
  api: Api,
  { name }: Operation,
  { field, resource }: { readonly field: string; readonly resource: string },
): boolean {
  const isMoved = api.stateMachines.some(
    (each) =>
      each.resource === resource &&
      each.transitions.some(
        ({ event, subject }) =>
          event.kind === "operation" &&
          event.operation === name &&
          subject?.root === "request" &&
          subject.part === "body" &&
          subject.pointer[0] === field,
      ),
  );
  return isMoved || uniqueKeys(api).some((each) => uniqueKeyFields(each).includes(field));
}
