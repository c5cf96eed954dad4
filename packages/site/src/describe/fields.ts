import type { Property, Schema } from "@plumbline/kit/model";
import { html, joinHtml, type Html } from "../render/html.js";
import { renderInlineMarkdown, renderMarkdown, type HeadingLevel } from "../render/markdown.js";
import { claimAnchor, type PageContext } from "../site-context.js";
import { anchorOf } from "../site-links.js";
import { describeFacts } from "./facts.js";
import { describeSources, type SourcesView } from "./sources.js";
import { describeType, describeTypes, mergedParts } from "./types.js";

/** What is inside a value. */
export interface StructureView {
  readonly fields: readonly FieldView[];
  /** The alternatives of `oneOf` and `anyOf`, and what holds in some cases, where their fields differ. */
  readonly alternatives: readonly AlternativeView[];
  readonly discriminator: string | undefined;
}

/** A value, with its fields and alternatives. */
export interface ValueView extends StructureView {
  readonly type: Html;
  readonly description: Html | undefined;
  readonly facts: readonly Html[];
  /** How many fields the page leaves out. */
  readonly hidden: number;
}

export interface FieldView extends StructureView {
  /** The name of a property, its pattern, `*` for all others, or the index of an item, such as `[0]`. */
  readonly name: string;
  readonly anchor: string;
  readonly type: Html;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly badges: readonly string[];
  readonly description: Html | undefined;
  readonly facts: readonly Html[];
  readonly sources: SourcesView | undefined;
}

export interface AlternativeView extends StructureView {
  readonly label: Html;
  readonly description: Html | undefined;
}

export interface ValueOptions {
  /** The start of anchors, unique on the page. */
  readonly anchor: string;
  /** The name of the schema, on its own page. */
  readonly name?: string;
  /** Whether the fields of a named schema are part of the page. Default: true. */
  readonly expandsReference?: boolean;
  /** The level of headings in its description. Default: 3. */
  readonly headingLevel?: HeadingLevel;
}

/** Fields of a value beyond which a page leaves out the rest: some descriptions nest thousands. */
const maxFields = 400;
const maxListedAlternatives = 12;

/** Describes a value of a request or a response: its type, its constraints and its fields. */
export function describeValue(
  context: PageContext,
  schema: Schema,
  { anchor, name, expandsReference = true, headingLevel = 3 }: ValueOptions,
): ValueView {
  const counter = { shown: 0, hidden: 0 };
  const isExpanded = expandsReference || schema.ref === undefined;
  const parts = isExpanded ? mergedParts(context.api, schema) : [schema];
  const described = parts.find((each) => each.description !== undefined)?.description;
  const inside = innerSchemas(parts);
  const inner = inside === parts ? parts : inside.flatMap((each) => mergedParts(context.api, each));
  const content = describeParts(context, isExpanded ? inner : [], {
    anchor,
    above: new Set(name === undefined ? [] : [name]),
    counter,
  });
  return {
    type: describeType(context, schema),
    description: described === undefined ? undefined : renderMarkdown(described, headingLevel),
    facts: parts.flatMap((each) => describeFacts(context, each)),
    ...content,
    hidden: counter.hidden,
  };
}

/** Describes what is inside a parameter or header. Named schemas have pages of their own. */
export function describeStructure(context: PageContext, schema: Schema, anchor: string): StructureView {
  return describeParts(context, expand(context, [schema], new Set()), {
    anchor,
    above: new Set(),
    counter: { shown: 0, hidden: 0 },
  });
}

/** Returns the schemas of what is inside a value, without those that have pages of their own. */
function expand({ api }: PageContext, schemas: readonly Schema[], above: ReadonlySet<string>): readonly Schema[] {
  return innerSchemas(schemas).flatMap((each) => (each.ref === undefined ? mergedParts(api, each, above) : []));
}

interface StructureOptions {
  readonly anchor: string;
  /** The named schemas around this one, which are not described within themselves. */
  readonly above: ReadonlySet<string>;
  readonly counter: { shown: number; hidden: number };
}

/** Describes what is inside a value, from the schemas that apply to it. */
function describeParts(context: PageContext, parts: readonly Schema[], options: StructureOptions): StructureView {
  const above = new Set([...options.above, ...parts.flatMap(({ ref }) => ref ?? [])]);
  const fields = describeFields(context, parts, { ...options, above });
  const alternatives = parts
    .flatMap(alternativesOf)
    .slice(0, maxListedAlternatives)
    .map(({ schema, label }, index): AlternativeView => {
      const anchor = `${options.anchor}-${index + 1}`;
      const inner = schema.ref === undefined ? mergedParts(context.api, schema, above) : [];
      return {
        label: label ?? alternativeLabel(context, schema),
        description: schema.description === undefined ? undefined : renderMarkdown(schema.description),
        ...describeParts(context, inner, { ...options, anchor, above }),
      };
    });
  const isPlain = alternatives.every((each) => !hasStructure(each) && each.description === undefined);
  return {
    fields,
    alternatives: isPlain ? [] : alternatives,
    discriminator: parts.find((each) => each.discriminator !== undefined)?.discriminator?.propertyName,
  };
}

/** Returns the title, else the type; for an object without a name also its first fields. */
function alternativeLabel(context: PageContext, schema: Schema): Html {
  const { title, ref, properties = [] } = schema;
  if (title !== undefined) return html`${title}`;
  const type = describeType(context, schema);
  const names = properties.slice(0, 3).map(({ name }) => html`<code>${name}</code>`);
  return ref === undefined && names.length > 0 ? html`${type} with ${joinHtml(names, ", ")}` : type;
}

function hasStructure({ fields, alternatives }: StructureView): boolean {
  return fields.length > 0 || alternatives.length > 0;
}

interface Alternative {
  readonly schema: Schema;
  /** When it holds. Absent: the alternative has a type or a title. */
  readonly label?: Html;
}

function alternativesOf(part: Schema): readonly Alternative[] {
  const { oneOf = [], anyOf = [], dependentSchemas = {} } = part;
  const isNull = ({ types }: Schema): boolean => types.length === 1 && types[0] === "null";
  return [
    ...[...oneOf, ...anyOf].filter((each) => !isNull(each)).map((schema) => ({ schema })),
    ...Object.entries(dependentSchemas).map(([name, schema]) => ({ schema, label: html`With <code>${name}</code>` })),
    ...(part.then === undefined ? [] : [{ schema: part.then, label: html`In some cases` }]),
    ...(part.else === undefined ? [] : [{ schema: part.else, label: html`In all other cases` }]),
  ];
}

/** The items of lists and the values of maps. Other schemas stand for themselves. */
function innerSchemas(parts: readonly Schema[]): readonly Schema[] {
  const inner = parts.flatMap(({ items, prefixItems, properties, additionalProperties }) =>
    prefixItems === undefined && properties === undefined ? (items ?? additionalProperties ?? []) : [],
  );
  return inner.length > 0 && !parts.some(({ properties }) => properties !== undefined) ? inner : parts;
}

/** A property, or another value at a place inside a value, with all schemas that apply there. */
interface Member extends Omit<Property, "schema" | "required"> {
  readonly schemas: readonly Schema[];
}

function membersOf(parts: readonly Schema[]): readonly Member[] {
  const members = new Map<string, Member>();
  const add = (property: Omit<Property, "required">): void => {
    const { schema, ...rest } = property;
    const before = members.get(property.name);
    members.set(property.name, {
      ...rest,
      ...before,
      readOnly: property.readOnly || before?.readOnly === true,
      writeOnly: property.writeOnly || before?.writeOnly === true,
      schemas: [...(before?.schemas ?? []), schema],
    });
  };
  const addValue = (name: string, schema: Schema): void => add({ name, schema, readOnly: false, writeOnly: false });
  for (const { properties = [], patternProperties = {}, additionalProperties: others, prefixItems, items } of parts) {
    properties.forEach(add);
    for (const [pattern, schema] of Object.entries(patternProperties)) addValue(pattern, schema);
    if (properties.length > 0 && others !== undefined && others.never !== true) addValue("*", others);
    prefixItems?.forEach((schema, index) => addValue(`[${index}]`, schema));
    if (prefixItems !== undefined && items !== undefined && items.never !== true)
      addValue(`[${prefixItems.length}, …]`, items);
  }
  return [...members.values()];
}

function describeFields(
  context: PageContext,
  parts: readonly Schema[],
  options: StructureOptions,
): readonly FieldView[] {
  const required = new Set(parts.flatMap((each) => each.required ?? []));
  return membersOf(parts).flatMap((member) => {
    if (options.counter.shown >= maxFields) {
      options.counter.hidden++;
      return [];
    }
    options.counter.shown++;
    return [describeField(context, member, { ...options, isRequired: required.has(member.name) })];
  });
}

function describeField(
  context: PageContext,
  member: Member,
  { anchor, above, counter, isRequired }: StructureOptions & { readonly isRequired: boolean },
): FieldView {
  const { name, schemas } = member;
  const fieldAnchor = claimAnchor(context, `${anchor}-${anchorOf(name)}`);
  // A named schema has a page of its own; a named text or number has its constraints here, too.
  const parts = schemas.flatMap((schema) => {
    const merged = mergedParts(context.api, schema, above);
    return schema.ref !== undefined && merged.some(({ properties }) => properties !== undefined) ? [schema] : merged;
  });
  const described = [...schemas, ...parts].find((each) => each.description !== undefined)?.description;
  const isDeprecated = schemas.some(({ deprecated }) => deprecated === true);
  const items = schemas.flatMap((each) => (each.items === undefined || each.items.ref !== undefined ? [] : each.items));
  return {
    name,
    anchor: fieldAnchor,
    type: describeTypes(context, schemas),
    isRequired,
    isDeprecated,
    badges: [
      ...(member.readOnly ? ["read only"] : []),
      ...(member.writeOnly ? ["write only"] : []),
      ...(isDeprecated ? ["deprecated"] : []),
    ],
    description: described === undefined ? undefined : renderInlineMarkdown(described),
    facts: distinct([
      ...parts.flatMap((each) => describeFacts(context, each, schemas.includes(each) ? member : undefined)),
      ...items.flatMap((each) => describeFacts(context, each).map((fact) => html`Each: ${fact}`)),
    ]),
    sources: describeSources(context, schemas),
    ...describeParts(context, expand(context, schemas, above), { anchor: fieldAnchor, above, counter }),
  };
}

function distinct(facts: readonly Html[]): readonly Html[] {
  return [...new Map(facts.map((each) => [each.toString(), each] as const)).values()];
}
