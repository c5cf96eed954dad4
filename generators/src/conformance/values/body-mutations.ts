import type { Template } from "@plumbline/conformance-runtime";
import { formatSamples, intersectSchemas } from "@plumbline/kit/codegen/values";
import { type Json, type Schema, memoizeByKey, ownValue } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import type { BodyField } from "./body-fields.js";
import { isPlainObject, isTemplateList } from "./partial-evaluation.js";
import { toLiteral, schemaSample } from "./samples.js";
import { unconditionalLayers, schemaBranches } from "./schema-layers.js";
import { validateTemplate } from "./template-validation.js";

/** A valid body in which one field can be replaced. */
export interface FieldMutator {
  /** Valid values of the field. */
  readonly validValues: Template;
  readonly replaceWith: (value: Template) => Template;
  /** A valid body with this value. Undefined when none is found. */
  readonly findBodyWith: (value: Template) => Template | undefined;
  /** Without the field. */
  readonly withoutField: () => Template;
}

export interface BodyContext {
  readonly context: ConformanceContext;
  readonly schema: Schema;
  /** The body of an accepted request. */
  readonly acceptedBody: Template;
  readonly nulls: "absent" | "validated";
}

/** A valid body with a valid value of the field. Undefined when none is found. */
export function fieldMutator(bodies: BodyContext, field: BodyField): FieldMutator | undefined {
  const { context, acceptedBody } = bodies;
  for (const good of validValuesOf(context, field, acceptedBody)) {
    const body = acceptedBodyWith(bodies, field, good);
    if (body === undefined) continue;
    return {
      validValues: good,
      replaceWith: (value) => withValue(body, field.pointer, value),
      findBodyWith: (value) => {
        // A number may depend on its siblings, which are changed with it.
        const accepted = typeof value === "number" ? acceptedBodyWith(bodies, field, value) : undefined;
        const near = withValue(body, field.pointer, value);
        return accepted ?? (isAcceptable(bodies, near) ? near : acceptedBodyWith(bodies, field, value));
      },
      withoutField: () => withValue(body, field.pointer, undefined),
    };
  }
  return undefined;
}

function acceptedBodyWith(bodies: BodyContext, { pointer }: BodyField, value: Template): Template | undefined {
  let tried = 0;
  for (const body of bodiesWith(bodies.context, [bodies.schema], bodies.acceptedBody, { pointer, value })) {
    if (isAcceptable(bodies, body)) return body;
    tried += 1;
    if (tried > 60) break;
  }
  return undefined;
}

function isAcceptable({ context, schema, nulls }: BodyContext, body: Template): boolean {
  return validateTemplate(context, schema, body, nulls).length === 0;
}

/** The value at a pointer; `*` is the first item. */
export function valueAt(body: Template | undefined, [token, ...rest]: readonly string[]): Template | undefined {
  if (token === undefined || body === undefined) return body;
  if (token === "*") return body !== null && isTemplateList(body) ? valueAt(body[0], rest) : undefined;
  return isPlainObject(body) ? valueAt(ownValue(body, token), rest) : undefined;
}

/** The body with another value at a pointer; without a value it removes the field. */
export function withValue(body: Template, [token, ...rest]: readonly string[], value: Template | undefined): Template {
  if (token === undefined) return value ?? null;
  if (token === "*") {
    const [first = null, ...others] = isTemplateList(body) ? body : [];
    return rest.length === 0 && value === undefined ? others : [withValue(first, rest, value), ...others];
  }
  const fields: Readonly<Record<string, Template>> = isPlainObject(body) ? body : {};
  if (rest.length > 0) return { ...fields, [token]: withValue(ownValue(fields, token) ?? {}, rest, value) };
  const { [token]: _own, ...others } = fields;
  return value === undefined ? others : { ...fields, [token]: value };
}

/** The body as JSON text, with a raw text at a pointer: for numbers that a double cannot represent. */
export function rawTextWith(body: Template, [token, ...rest]: readonly string[], text: string): Template {
  if (token === undefined) return text;
  const parts: Template[] = [];
  const entries: readonly (readonly [string, Template])[] =
    token === "*"
      ? (isTemplateList(body) ? body : []).map((each, index) => [index === 0 ? "*" : String(index), each] as const)
      : Object.entries(isPlainObject(body) ? body : {});
  for (const [name, value] of entries) {
    const before = token === "*" ? "" : `${JSON.stringify(name)}:`;
    parts.push(
      `${parts.length === 0 ? "" : ","}${before}`,
      name === token ? rawTextWith(value, rest, text) : { $json: value },
    );
  }
  return { $text: token === "*" ? ["[", ...parts, "]"] : ["{", ...parts, "}"] };
}

function validValuesOf(context: ConformanceContext, field: BodyField, fitting: Template): readonly Template[] {
  const current = valueAt(fitting, field.pointer);
  return [...(current === undefined ? [] : [current]), ...schemaSamples(context, [field.schema])];
}

/** Values that match, or may match, of all branches. */
export function schemaSamples(context: ConformanceContext, schemas: readonly Schema[]): readonly Template[] {
  const [schema, ...others] = schemas;
  if (schema === undefined || others.length > 0) return findSamples(context, schemas, 0);
  return samples(context.api, schema, () => findSamples(context, schemas, 0));
}

const samples = memoizeByKey<Schema, readonly Template[]>();

function findSamples(context: ConformanceContext, schemas: readonly Schema[], depth: number): readonly Template[] {
  const schema = intersectSchemas(schemas);
  const always = unconditionalLayers(context, schema);
  const forms = schemaBranches(context, schema);
  if (always.some(({ properties, types }) => properties !== undefined || types.includes("object")))
    return forms.map((form) => objectSample(context, form, depth));
  const formats = forms.flat().flatMap(({ format }) => format ?? []);
  const formatValues = formats.flatMap((format) => Object.values(ownValue(formatSamples, format)?.valid ?? {}));
  const values = always.flatMap((each): readonly Json[] => each.enum ?? []).map(toLiteral);
  const isChoice = always.some(({ anyOf, oneOf }) => anyOf !== undefined || oneOf !== undefined);
  const candidates = [
    ...(isChoice ? formatValues : []),
    schemaSample(context, schema),
    ...forms.map((form) => schemaSample(context, intersectSchemas(form))),
    ...formatValues,
    ...values,
    ...texts,
    0,
    1,
    5,
    [],
  ];
  const fits = candidates.filter((each) => validateTemplate(context, schema, each, "validated").length === 0);
  const visited = new Set<string>();
  return fits
    .filter((each) => {
      const text = JSON.stringify(each);
      return !visited.has(text) && visited.add(text);
    })
    .slice(0, 6);
}

const texts: readonly string[] = [
  "text",
  "a",
  "1.1",
  "web-1",
  "host.example.com",
  "someone@example.com",
  "ABCDEF",
  "123456",
];

/** An object with its required fields. */
function objectSample(context: ConformanceContext, form: readonly Schema[], depth: number): Template {
  const atDepth = (objects[depth] ??= memoizeByKey());
  return atDepth(context.api, form, () => findObject(context, form, depth));
}

/** Cached by depth: many bodies begin with the sample of one schema. */
const objects: ReturnType<typeof memoizeByKey<readonly Schema[], Template>>[] = [];

function findObject(context: ConformanceContext, form: readonly Schema[], depth: number): Template {
  if (depth > 6) return {};
  const entries = requiredNames(form).map((name) => {
    const schemas = form.flatMap((part) => part.properties?.find((each) => each.name === name)?.schema ?? []);
    const [sample = "text"] = schemas.length === 0 ? [] : findSamples(context, schemas, depth + 1);
    return [name, sample] as const;
  });
  return Object.fromEntries(entries);
}

function requiredNames(form: readonly Schema[]): readonly string[] {
  const names = form.flatMap((part) => [
    ...(part.required ?? []),
    ...(part.properties ?? []).filter((each) => each.required).map(({ name }) => name),
  ]);
  return [...new Set(names)];
}

/** Bodies that may be valid with a value at a pointer, the smallest changes first. */
function* bodiesWith(
  context: ConformanceContext,
  schemas: readonly Schema[],
  base: Template | undefined,
  { pointer, value }: { readonly pointer: readonly string[]; readonly value: Template },
): Generator<Template> {
  const [token, ...rest] = pointer;
  if (token === undefined) {
    yield value;
    return;
  }
  const schema = intersectSchemas(schemas);
  const forms = schemaBranches(context, schema);
  if (token === "*") {
    const items = forms.flatMap((form) => form.flatMap(({ items: each }) => each ?? []));
    const others = base !== undefined && isTemplateList(base) ? base : [];
    for (const item of items.length === 0
      ? []
      : bodiesWith(context, items.slice(0, 1), others[0], { pointer: rest, value }))
      yield [item, ...others.slice(1)];
    return;
  }
  const fields: Readonly<Record<string, Template>> = isPlainObject(base) ? base : {};
  const whole = forms.map((form) => objectSample(context, form, 0)).filter(isPlainObject);
  const needed = requiredCompanions(unconditionalLayers(context, schema), token);
  const beside = needed.map((name) => {
    const inner = unconditionalLayers(context, schema).flatMap(
      (part) => part.properties?.find((each) => each.name === name)?.schema ?? [],
    );
    const [sample = "text"] = inner.length === 0 ? [] : schemaSamples(context, inner);
    // Two bounds that depend on each other get the same value.
    return [name, rest.length === 0 && typeof sample === "number" ? value : sample] as const;
  });
  const candidates = [
    { form: forms[0] ?? [], body: fields },
    ...(beside.length === 0 ? [] : [{ form: forms[0] ?? [], body: { ...Object.fromEntries(beside), ...fields } }]),
    ...(beside.length === 0 ? [] : [{ form: forms[0] ?? [], body: { ...fields, ...Object.fromEntries(beside) } }]),
    ...whole.map((body, index) => ({ form: forms[index] ?? [], body: { ...fields, ...body } })),
    ...whole.map((body, index) => ({ form: forms[index] ?? [], body })),
  ];
  const layers = unconditionalLayers(context, schema);
  // An object that lacks a required field is invalid whatever is inside it, and the candidates of each level multiply.
  const required = requiredNames(layers).filter((name) => name !== token);
  for (const { form, body } of candidates) {
    if (required.some((name) => !Object.hasOwn(body, name))) continue;
    const always = [...layers, ...form];
    const inner = always.flatMap((part) => part.properties?.find((each) => each.name === token)?.schema ?? []);
    const [first] = inner;
    if (first === undefined) continue;
    for (const each of bodiesWith(context, [...new Set(inner)], ownValue(body, token), { pointer: rest, value }))
      yield { ...body, [token]: each };
  }
}

/** The fields that a field requires, transitively. */
function requiredCompanions(always: readonly Schema[], field: string): readonly string[] {
  const names = new Set<string>([field]);
  for (const name of names)
    for (const each of always.flatMap(({ dependentRequired }) => dependentRequired?.[name] ?? [])) names.add(each);
  return [...names].slice(1);
}
