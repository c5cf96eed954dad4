import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Shape } from "../model/api.js";
import { boundCases } from "./bounds.js";
import { dotted, type BodyField } from "./body-fields.js";
import { isPlainObject } from "./concrete.js";
import { requirementsOf, type Context } from "./context.js";
import { misfitsOf } from "./judge.js";
import { alwaysOf, bothOf, formsOf } from "./layers.js";
import { patternCases } from "./patterns.js";
import { placeOf, samplesOf, valueAt, withValue, type Place } from "./placing.js";
import { acceptedCase, refused, sentAndRead, type Around } from "./shape-cases.js";
import { standingOf } from "./stored-forms.js";

/** What a field means for others: forms of a choice, conditions, and fields that need each other. */
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

interface Spot {
  readonly shape: Shape;
  readonly pointer: readonly string[];
  /** Fits, and has a value at the spot. */
  readonly body: Template;
  readonly requirements: readonly string[];
}

function casesOf(around: Around, spot: Spot): readonly Case[] {
  const always = alwaysOf(around.context, spot.shape);
  return [
    ...always.flatMap((part) => (part.oneOf === undefined ? [] : choiceCases(around, spot, part, part.oneOf))),
    ...always.flatMap((part) => (part.anyOf === undefined ? [] : choiceCases(around, spot, part, part.anyOf))),
    ...always.flatMap((part) => neededCases(around, spot, part)),
    ...always.flatMap((part) => dependentCases(around, spot, part)),
    ...always.flatMap((part) => notCases(around, spot, part)),
    ...always.flatMap((part) => nameCases(around, spot, part)),
  ];
}

/** Each form is accepted; without a field that it needs, or with one that it has not, it is not. */
function choiceCases(around: Around, spot: Spot, part: Shape, branches: readonly Shape[], depth = 0): readonly Case[] {
  const { context } = around;
  return branches.slice(0, 16).flatMap((branch, index) => {
    const form = formBody(around, spot, [branch]);
    if (form === undefined) return [];
    const standing = standingOf(around, form);
    const title = branch.title ?? branch.ref ?? `form-${index + 1}`;
    const always = alwaysOf(context, branch);
    const own = requirementsOf([...always, part].flatMap(({ sources = [] }) => sources));
    const requirements = own.length === 0 ? spot.requirements : own;
    const about = (what: string, says: string) =>
      ({
        kind: "conditions",
        about: [...nameOf(spot), title, what],
        title: `${title}: ${says}`,
        requirements,
      }) as const;
    const value = valueAt(form, spot.pointer);
    const fields = isPlainObject(value) ? Object.keys(value) : [];
    const required = new Set(
      always.flatMap((each) => [
        ...(each.required ?? []),
        ...(each.properties ?? []).filter((one) => one.required).map(({ name }) => name),
      ]),
    );
    const others = new Map(
      branches.flatMap((other) =>
        alwaysOf(context, other).flatMap(({ properties = [] }) =>
          properties.map((each) => [each.name, each.shape] as const),
        ),
      ),
    );
    const nested = depth > 1 ? [] : always.flatMap((each) => each.oneOf ?? []);
    return [
      ...(standing !== undefined
        ? [
            acceptedCase(around, about("accepted", "this form is accepted"), [
              ...standing.before,
              ...sentAndRead(around, standing.body, undefined),
            ]),
          ]
        : []),
      ...fields
        .filter((name) => required.has(name))
        .flatMap((name) =>
          refused(
            around,
            withValue(form, [...spot.pointer, name], undefined),
            about(`without-${name}`, `without ${name} it is refused`),
          ),
        ),
      ...refinedCases(around, spot, { form, title, always, requirements }),
      ...[...others].flatMap(([name]) => otherFieldCases(around, spot, { form, name, about })),
      ...(nested.length === 0
        ? []
        : choiceCases(around, { ...spot, shape: bothOf([spot.shape, branch]), body: form }, branch, nested, depth + 1)),
    ];
  });
}

/** Fields of which a form says more than all forms do: their bounds and texts in that form. */
function refinedCases(
  around: Around,
  spot: Spot,
  {
    form,
    title,
    always,
    requirements,
  }: {
    readonly form: Template;
    readonly title: string;
    readonly always: readonly Shape[];
    readonly requirements: readonly string[];
  },
): readonly Case[] {
  const { context } = around;
  const properties = always.flatMap((part) => part.properties ?? []);
  return properties.flatMap((property) => {
    const pointer = [...spot.pointer, property.name];
    const known = around.fields.find((each) => dotted(each.pointer) === dotted(pointer));
    const good = valueAt(form, pointer);
    if (known === undefined || good === undefined || !refines(context, property.shape)) return [];
    const shape = bothOf([property.shape, ...known.parts]);
    const own = alwaysOf(context, property.shape).flatMap(({ sources }) => requirementsOf(sources));
    const field: BodyField = {
      ...known,
      shape,
      parts: alwaysOf(context, shape),
      form: title,
      requirements: [...new Set([...(own.length === 0 ? requirements : own), ...known.requirements])],
    };
    const put = (value: Template): Template => withValue(form, pointer, value);
    const fit = (value: Template): Template | undefined =>
      misfitsOf(context, around.shape, put(value), around.nulls).length === 0 ? put(value) : undefined;
    const place: Place = { good, put, fit, without: () => withValue(form, pointer, undefined) };
    return [...boundCases(around, field, place), ...patternCases(around, field, place)];
  });
}

function refines(context: Context, shape: Shape): boolean {
  const choices = alwaysOf(context, shape).flatMap((part) => [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])]);
  return choices
    .flatMap((each) => alwaysOf(context, each))
    .some(({ format, pattern, minLength, maxLength, minItems, minimum, maximum }) =>
      [format, pattern, minLength, maxLength, minItems, minimum, maximum].some((each) => each !== undefined),
    );
}

/** A field that some other form has, in this one. */
function otherFieldCases(
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
  const value = valueAt(form, spot.pointer);
  if (!isPlainObject(value) || name in value) return [];
  const field = around.fields.find((each) => dotted(each.pointer) === dotted([...spot.pointer, name]));
  if (field === undefined) return [];
  const sample = samplesOf(around.context, [field.shape]).find((each) => each !== 0 && each !== null);
  if (sample === undefined) return [];
  return refused(
    around,
    withValue(form, [...spot.pointer, name], sample),
    about(`with-${name}`, `with ${name} it is refused`),
  );
}

/** A body whose value at the spot has this form too. */
function formBody(around: Around, { shape, pointer, body }: Spot, form: readonly Shape[]): Template | undefined {
  const { context, nulls } = around;
  const base = valueAt(body, pointer);
  const fields = isPlainObject(base) ? base : {};
  const samples = samplesOf(context, [bothOf([...form, ...(form.length === 0 ? [shape] : [])]), ...form.slice(0, 0)]);
  const more = formsOf(context, shape)
    .filter((each) => form.every((one) => each.includes(one)))
    .flatMap((each) => samplesOf(context, [withoutChoices(each)]));
  const candidates = [...samples, ...more].flatMap((sample): readonly Template[] =>
    isPlainObject(sample) ? [{ ...fields, ...sample }, sample] : [sample],
  );
  return candidates
    .map((each) => withValue(body, pointer, each))
    .find((each) => {
      const value = valueAt(each, pointer);
      return (
        value !== undefined &&
        misfitsOf(context, shape, value, nulls).length === 0 &&
        form.every((one) => misfitsOf(context, one, value, nulls).length === 0) &&
        misfitsOf(context, around.shape, each, nulls).length === 0
      );
    });
}

function withoutChoices(form: readonly Shape[]): Shape {
  return bothOf(form.map(({ oneOf: _oneOf, anyOf: _anyOf, allOf: _allOf, ref: _ref, ...rest }) => rest));
}

/** Fields that another one needs beside it. */
function neededCases(around: Around, spot: Spot, part: Shape): readonly Case[] {
  return Object.entries(part.dependentRequired ?? {}).flatMap(([name, needed]) =>
    needed.flatMap((other) => {
      const field = around.fields.find((each) => dotted(each.pointer) === dotted([...spot.pointer, name]));
      const place = field === undefined ? undefined : placeOf(around, field);
      if (field === undefined || place === undefined) return [];
      const body = withValue(place.put(place.good), [...spot.pointer, other], undefined);
      return refused(around, body, {
        kind: "conditions",
        about: [...nameOf(spot), `${name}-without-${other}`],
        title: `${name} without ${other} is refused`,
        requirements: field.requirements,
      });
    }),
  );
}

/** Where a condition holds, what follows of it is asked for; where it does not, it is not. */
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
          acceptedCase(around, about("accepted", "what follows of it is accepted"), [
            ...standing.before,
            ...sentAndRead(around, standing.body, undefined),
          ]),
        ]
      : []),
    ...required.flatMap((name) =>
      refused(
        around,
        withValue(form, [...spot.pointer, name], undefined),
        about(`without-${name}`, `without ${name} it is refused`),
      ),
    ),
    ...[...new Set(inner)].flatMap((name) => breakingCases(around, spot, { form, name, about })),
  ];
}

/** Values of a field that fit elsewhere, and not where the condition holds. */
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
    const cases = refused(around, body, about(`with-${what}`, `this ${what} is refused`));
    if (cases.length > 0) seen.add(what);
    return cases;
  });
}

/** What makes an object with only optional fields say something: its first number. */
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

/** What must not be. */
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
        title: `${nameOf(spot).join(".") || "the body"}: of a kind that is not allowed, it is refused`,
        requirements: own.length === 0 ? spot.requirements : own,
      }),
    );
}

/** Names that no field may have. */
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
    title: `${nameOf(spot).join(".") || "the body"}: a field of another name is refused`,
    requirements: own.length === 0 ? spot.requirements : own,
  });
}

function nameOf({ pointer }: Spot): readonly string[] {
  return pointer.length === 0 ? [] : [dotted(pointer)];
}
