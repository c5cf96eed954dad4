import type { Condition, Expression, Json, Schema } from "../api.js";
import { describeBounds } from "./bounds.js";
import { callerField, describeExpression, type ExpressionContext, targetField, targetObject } from "./expressions.js";
import { withArticle } from "./names.js";
import { codePhrase, joinPhrases, listPhrases, phrase, type Phrase, toPlainText } from "./phrase.js";

/** Names an object that a statement is about, and its properties. */
interface Subject {
  readonly object: Phrase;
  readonly field: (path: readonly string[]) => Phrase;
}

/** Describes a condition in words, such as `tags` has at least 1 item, and the caller's `restricted` is `true`. */
export function describeCondition(condition: Condition, context: ExpressionContext = {}): Phrase {
  const { changes = [], compare } = condition;
  const phrases = [
    ...schemasOf(condition, context).flatMap(([schema, subject]) => describeObject(schema, subject)),
    ...changes.map((name) => phrase`${codePhrase(name)} changes`),
    ...(compare === undefined ? [] : [describeComparison(compare, context)]),
  ];
  return phrases.length === 0 ? ["always"] : joinPhrases(phrases, ", and ");
}

/** Characters of a condition beyond which a clause names only the fields that decide. */
const maxClauseLength = 80;

/** Describes a condition as the end of a sentence: ` if tags changes`, or if that is long, `, depending on image and tags`. */
export function conditionClause(condition: Condition | undefined, context: ExpressionContext = {}): Phrase {
  if (condition === undefined) return [];
  const words = describeCondition(condition, context);
  if (toPlainText(words).length <= maxClauseLength) return phrase` if ${words}`;
  const fields = decidingFields(condition, context).slice(0, 3);
  return phrase`, depending on ${listPhrases(fields, "and")}`;
}

function decidingFields(condition: Condition, context: ExpressionContext): readonly Phrase[] {
  const { changes = [], compare } = condition;
  const fields = [
    ...schemasOf(condition, context).flatMap(([schema, { object, field }]) => {
      const names = propertyNames(schema);
      return names.length === 0 ? [object] : names.map((name) => field([name]));
    }),
    ...changes.map(codePhrase),
    ...(compare === undefined ? [] : [describeExpression(compare.left, context)]),
  ];
  return [...new Map(fields.map((each) => [toPlainText(each), each] as const)).values()];
}

function propertyNames({
  required = [],
  properties = [],
  not,
  allOf = [],
  anyOf = [],
  oneOf = [],
}: Schema): readonly string[] {
  const parts = [...(not === undefined ? [] : [not]), ...allOf, ...anyOf, ...oneOf];
  return [...required, ...properties.map(({ name }) => name), ...parts.flatMap(propertyNames)];
}

const bodySubject: Subject = { object: ["the body"], field: (path) => codePhrase(path.join(".")) };

function schemasOf(
  { caller, body, target, sent, refs = {} }: Condition,
  context: ExpressionContext,
): readonly (readonly [Schema, Subject])[] {
  const subjects: readonly (readonly [Schema | undefined, Subject])[] = [
    [body, bodySubject],
    [sent, bodySubject],
    [target, { object: targetObject(context), field: (path) => targetField(path, context) }],
    [caller, { object: ["the caller"], field: callerField }],
    ...Object.entries(refs).map(([name, schema]): [Schema, Subject] => [
      schema,
      { object: codePhrase(name), field: (path) => phrase`${codePhrase(path.join("."))} of ${codePhrase(name)}` },
    ]),
  ];
  return subjects.flatMap(([schema, subject]) => (schema === undefined ? [] : [[schema, subject] as const]));
}

const operators = {
  eq: "equals",
  ne: "differs from",
  lt: "is less than",
  lte: "is at most",
  in: "is in",
  notIn: "is not in",
} as const;

function describeComparison(
  { left, operator, right }: NonNullable<Condition["compare"]>,
  context: ExpressionContext,
): Phrase {
  const other = isExpression(right) ? describeExpression(right, context) : valuePhrase(right);
  return phrase`${describeExpression(left, context)} ${operators[operator]} ${other}`;
}

function isExpression(value: Expression | Json): value is Expression {
  return typeof value === "object" && value !== null && "root" in value && "pointer" in value;
}

/** The statements about an object: one for each property. */
function describeObject(schema: Schema, subject: Subject, path: readonly string[] = []): readonly Phrase[] {
  const properties = schema.properties ?? [];
  const required = (schema.required ?? []).filter((name) => !properties.some((each) => each.name === name));
  const inner = (each: Schema): readonly Phrase[] => describeObject(each, subject, path);
  const object = path.length === 0 ? subject.object : subject.field(path);
  const absent = namesOfAbsent(schema.not);
  return [
    ...(required.length === 0 ? [] : [phrase`${object} has ${listPhrases(required.map(codePhrase), "and")}`]),
    ...properties.flatMap(({ name, schema: value, required: isRequired }) => {
      const isObject = value.properties !== undefined || value.required !== undefined;
      if (isObject) return describeObject(value, subject, [...path, name]);
      const phrases = describeValue(value);
      if (phrases.length === 0) return [phrase`${object} has ${codePhrase(name)}`];
      const field = subject.field([...path, name]);
      return phrases.map((each) => phrase`${field} ${isRequired ? "" : "is absent or "}${each}`);
    }),
    ...(absent === undefined ? [] : [phrase`${object} has no ${listPhrases(absent.map(codePhrase), "or")}`]),
    ...(schema.not === undefined || absent !== undefined
      ? []
      : [phrase`it is not true that ${joinPhrases(inner(schema.not), " and ")}`]),
    ...(schema.allOf ?? []).flatMap(inner),
    ...alternatives([...(schema.anyOf ?? []), ...(schema.oneOf ?? [])], inner),
    ...(properties.length + required.length === 0 ? describeValue({ ...schema, ...withoutParts }) : []).map(
      (each) => phrase`${object} ${each}`,
    ),
  ];
}

/** The properties that must be absent, if a `not` states nothing else. */
function namesOfAbsent(not: Schema | undefined): readonly string[] | undefined {
  if (not === undefined) return undefined;
  const alternativesOf = not.anyOf ?? not.oneOf ?? [not];
  const names = alternativesOf.map(({ required = [], properties = [], not: inner, allOf, anyOf, oneOf }) =>
    required.length === 1 && properties.length === 0 && [inner, allOf, anyOf, oneOf].every((each) => each === undefined)
      ? required[0]
      : undefined,
  );
  return names.every((each) => each !== undefined) ? names : undefined;
}

const withoutParts = { not: undefined, allOf: undefined, anyOf: undefined, oneOf: undefined } as unknown as object;

/** The statements about a value, as predicates. */
function describeValue(schema: Schema): readonly Phrase[] {
  const { const: only, enum: listed, types, contains, not, pattern } = schema;
  return [
    ...(only === undefined ? [] : [phrase`is ${valuePhrase(only)}`]),
    ...(listed === undefined ? [] : [phrase`is ${listPhrases(listed.map(valuePhrase), "or")}`]),
    ...(types.length === 0 || only !== undefined
      ? []
      : [phrase`is ${types.map((type) => (type === "null" ? type : withArticle(type))).join(" or ")}`]),
    ...describeBounds(schema).map((bound): Phrase => [
      `${/(?:character|item)s?$/.test(bound) ? "has" : "is"} ${lower(bound)}`,
    ]),
    ...(pattern === undefined ? [] : [phrase`matches ${codePhrase(pattern)}`]),
    ...(contains === undefined ? [] : [phrase`contains an item that ${joinPhrases(describeItem(contains), " and ")}`]),
    ...(not === undefined ? [] : [negated(not)]),
    ...alternatives([...(schema.anyOf ?? []), ...(schema.oneOf ?? [])], describeItem),
  ];
}

function negated(schema: Schema): Phrase {
  const { const: only, enum: listed } = schema;
  if (only !== undefined) return phrase`is not ${valuePhrase(only)}`;
  if (listed !== undefined) return phrase`is neither ${joinPhrases(listed.map(valuePhrase), " nor ")}`;
  return phrase`is not a value that ${joinPhrases(describeItem(schema), " and ")}`;
}

/** The statements about an item, as predicates. */
function describeItem(schema: Schema): readonly Phrase[] {
  const { properties, required } = schema;
  return properties === undefined && required === undefined
    ? describeValue(schema)
    : describeObject(schema, { object: ["it"], field: (path) => codePhrase(path.join(".")) });
}

function alternatives(schemas: readonly Schema[], describe: (schema: Schema) => readonly Phrase[]): readonly Phrase[] {
  return schemas.length === 0
    ? []
    : [
        listPhrases(
          schemas.map((each) => joinPhrases(describe(each), " and ")),
          "or",
        ),
      ];
}

function valuePhrase(value: Json): Phrase {
  return codePhrase(JSON.stringify(value));
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
