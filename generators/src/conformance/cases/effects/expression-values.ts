import type { Template } from "@plumbline/conformance-runtime";
import {
  type Effect,
  type Expression,
  type Operation,
  type Schema,
  schemaParts,
  findJsonContent,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { pointerInto } from "../../requests/object-chains.js";
import { escapePointerToken } from "../../values/pointer-token.js";

/** The names under which a case binds the values of expressions. */
export interface EffectValues {
  /** The response to the call. */
  readonly response: string;
  /** The path's object before the call, if it is known. */
  readonly target?: string | undefined;
  /** The objects of the path, by their resources. */
  readonly parameters: Readonly<Record<string, Template>>;
}

/** The template for an expression. Undefined when a case cannot know the value, or when there are several. */
export function expressionTemplate(
  { root, part, name, pointer }: Expression,
  values: EffectValues,
): Template | undefined {
  if (pointer.includes("*")) return undefined;
  const way = pointer.map((each) => `/${escapePointerToken(each)}`).join("");
  if (root === "response") return { $get: `${values.response}#/body${way}` };
  if (root === "target" && values.target !== undefined) return pointerInto(values.target, way);
  if (root === "request" && part === "path") return values.parameters[name ?? ""];
  if (root === "request" && part === "body") return { $get: `${values.response}#/request/body${way}` };
  return undefined;
}

/** A JSON Schema for the values of an effect. Undefined when none of them is known. */
export function effectValuesSchema(effect: Pick<Effect, "values">, values: EffectValues): Template | undefined {
  const fields = Object.entries(effect.values).flatMap(([field, take]) => {
    const value =
      take.kind === "value"
        ? take.value
        : take.kind === "from" && take.times === undefined && take.minus === undefined
          ? expressionTemplate(take.from, values)
          : undefined;
    return value === undefined ? [] : [{ way: field.split("."), value }];
  });
  return fields.length === 0
    ? undefined
    : { allOf: fields.map(({ way, value }) => schemaWithValue(way, { const: value })) };
}

/** A JSON Schema that requires a value at a path. */
export function schemaWithValue([name, ...rest]: readonly string[], value: Template): Template {
  return name === undefined ? value : { properties: { [name]: schemaWithValue(rest, value) }, required: [name] };
}

/** The constants that the body needs for these conditions to hold. Undefined when they need more than constants. */
export function bodyForCondition(
  { api }: ConformanceContext,
  when: Schema,
): Readonly<Record<string, Template>> | undefined {
  const fields = Object.create(null) as Record<string, Template>;
  for (const { properties = [], required = [], not, enum: values, const: constant } of schemaParts(api, when)) {
    if (not !== undefined || values !== undefined || constant !== undefined) return undefined;
    for (const { name, schema } of properties) {
      if (schema.const === undefined) return undefined;
      fields[name] = schema.const;
    }
    if (required.some((name) => fields[name] === undefined)) return undefined;
  }
  return fields;
}

/** Pointer to a resource in a successful response: `/body`, or a field of it. */
export function objectPointerInResponse(
  context: ConformanceContext,
  operation: Operation,
  resource: string,
): string | undefined {
  const [schema] = operation.responses
    .filter(({ status }) => status === 200 || status === 201 || status === 202)
    .flatMap(({ contents }) => findJsonContent(contents)?.schema ?? []);
  if (schema === undefined) return undefined;
  const parts = schemaParts(context.api, schema);
  if (parts.some(({ ref }) => ref === resource)) return "/body";
  const field = parts.flatMap(({ properties = [] }) => properties).find((property) => property.schema.ref === resource);
  return field === undefined ? undefined : `/body/${field.name}`;
}
