import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Shape } from "../model/api.js";
import { dotted, type BodyField } from "./body-fields.js";
import { choiceCases } from "./choices.js";
import { isPlainObject } from "./concrete.js";
import { requirementsOf } from "./context.js";
import { alwaysOf } from "./layers.js";
import { placeOf, samplesOf, valueAt, withValue } from "./placing.js";
import { acceptedCase, refused, sentAndRead, type Around } from "./shape-cases.js";
import { formBody, nameOf, type Spot } from "./spots.js";
import { standingOf } from "./stored-forms.js";

/** Cases of rules across fields: branches, conditions and dependent fields. */
export function conditionCases(around: Around): readonly Case[] {
  const { shape, fields, fitting } = around;
  const objects = fields.filter(({ parts }) => parts.some(({ properties }) => properties !== undefined)).slice(0, 40);
  const nested = objects.flatMap((field) => {
    const place = field.pointer.at(-1) === "*" || !field.readOnly ? placeOf(around, field) : undefined;
    return place === undefined
      ? []
      : casesOf(around, {
          shape: field.shape,
          pointer: field.pointer,
          body: place.put(place.good),
          requirements: field.requirements,
        });
  });
  return [...casesOf(around, { shape, pointer: [], body: fitting, requirements: around.requirements }), ...nested];
}

function casesOf(around: Around, spot: Spot): readonly Case[] {
  const always = alwaysOf(around.context, spot.shape);
  return [
    ...always.flatMap((part) => (part.oneOf === undefined ? [] : choiceCases(around, spot, part, part.oneOf))),
    ...always.flatMap((part) => (part.anyOf === undefined ? [] : choiceCases(around, spot, part, part.anyOf))),
    ...always.flatMap((part) => neededCases(around, spot, part)),
    ...always.flatMap((part) => excludedCases(around, spot, part)),
    ...always.flatMap((part) => dependentCases(around, spot, part)),
    ...always.flatMap((part) => notCases(around, spot, part)),
    ...always.flatMap((part) => nameCases(around, spot, part)),
  ];
}

/** Cases of `dependentRequired`. */
function neededCases(around: Around, spot: Spot, part: Shape): readonly Case[] {
  return Object.entries(part.dependentRequired ?? {}).flatMap(([name, needed]) =>
    needed.flatMap((other) => {
      const field = fieldAt(around, spot, name);
      const whole = field && bodyWith(around, spot, [name, ...needed]);
      if (field === undefined || whole === undefined) return [];
      const body = withValue(whole, [...spot.pointer, other], undefined);
      return refused(around, body, {
        kind: "conditions",
        about: [...nameOf(spot), `${name}-without-${other}`],
        title: `${name} without ${other} is rejected`,
        requirements: [...new Set([...field.requirements, ...requirementsOf(part.sources)])],
      });
    }),
  );
}

/** Cases of fields that another field excludes or restricts. */
function excludedCases(around: Around, spot: Spot, part: Shape): readonly Case[] {
  return Object.entries(part.dependentSchemas ?? {}).flatMap(([name, of]) =>
    (of.properties ?? []).flatMap(({ name: other }) => {
      const field = fieldAt(around, spot, name);
      const place = field && bodyWith(around, spot, [other]);
      const [value] = field === undefined ? [] : samplesOf(around.context, [field.shape]);
      if (field === undefined || place === undefined || value === undefined) return [];
      const own = requirementsOf([of, part].flatMap(({ sources = [] }) => sources));
      return refused(around, withValue(place, [...spot.pointer, name], value), {
        kind: "conditions",
        about: [...nameOf(spot), `${name}-with-${other}`],
        title: `${name} with this ${other} is rejected`,
        requirements: [...new Set([...field.requirements, ...own])],
      });
    }),
  );
}

function fieldAt({ fields }: Around, { pointer }: Spot, name: string): BodyField | undefined {
  return fields.find((each) => dotted(each.pointer) === dotted([...pointer, name]));
}

/** A body with these fields: a valid one if one is found, else one in which each value is valid by itself. */
function bodyWith(around: Around, spot: Spot, names: readonly string[]): Template | undefined {
  const [first] = names.map((name) => fieldAt(around, spot, name));
  const place = first && placeOf(around, first);
  if (place !== undefined) return place.put(place.good);
  const values = names.map((name) => {
    const field = fieldAt(around, spot, name);
    return [name, field && samplesOf(around.context, [field.shape])[0]] as const;
  });
  if (values.some(([, value]) => value === undefined)) return undefined;
  return values.reduce((body, [name, value]) => withValue(body, [...spot.pointer, name], value), spot.body);
}

/** Cases of `if`, `then` and `else`. */
function dependentCases(around: Around, spot: Spot, part: Shape): readonly Case[] {
  const { if: condition, then } = part;
  if (condition === undefined || then === undefined) return [];
  const { context } = around;
  const form = formBody(around, spot, [condition, then]);
  if (form === undefined) return [];
  const standing = standingOf(around, form);
  const always = alwaysOf(context, then);
  const own = requirementsOf([part, ...always].flatMap(({ sources = [] }) => sources));
  const requirements = own.length === 0 ? spot.requirements : own;
  const test = conditionName(condition);
  const about = (what: string, says: string) =>
    ({ kind: "conditions", about: [...nameOf(spot), test, what], title: `${test}: ${says}`, requirements }) as const;
  const required = always.flatMap((each) => each.required ?? []);
  const inner = always.flatMap(({ properties = [] }) => properties.map(({ name }) => name));
  return [
    ...(standing !== undefined
      ? [
          acceptedCase(around, about("accepted", "what the condition requires is accepted"), [
            ...standing.before,
            ...sentAndRead(around, standing.body, undefined),
          ]),
        ]
      : []),
    ...required.flatMap((name) =>
      refused(
        around,
        withValue(form, [...spot.pointer, name], undefined),
        about(`without-${name}`, `without ${name} it is rejected`),
      ),
    ),
    ...[...new Set(inner)].flatMap((name) => breakingCases(around, spot, { form, name, about })),
  ];
}

/** Values of a field that are invalid only when the condition holds. */
function breakingCases(
  around: Around,
  spot: Spot,
  {
    form,
    name,
    about,
  }: {
    readonly form: Template;
    readonly name: string;
    readonly about: (what: string, says: string) => Parameters<typeof refused>[2];
  },
): readonly Case[] {
  const field = around.fields.find((each) => dotted(each.pointer) === dotted([...spot.pointer, name]));
  if (field === undefined) return [];
  const inner = around.fields.filter(
    ({ pointer }) =>
      pointer.length === field.pointer.length + 1 && dotted(pointer).startsWith(`${dotted(field.pointer)}.`),
  );
  const direct = samplesOf(around.context, [field.shape]).map(
    (sample) => [name, withValue(form, field.pointer, sample)] as const,
  );
  const deeper = inner.flatMap((each) =>
    samplesOf(around.context, [each.shape])
      .slice(0, 2)
      .map(
        (sample) =>
          [
            `${name}.${each.pointer.at(-1) ?? ""}`,
            withValue(
              form,
              each.pointer,
              isPlainObject(sample) ? { ...sample, ...firstReference(around, each.pointer) } : sample,
            ),
          ] as const,
      ),
  );
  const seen = new Set<string>();
  return [...direct, ...deeper].flatMap(([what, body]) => {
    if (seen.has(what)) return [];
    const { requirements, ...description } = about(`with-${what}`, `this ${what} is rejected`);
    // The field states the value, and the condition states when it is required.
    const cases = refused(around, body, {
      ...description,
      requirements: [...new Set([...requirements, ...field.requirements])],
    });
    if (cases.length > 0) seen.add(what);
    return cases;
  });
}

/** The first number of an object with only optional fields, so that the object is not empty. */
function firstReference(around: Around, pointer: readonly string[]): Readonly<Record<string, Template>> {
  const first = around.fields.find(
    (each) => each.pointer.length === pointer.length + 1 && dotted(each.pointer).startsWith(`${dotted(pointer)}.`),
  );
  const name = first?.pointer.at(-1);
  const sample = first === undefined ? undefined : samplesOf(around.context, [first.shape])[0];
  return name === undefined || sample === undefined ? {} : { [name]: sample };
}

function conditionName({ properties = [] }: Shape): string {
  const names = properties.map(({ name, shape }) =>
    shape.const === undefined
      ? name
      : `${name}-${typeof shape.const === "string" ? shape.const : JSON.stringify(shape.const)}`,
  );
  return names.length === 0 ? "condition" : names.join("-and-");
}

/** Cases of `not`. */
function notCases(around: Around, spot: Spot, part: Shape): readonly Case[] {
  if (part.not === undefined) return [];
  const own = requirementsOf([part.not, part].flatMap(({ sources = [] }) => sources));
  const base = valueAt(spot.body, spot.pointer);
  const fields = isPlainObject(base) ? base : {};
  return samplesOf(around.context, [part.not])
    .flatMap((sample): readonly Template[] => (isPlainObject(sample) ? [{ ...fields, ...sample }] : [sample]))
    .slice(0, 1)
    .flatMap((value) =>
      refused(around, withValue(spot.body, spot.pointer, value), {
        kind: "conditions",
        about: [...nameOf(spot), "of-a-kind-that-is-not-allowed"],
        title: `${nameOf(spot).join(".") || "the body"}: a value that "not" excludes is rejected`,
        requirements: own.length === 0 ? spot.requirements : own,
      }),
    );
}

/** Cases of `propertyNames`. */
function nameCases(around: Around, spot: Spot, part: Shape): readonly Case[] {
  if (part.propertyNames === undefined) return [];
  const own = requirementsOf(part.propertyNames.sources);
  const [sample] = samplesOf(
    around.context,
    (part.properties ?? [])
      .slice(0, 1)
      .map(({ shape }) => shape)
      .concat(part.additionalProperties ?? [])
      .slice(0, 1)
      .concat(part.propertyNames)
      .slice(0, 1),
  );
  return refused(around, withValue(spot.body, [...spot.pointer, "another_name"], sample ?? "text"), {
    kind: "conditions",
    about: [...nameOf(spot), "another-name"],
    title: `${nameOf(spot).join(".") || "the body"}: a field with an invalid name is rejected`,
    requirements: own.length === 0 ? spot.requirements : own,
  });
}
