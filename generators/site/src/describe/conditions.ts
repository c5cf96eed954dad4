import { describeBounds } from "@plumbline/codegen";
import type { Condition, Expression, Json, Schema } from "@plumbline/model";
import { html, joinHtml, type Html } from "../render/html.js";

/** Names a property of the object that a statement is about. */
type Subject = (path: string) => Html;

const ownField: Subject = (path) => html`<code>${path}</code>`;
const targetField: Subject = (path) => html`the object’s <code>${path}</code>`;
const callerField: Subject = (path) => html`the caller’s <code>${path}</code>`;
const referenceField =
  (name: string): Subject =>
  (path) =>
    html`<code>${path}</code> of <code>${name}</code>`;

/** Describes a condition in words, such as `tags` has at least 1 item, and the caller's `restricted` is `true`. */
export function describeCondition(condition: Condition): Html {
  const { caller, body, target, sent, refs = {}, changes = [], compare } = condition;
  const phrases = [
    ...(body === undefined ? [] : describeObject(body, ownField)),
    ...(sent === undefined ? [] : describeObject(sent, ownField)),
    ...(target === undefined ? [] : describeObject(target, targetField)),
    ...(caller === undefined ? [] : describeObject(caller, callerField)),
    ...Object.entries(refs).flatMap(([name, schema]) => describeObject(schema, referenceField(name))),
    ...changes.map((name) => html`<code>${name}</code> changes`),
    ...(compare === undefined ? [] : [describeComparison(compare)]),
  ];
  return joinHtml(phrases, ", and ");
}

/** Names the value of an expression, such as `image` in the body. */
export function describeExpression({ text, root, part, name, pointer }: Expression): Html {
  const path = pointer.join(".");
  switch (root) {
    case "request":
      if (part === "body") return path === "" ? html`the body` : html`<code>${path}</code> in the body`;
      return html`<code>${name}</code> in the ${part}`;
    case "response":
      return path === "" ? html`the response` : html`<code>${path}</code> in the response`;
    case "target":
      return path === "" ? html`the object` : targetField(path);
    case "caller":
      return callerField([...(name === undefined ? [] : [name]), ...pointer].join("."));
    case "refs":
      return path === "" ? html`the object of <code>${part}</code>` : referenceField(part ?? "")(path);
    case "relative":
      return html`<code>${path === "" ? text : path}</code>`;
  }
}

const operators = {
  eq: "equals",
  ne: "differs from",
  lt: "is less than",
  lte: "is at most",
  in: "is in",
  notIn: "is not in",
} as const;

function describeComparison({ left, operator, right }: NonNullable<Condition["compare"]>): Html {
  const other = isExpression(right) ? describeExpression(right) : valueOf(right);
  return html`${describeExpression(left)} ${operators[operator]} ${other}`;
}

function isExpression(value: Expression | Json): value is Expression {
  return typeof value === "object" && value !== null && "root" in value && "pointer" in value;
}

/** The statements about an object: one for each property. */
function describeObject(schema: Schema, subject: Subject, path = ""): readonly Html[] {
  const properties = schema.properties ?? [];
  const required = (schema.required ?? []).filter((name) => !properties.some((each) => each.name === name));
  const inner = (each: Schema): readonly Html[] => describeObject(each, subject, path);
  return [
    ...required.map((name) => html`${subject(path + name)} is present`),
    ...properties.flatMap(({ name, schema: value, required: isRequired }) => {
      if (value.properties !== undefined || value.required !== undefined)
        return describeObject(value, subject, `${path}${name}.`);
      const phrases = describeValue(value);
      const named = subject(path + name);
      if (phrases.length === 0) return [html`${named} is present`];
      return phrases.map((phrase) => html`${named} ${isRequired ? "" : "is absent or "}${phrase}`);
    }),
    ...(schema.not === undefined ? [] : [html`not: ${joinHtml(inner(schema.not), " and ")}`]),
    ...(schema.allOf ?? []).flatMap(inner),
    ...alternatives([...(schema.anyOf ?? []), ...(schema.oneOf ?? [])], inner),
    ...(properties.length + required.length === 0 ? describeValue({ ...schema, ...withoutParts }) : []).map(
      (phrase) => html`the value ${phrase}`,
    ),
  ];
}

const withoutParts = { not: undefined, allOf: undefined, anyOf: undefined, oneOf: undefined } as unknown as object;

/** The statements about a value, as predicates. */
function describeValue(schema: Schema): readonly Html[] {
  const { const: only, enum: listed, types, contains, not, pattern } = schema;
  return [
    ...(only === undefined ? [] : [html`is ${valueOf(only)}`]),
    ...(listed === undefined ? [] : [html`is ${joinHtml(listed.map(valueOf), " or ")}`]),
    ...(types.length === 0 || only !== undefined ? [] : [html`is ${types.join(" or ")}`]),
    ...describeBounds(schema).map((bound) => `${/(?:character|item)s?$/.test(bound) ? "has" : "is"} ${lower(bound)}`),
    ...(pattern === undefined ? [] : [html`matches <code>${pattern}</code>`]),
    ...(contains === undefined ? [] : [html`contains an item: ${joinHtml(describeItem(contains), " and ")}`]),
    ...(not === undefined ? [] : [html`not: ${joinHtml(describeItem(not), " and ")}`]),
    ...alternatives([...(schema.anyOf ?? []), ...(schema.oneOf ?? [])], describeItem),
  ].map((phrase) => html`${phrase}`);
}

function describeItem(schema: Schema): readonly Html[] {
  return schema.properties === undefined && schema.required === undefined
    ? describeValue(schema)
    : describeObject(schema, ownField);
}

function alternatives(schemas: readonly Schema[], describe: (schema: Schema) => readonly Html[]): readonly Html[] {
  if (schemas.length === 0) return [];
  return [
    joinHtml(
      schemas.map((each) => joinHtml(describe(each), " and ")),
      " or ",
    ),
  ];
}

function valueOf(value: Json): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
