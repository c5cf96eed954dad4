import type { Property, Schema } from "@plumbline/model";
import { html, type Html } from "../render/html.js";
import { renderInlineMarkdown, renderMarkdown, type HeadingLevel } from "../render/markdown.js";
import { claimAnchor, type PageContext } from "../site-context.js";
import { anchorOf } from "../site-links.js";
import { describeFacts } from "./facts.js";
import { describeSources, type SourcesView } from "./sources.js";
import { describeType, mergedParts } from "./types.js";

/** A value, with its fields and alternatives. */
export interface ValueView {
  readonly type: Html;
  readonly description: Html | undefined;
  readonly facts: readonly Html[];
  readonly fields: readonly FieldView[];
  /** The alternatives of `oneOf` and `anyOf`, where their fields differ. */
  readonly alternatives: readonly AlternativeView[];
  readonly discriminator: string | undefined;
  /** How many fields the page leaves out. */
  readonly hidden: number;
}

export interface FieldView {
  readonly name: string;
  readonly anchor: string;
  readonly type: Html;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly badges: readonly string[];
  readonly description: Html | undefined;
  readonly facts: readonly Html[];
  readonly sources: SourcesView | undefined;
  readonly fields: readonly FieldView[];
}

export interface AlternativeView {
  readonly label: Html;
  readonly description: Html | undefined;
  readonly fields: readonly FieldView[];
}

export interface ValueOptions {
  /** The start of anchors, unique on the page. */
  readonly anchor: string;
  /** Whether the fields of a named schema are part of the page. Default: true. */
  readonly expandsReference?: boolean;
  /** The level of headings in its description. Default: 3. */
  readonly headingLevel?: HeadingLevel;
}

/** Fields of a value beyond which a page leaves out the rest: some descriptions nest thousands. */
const maxFields = 400;
/** Objects within objects beyond which fields have only their type. */
const maxDepth = 4;
const maxListedAlternatives = 12;

/** Describes a value of a request or a response: its type, its constraints and its fields. */
export function describeValue(
  context: PageContext,
  schema: Schema,
  { anchor, expandsReference = true, headingLevel = 3 }: ValueOptions,
): ValueView {
  const counter = { shown: 0, hidden: 0 };
  const list = schema.items;
  const parts = expandsReference || schema.ref === undefined ? mergedParts(context.api, schema) : [schema];
  const described = parts.find((each) => each.description !== undefined)?.description;
  const alternatives = parts.flatMap(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf]);
  const fieldParts = list === undefined ? parts : mergedParts(context.api, list);
  const view = {
    type: describeType(context, schema),
    description: described === undefined ? undefined : renderMarkdown(described, headingLevel),
    facts: parts.flatMap((each) => describeFacts(context, each)),
    fields:
      expandsReference || schema.ref === undefined ? fieldsOf(context, fieldParts, { anchor, depth: 0, counter }) : [],
    alternatives: alternatives
      .filter(({ types }) => !(types.length === 1 && types[0] === "null"))
      .slice(0, maxListedAlternatives)
      .map((each, index) =>
        describeAlternative(context, each, { anchor: `${anchor}-${index + 1}`, depth: 1, counter }),
      ),
    discriminator: parts.find((each) => each.discriminator !== undefined)?.discriminator?.propertyName,
  };
  const isPlain = view.alternatives.every((each) => each.fields.length === 0 && each.description === undefined);
  return { ...view, alternatives: isPlain ? [] : view.alternatives, hidden: counter.hidden };
}

interface FieldOptions {
  readonly anchor: string;
  readonly depth: number;
  readonly counter: { shown: number; hidden: number };
}

function describeAlternative(context: PageContext, schema: Schema, options: FieldOptions): AlternativeView {
  const parts = schema.ref === undefined ? mergedParts(context.api, schema) : [schema];
  return {
    label: schema.title === undefined ? describeType(context, schema) : html`${schema.title}`,
    description: schema.description === undefined ? undefined : renderMarkdown(schema.description),
    fields: fieldsOf(context, parts, options),
  };
}

function fieldsOf(context: PageContext, parts: readonly Schema[], options: FieldOptions): readonly FieldView[] {
  const required = new Set(parts.flatMap((each) => each.required ?? []));
  const properties = new Map<string, Property>();
  for (const { properties: own = [] } of parts)
    for (const each of own) if (!properties.has(each.name)) properties.set(each.name, each);
  const views: FieldView[] = [];
  for (const property of properties.values()) {
    if (options.counter.shown >= maxFields) {
      options.counter.hidden++;
      continue;
    }
    options.counter.shown++;
    views.push(describeField(context, { ...property, required: required.has(property.name) }, options));
  }
  return views;
}

function describeField(context: PageContext, property: Property, { anchor, depth, counter }: FieldOptions): FieldView {
  const { name, schema } = property;
  const own = claimAnchor(context, `${anchor}-${anchorOf(name)}`);
  // A named schema has a page of its own; a named text or number has its constraints here, too.
  const parts = mergedParts(context.api, schema);
  const isStructured = parts.some((each) => each.properties !== undefined);
  const valueParts = schema.ref !== undefined && isStructured ? [schema] : parts;
  const described = [schema, ...valueParts].find((each) => each.description !== undefined)?.description;
  const inner = schema.items ?? schema.additionalProperties ?? schema;
  const innerParts = inner.ref === undefined && depth < maxDepth ? mergedParts(context.api, inner) : [];
  return {
    name,
    anchor: own,
    type: describeType(context, schema),
    isRequired: property.required,
    isDeprecated: schema.deprecated === true,
    badges: [
      ...(property.readOnly ? ["read only"] : []),
      ...(property.writeOnly ? ["write only"] : []),
      ...(schema.deprecated === true ? ["deprecated"] : []),
    ],
    description: described === undefined ? undefined : renderInlineMarkdown(described),
    facts: distinct([
      ...valueParts.flatMap((each) => describeFacts(context, each, each === schema ? property : undefined)),
      ...(schema.items === undefined || schema.items.ref !== undefined
        ? []
        : describeFacts(context, schema.items).map((fact) => html`Each: ${fact}`)),
    ]),
    sources: describeSources(context, [schema]),
    fields: fieldsOf(context, innerParts, { anchor: own, depth: depth + 1, counter }),
  };
}

function distinct(facts: readonly Html[]): readonly Html[] {
  return [...new Map(facts.map((each) => [each.toString(), each] as const)).values()];
}
