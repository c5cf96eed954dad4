import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Expression, ValueRule } from "../model/api.js";
import { absentValue, likenessOf, rounded, shownValue } from "./shown-values.js";
import { said, type BodyField } from "./body-fields.js";
import { requirementsOf } from "./context.js";
import { escape } from "./inputs.js";
import { misfitsOf } from "./judge.js";
import { samplesOf, valueAt, withValue, type Place } from "./placing.js";
import { calling } from "./plans.js";
import { literalOf } from "./samples.js";
import { accepted, acceptedCase, nameOfField, reading, sentAndRead, showing, type Around } from "./shape-cases.js";
import { isAcceptable, standingOf } from "./stored-forms.js";

/** Cases of normalized values: absent, rounded, escaped, and special values. */
export function valueCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  return [...absentCases(around, field, place), ...ruleCases(around, field, place)];
}

/** Cases of defaults: a created object shows the default of an absent field. */
function absentCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const { operation } = around;
  if (operation.method !== "POST" || field.required || field.pointer.includes("*")) return [];
  const body = place.without();
  const standing = standingOf(around, body);
  if (standing === undefined) return [];
  const constant = absentValue(field);
  const rule = said(field, "values")?.find((each) => each.absent === true);
  const value = constant === undefined ? derived(around, standing.body, rule) : literalOf(constant);
  const shown = value === undefined ? undefined : showing(around, field.pointer, likenessOf(value));
  if (shown === undefined) return [];
  const name = nameOfField(field);
  const stated = requirementsOf(field.property?.shape.sources);
  return [
    acceptedCase(
      around,
      {
        kind: "values",
        about: [name, "left-out"],
        title: `${name}: absent, it is shown as ${constant === undefined ? "its derived default" : JSON.stringify(constant).slice(0, 60)}`,
        requirements: stated.length === 0 ? field.requirements : stated,
      },
      [...standing.before, ...sentAndRead(around, standing.body, shown)],
    ),
  ];
}

/** A default from another object or another body field. */
function derived({ own, context }: Around, body: Template, rule: ValueRule | undefined): Template | undefined {
  if (rule?.take?.kind !== "from" || rule.when !== undefined) return undefined;
  const { from, times, minus } = rule.take;
  if (times !== undefined || minus !== undefined) return undefined;
  if (from.root === "target") {
    const name = Object.values(own.names).at(-1);
    return name === undefined ? undefined : { $get: `${name}#/${tokens(from)}` };
  }
  if (from.root === "request" && from.part === "body") return valueAt(body, from.pointer);
  if (from.root === "refs") {
    const named = valueAt(body, [from.part ?? from.name ?? ""]);
    const text = typeof named === "object" && named !== null && "$get" in named ? named["$get"] : undefined;
    const [bound] = typeof text === "string" ? text.split("#") : [];
    return bound === undefined || context.settings.recipes[capitalised(bound)] === undefined
      ? undefined
      : { $get: `${bound}#/${tokens(from)}` };
  }
  return undefined;
}

function capitalised(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function tokens({ pointer }: Expression): string {
  return pointer.map(escape).join("/");
}

/** Cases of each normalization rule. */
function ruleCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  return (said(field, "values") ?? []).flatMap((rule, index) => {
    if (rule.absent) return [];
    if (rule.round !== undefined && rule.to !== undefined)
      return roundCases(around, field, place, { round: rule.round, to: rule.to });
    if (rule.escape !== undefined) return escapeCases(around, field, place);
    return sentCases(around, field, place, { rule, index });
  });
}

function roundCases(
  around: Around,
  field: BodyField,
  place: Place,
  { round, to }: { readonly round: "up" | "nearest"; readonly to: readonly number[] },
): readonly Case[] {
  const steps = to.toSorted((a, b) => a - b);
  const [first = 0, second = first] = steps;
  const last = steps.at(-1) ?? first;
  const middle = Math.floor((first + second) / 2);
  const sent = new Set([
    1,
    first - 1,
    first,
    first + 1,
    middle - 1,
    middle,
    middle + 1,
    second - 1,
    second,
    second + 1,
    last,
    last + 1,
    ...steps,
  ]);
  const name = nameOfField(field);
  return [...sent]
    .filter((value) => value > 0)
    .flatMap((value) =>
      accepted(around, place.put(value), {
        kind: "values",
        about: [name, `rounded-${value}`],
        title: `${name}: ${value} is stored as ${rounded(value, round, to)}`,
        requirements: field.requirements,
        field,
      }),
    );
}

function escapeCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const name = nameOfField(field);
  const texts = ["Café 1", "中文 2", "plain 3"];
  return texts.flatMap((text) =>
    accepted(around, place.put(text), {
      kind: "values",
      about: [name, `escaped-${text.slice(-1)}`],
      title: `${name}: ${JSON.stringify(text)} is stored with escapes beyond ASCII`,
      requirements: field.requirements,
      field,
    }),
  );
}

/** A value that stands for another one, or counts as absent. */
function sentCases(
  around: Around,
  field: BodyField,
  place: Place,
  { rule, index }: { readonly rule: ValueRule; readonly index: number },
): readonly Case[] {
  const { context, own, read } = around;
  const { sent, take } = rule;
  if (sent === undefined) return [];
  const name = nameOfField(field);
  const about = {
    kind: "values",
    about: [name, `rule-${index + 1}`],
    requirements: field.requirements,
  } as const;
  const bodies = samplesOf(context, [sent, field.shape])
    .concat(samplesOf(context, [sent]))
    .map((value) => ({ value, body: place.put(value) }));
  const fitting = bodies.find(({ value, body }) => {
    const shown = shownValue(around, field, { body, value });
    const isFirst = shown !== undefined || take?.kind === "ignore";
    return isFirst && misfitsOf(context, sent, value, "judged").length === 0 && isAcceptable(around, body);
  });
  if (fitting === undefined) return [];
  const shown = shownValue(around, field, fitting);
  const says = JSON.stringify(fitting.value).slice(0, 40);
  if (shown !== undefined)
    return accepted(around, fitting.body, {
      ...about,
      title: `${name}: ${says} is shown as ${JSON.stringify(shown).slice(0, 40)}`,
      field,
    });
  if (take?.kind !== "ignore" || read === undefined || around.operation.method === "POST") return [];
  const kept = showing(around, field.pointer, {
    const: { $get: `before#/body/${field.pointer.map(escape).join("/")}` },
  });
  if (kept === undefined) return [];
  const steps: readonly Step[] = [
    ...(standingOf(around, fitting.body)?.before ?? own.before),
    { ...reading(around), as: "before" },
    calling(own, { body: withValue(fitting.body, field.pointer, fitting.value) }),
    { ...reading(around), expect: { body: kept } },
  ];
  return [acceptedCase(around, { ...about, title: `${name}: ${says} keeps the stored value` }, steps)];
}
