import {
  assertions,
  describeBounds,
  describeCondition,
  describeExpression,
  type ExpressionContext,
  numericKeywords,
  titleOfName,
  type Json,
  type Mutability,
  type Property,
  type ResourceReference,
  type Schema,
  typedBranches,
  type ValueRule,
  type ValueSource,
  type Visibility,
} from "@plumbline/kit/model";
import { html, joinHtml, phraseHtml, type Html } from "../render/html.js";
import type { PageContext } from "../site-context.js";
import { describeLimit } from "./limits.js";

/** Values of an enum beyond which a fact counts the rest. */
const maxValues = 40;

type FactProperty = Pick<Property, "name" | "mutability">;

/** Describes the constraints and rules of a value, each as a short statement. */
export function describeFacts(context: PageContext, schema: Schema, property?: FactProperty): readonly Html[] {
  const ofBranches = typedBranches(schema).flatMap(({ label, schema: branch }) => {
    const facts = constraintFacts(branch);
    return facts.length === 0 ? [] : [html`${label}: ${joinHtml(facts, "; ")}`];
  });
  return [...constraintFacts(schema), ...ofBranches, ...ruleFacts(context, schema, property)];
}

function constraintFacts(schema: Schema): readonly Html[] {
  const { enum: listed, const: only, pattern } = schema;
  const otherNumbers = numericKeywords.filter((each) => !("side" in each) || each.types.includes("object"));
  return [
    ...describeBounds(schema).map((text) => html`${text}`),
    ...otherNumbers.flatMap(({ name }) =>
      schema[name] === undefined ? [] : [html`${titleOfName(name)} ${schema[name]}`],
    ),
    ...assertions.flatMap(({ name }) => (schema[name] === true ? [html`${titleOfName(name)}`] : [])),
    ...(only === undefined ? [] : [html`Always ${valueCode(only)}`]),
    ...(listed === undefined ? [] : [listedValues(listed)]),
    ...(pattern === undefined ? [] : [html`Matches <code>${shorten(pattern)}</code>`]),
    ...(schema.default === undefined ? [] : [html`Default ${valueCode(schema.default)}`]),
    ...(schema.examples ?? [])
      .slice(0, 1)
      .filter((each) => typeof each !== "object") // samples show objects
      .map((each) => html`Example ${valueCode(each)}`),
    ...(schema.contentMediaType === undefined ? [] : [html`Contains <code>${schema.contentMediaType}</code>`]),
    ...Object.entries(schema.dependentRequired ?? {}).map(
      ([name, others]) => html`With <code>${name}</code>: ${joinHtml(others.map(code), ", ")} required`,
    ),
  ];
}

function ruleFacts(context: PageContext, schema: Schema, property: FactProperty | undefined): readonly Html[] {
  const { reference, visibility, filterable, valueRules = [], limits = [], errors = [], scopeCeiling } = schema;
  return [
    ...(property?.mutability === undefined ? [] : [mutabilityFact(property.mutability)]),
    ...(reference === undefined ? [] : [referenceFact(context, reference)]),
    ...(visibility === undefined ? [] : visibilityFacts(visibility)),
    ...(filterable === undefined ? [] : [html`Lists can be filtered by it`]),
    ...valueRules.flatMap(valueRuleFact),
    ...limits.map((limit) => {
      const subject = property === undefined ? {} : { property: property.name };
      const { text, href } = describeLimit(context, { limit, ...subject });
      return html`<a href="${href}">${text}</a>`;
    }),
    ...(scopeCeiling === undefined
      ? []
      : [html`At most the scopes of ${phraseHtml(describeExpression(scopeCeiling.atMost))}`]),
    ...errors.map(({ id, when }) => {
      const cause = when === undefined ? html`` : html` if ${phraseHtml(describeCondition(when))}`;
      return html`Error <a href="${context.links.error(id)}">${id}</a>${cause}`;
    }),
  ];
}

function mutabilityFact({ rule, to }: Mutability): Html {
  switch (rule) {
    case "immutable":
      return html`Never changes`;
    case "one-way":
      return html`Changes to ${valueCode(to ?? null)} only`;
    case "increase":
      return html`Only increases`;
    case "next":
      return html`Changes to the next value only`;
  }
}

function referenceFact({ links }: PageContext, { to, by }: ResourceReference): Html {
  const href = links.schema(to);
  const name = href === undefined ? html`${to}` : html`<a href="${href}">${to}</a>`;
  return html`The <code>${by ?? "id"}</code> of ${/^[AEIOU]/.test(to) ? "an" : "a"} ${name}`;
}

function visibilityFacts({ in: operations, when, secret }: Visibility): readonly Html[] {
  return [
    ...(secret === true ? [html`Secret`] : []),
    ...(operations === undefined ? [] : [html`Only in ${joinHtml(operations.map(code), ", ")}`]),
    ...(when === undefined ? [] : [html`Visible if ${phraseHtml(describeCondition(when))}`]),
  ];
}

function valueRuleFact({ absent, when, set, interpretAs, round, escape }: ValueRule): readonly Html[] {
  const condition = when === undefined ? html`` : html` if ${phraseHtml(describeCondition(when))}`;
  if (set !== undefined)
    return [
      set.kind === "ignore"
        ? html`Ignored${condition}`
        : html`${absent === true ? "Default " : "Becomes "}${sourceText(set)}${condition}`,
    ];
  if (interpretAs !== undefined) return [html`Read as ${valueCode(interpretAs)}${condition}`];
  if (round !== undefined) return [html`Rounded ${round === "up" ? "up" : "to the nearest allowed value"}`];
  return escape === undefined ? [] : [html`Escaped as ASCII`];
}

/** Describes where a value comes from; `about` names the objects of an operation. */
export function sourceText(source: ValueSource, about: ExpressionContext = {}): Html {
  switch (source.kind) {
    case "value":
      return valueCode(source.value);
    case "from":
      return html`${phraseHtml(describeExpression(source.from, about))}${source.times === undefined ? "" : ` × ${source.times}`}${
        source.minus === undefined ? "" : html` − ${phraseHtml(describeExpression(source.minus, about))}`
      }`;
    case "platform":
      return html`a value of the platform`;
    case "ignore":
      return html`nothing`;
  }
}

function listedValues(values: readonly Json[]): Html {
  const more = values.length > maxValues ? `, and ${values.length - maxValues} more` : "";
  return html`One of ${joinHtml(values.slice(0, maxValues).map(valueCode), ", ")}${more}`;
}

function valueCode(value: Json): Html {
  return code(shorten(typeof value === "string" ? value || '""' : JSON.stringify(value)));
}

function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** Characters of a value beyond which a fact shortens it. */
const maxValueLength = 120;

function shorten(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
