import type { Template } from "@plumbline/conformance-runtime";
import type { Effect, Expression, Operation, Shape } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { part } from "./resource-paths.js";

/** What expressions are worked out from, by the names that a case gives them. */
export interface Known {
  /** The answer of the call. */
  readonly answer: string;
  /** The object of the path as it was before, where it is known. */
  readonly target?: string;
  /** The objects of the path, by their resources. */
  readonly parameters: Readonly<Record<string, Template>>;
}

/** What an expression stands for; undefined where a case cannot tell, or where it stands for several. */
export function valueOf({ root, part: of, name, pointer }: Expression, known: Known): Template | undefined {
  if (pointer.includes("*")) return undefined;
  const way = pointer.map((each) => `/${each.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  if (root === "response") return { $get: `${known.answer}#/body${way}` };
  if (root === "target" && known.target !== undefined) return part(known.target, way);
  if (root === "request" && of === "path") return known.parameters[name ?? ""];
  if (root === "request" && of === "body") return { $get: `${known.answer}#/request/body${way}` };
  return undefined;
}

/** The values that an effect gives, as a JSON Schema; undefined where none of them is known. */
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

/** Objects that have a value at the end of these names. */
export function having([name, ...rest]: readonly string[], value: Template): Template {
  return name === undefined ? value : { properties: { [name]: having(rest, value) }, required: [name] };
}

/** What a request has to have in its body so that these hold: constants of fields. Undefined where it takes more than that. */
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

/** Where an answer of success has an object of a resource: `/body`, or in a field of it. */
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
