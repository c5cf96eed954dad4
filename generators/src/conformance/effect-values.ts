import type { Template } from "@plumbline/conformance-runtime";
import type { Effect, Expression, Operation, Shape } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { part } from "./resource-paths.js";

/** The names under which a case binds the values of expressions. */
export interface Known {
  /** The response to the call. */
  readonly answer: string;
  /** The path's object before the call, if it is known. */
  readonly target?: string;
  /** The objects of the path, by their resources. */
  readonly parameters: Readonly<Record<string, Template>>;
}

/** The template for an expression. Undefined when a case cannot know the value, or when there are several. */
export function valueOf({ root, part: of, name, pointer }: Expression, known: Known): Template | undefined {
  if (pointer.includes("*")) return undefined;
  const way = pointer.map((each) => `/${each.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  if (root === "response") return { $get: `${known.answer}#/body${way}` };
  if (root === "target" && known.target !== undefined) return part(known.target, way);
  if (root === "request" && of === "path") return known.parameters[name ?? ""];
  if (root === "request" && of === "body") return { $get: `${known.answer}#/request/body${way}` };
  return undefined;
}

/** A JSON Schema for the values of an effect. Undefined when none of them is known. */
export function schemaOfValues(effect: Pick<Effect, "values">, known: Known): Template | undefined {
  const fields = Object.entries(effect.values).flatMap(([field, take]) => {
    const value =
      take.kind === "value"
        ? take.value
        : take.kind === "from" && take.times === undefined && take.minus === undefined
          ? valueOf(take.from, known)
          : undefined;
    return value === undefined ? [] : [{ way: field.split("."), value }];
  });
  return fields.length === 0 ? undefined : { allOf: fields.map(({ way, value }) => having(way, { const: value })) };
}

/** A JSON Schema that requires a value at a path. */
export function having([name, ...rest]: readonly string[], value: Template): Template {
  return name === undefined ? value : { properties: { [name]: having(rest, value) }, required: [name] };
}

/** The constants that the body needs for these conditions to hold. Undefined when they need more than constants. */
export function bodyFor({ api }: Context, when: Shape): Readonly<Record<string, Template>> | undefined {
  const fields: Record<string, Template> = {};
  for (const { properties = [], required = [], not, enum: values, const: constant } of partsOf(api, when)) {
    if (not !== undefined || values !== undefined || constant !== undefined) return undefined;
    for (const { name, shape } of properties) {
      if (shape.const === undefined) return undefined;
      fields[name] = shape.const;
    }
    if (required.some((name) => fields[name] === undefined)) return undefined;
  }
  return fields;
}

/** Pointer to a resource in a successful response: `/body`, or a field of it. */
export function answeredAt(context: Context, operation: Operation, resource: string): string | undefined {
  const [shape] = operation.replies
    .filter(({ status }) => status === 200 || status === 201 || status === 202)
    .flatMap(({ contents }) => jsonContent(contents)?.shape ?? []);
  if (shape === undefined) return undefined;
  const parts = partsOf(context.api, shape);
  if (parts.some(({ ref }) => ref === resource)) return "/body";
  const field = parts.flatMap(({ properties = [] }) => properties).find((property) => property.shape.ref === resource);
  return field === undefined ? undefined : `/body/${field.name}`;
}
