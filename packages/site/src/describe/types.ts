import { schemasByName, type Api, type Schema } from "@plumbline/kit/model";
import { html, joinHtml, type Html } from "../render/html.js";
import type { PageContext } from "../site-context.js";

/** Alternatives beyond which a type is only counted. */
const maxAlternatives = 5;

/** Describes the type of a value, with links to named schemas. */
export function describeType(context: PageContext, schema: Schema, depth = 0): Html {
  const text = typeWithoutNull(context, schema, depth);
  const isNullable = schema.types.length > 1 && schema.types.includes("null");
  return isNullable ? html`${text} or null` : text;
}

/** Describes the type of a value to which several schemas apply. What says no more than the others is left out. */
export function describeTypes(context: PageContext, schemas: readonly Schema[], depth = 0): Html {
  const types = distinctTypes(schemas.map((each) => describeType(context, each, depth)));
  const specific = types.filter((each) => !/^(?:(?:array|map) of )*(?:any|object|array)$/.test(each.toString()));
  return specific.length > 0 ? joinHtml(specific, " and ") : (types.at(-1) ?? html`any`);
}

function distinctTypes(types: readonly Html[]): readonly Html[] {
  return [...new Map(types.map((each) => [each.toString(), each] as const)).values()];
}

function typeWithoutNull(context: PageContext, schema: Schema, depth: number): Html {
  if (schema.never === true) return html`nothing`;
  if (schema.ref !== undefined) return schemaLink(context, schema.ref);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined && depth < 3) {
    const typed = alternatives.filter(({ types }) => !(types.length === 1 && types[0] === "null"));
    const orNull = typed.length < alternatives.length ? " or null" : "";
    if (typed.length > maxAlternatives) return html`one of ${typed.length} types${orNull}`;
    const types = distinctTypes(typed.map((each) => describeType(context, each, depth + 1)));
    return html`${joinHtml(types, " or ")}${orNull}`;
  }
  if (schema.allOf !== undefined && schema.properties === undefined && depth < 3)
    return describeTypes(context, schema.allOf, depth + 1);
  if (schema.prefixItems !== undefined && depth < 3) {
    const types = schema.prefixItems.map((each) => describeType(context, each, depth + 1));
    return html`[${joinHtml(types.slice(0, maxAlternatives), ", ")}${types.length > maxAlternatives ? ", …" : ""}]`;
  }
  if (schema.items !== undefined) return html`array of ${describeType(context, schema.items, depth + 1)}`;
  const types = schema.types.filter((each) => each !== "null");
  if (schema.properties === undefined && schema.additionalProperties !== undefined && types.includes("object")) {
    if (schema.additionalProperties.never === true) return html`object`;
    return html`map of ${describeType(context, schema.additionalProperties, depth + 1)}`;
  }
  if (types.length === 0) return html`${fallbackType(schema)}`;
  const text = types.join(" or ");
  return schema.format === undefined ? html`${text}` : html`${text} <span class="format">${schema.format}</span>`;
}

function fallbackType(schema: Schema): string {
  if (schema.types.includes("null")) return "null";
  return schema.properties !== undefined || (schema.allOf ?? []).length > 0 ? "object" : "any";
}

/** Returns the link to the page of a named schema. */
export function schemaLink({ links }: PageContext, name: string): Html {
  const href = links.schema(name);
  return href === undefined ? html`${name}` : html`<a href="${href}">${name}</a>`;
}

/**
 * Returns a schema and those that apply to the same value in all cases: its reference and `allOf`.
 *
 * @param above - Names of schemas that are not followed
 */
export function mergedParts(api: Api, schema: Schema, above: ReadonlySet<string> = new Set()): readonly Schema[] {
  const visited = new Set(above);
  const parts: Schema[] = [];
  const visit = (each: Schema): void => {
    parts.push(each);
    if (each.ref !== undefined && !visited.has(each.ref)) {
      visited.add(each.ref);
      const named = schemasByName(api).get(each.ref);
      if (named !== undefined) visit(named);
    }
    for (const part of each.allOf ?? []) visit(part);
  };
  visit(schema);
  return parts;
}
