import type { Operation, Shape } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { onceEach } from "../model/once.js";
import { requirementsOf, type Context } from "./context.js";

/** The requirements of an operation's successful responses, including every field of their bodies. */
export function sourcesOfReply(context: Context, operation: Operation): readonly string[] {
  const replies = operation.replies.filter(({ status }) => String(status).startsWith("2"));
  return replies.flatMap((reply) => {
    const json = jsonContent(reply.contents);
    const headers = reply.headers.flatMap((header) => [...requirementsOf(header.sources)]);
    return [
      ...requirementsOf(reply.sources),
      ...headers,
      ...(json === undefined ? [] : sourcesOf(context, json.shape)),
    ];
  });
}

/** The requirements of a schema and of all its subschemas. */
export function sourcesOf(context: Context, shape: Shape): readonly string[] {
  return known(context.api, shape, () => findSources(context, shape));
}

const known = onceEach<Shape, readonly string[]>();

function findSources({ shapes }: Context, shape: Shape): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (each: Shape): void => {
    for (const id of requirementsOf(each.sources)) found.add(id);
    if (each.ref !== undefined && !seen.has(each.ref)) {
      seen.add(each.ref);
      const named = shapes.get(each.ref);
      if (named !== undefined) visit(named);
    }
    for (const property of each.properties ?? []) if (!property.writeOnly) visit(property.shape);
    for (const inner of innerOf(each)) visit(inner);
  };
  visit(shape);
  return [...found];
}

function innerOf(shape: Shape): readonly Shape[] {
  const { items, prefixItems = [], additionalProperties, allOf = [], anyOf = [], oneOf = [], then } = shape;
  const maps = [...Object.values(shape.patternProperties ?? {}), ...Object.values(shape.dependentSchemas ?? {})];
  const single = [items, additionalProperties, then, shape.else, shape.contains].filter((each) => each !== undefined);
  return [...prefixItems, ...allOf, ...anyOf, ...oneOf, ...maps, ...single];
}
