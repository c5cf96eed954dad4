import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Shape } from "../model/api.js";
import { dotted, type BodyField } from "./body-fields.js";
import { boundCases } from "./bounds.js";
import { isPlainObject } from "./concrete.js";
import { requirementsOf, type Context } from "./context.js";
import { misfitsOf } from "./judge.js";
import { alwaysOf, bothOf } from "./layers.js";
import { patternCases } from "./patterns.js";
import { samplesOf, valueAt, withValue, type Place } from "./placing.js";
import { acceptedCase, refused, sentAndRead, type Around } from "./shape-cases.js";
import { formBody, nameOf, type Spot } from "./spots.js";
import { standingOf } from "./stored-forms.js";

/** Cases of `oneOf`: each branch is accepted; without a required field, or with a field of another branch, it is rejected. */
export function choiceCases(
  around: Around,
  spot: Spot,
  part: Shape,
  branches: readonly Shape[],
  depth = 0,
): readonly Case[] {
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
            acceptedCase(around, about("accepted", "this branch is accepted"), [
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
            about(`without-${name}`, `without ${name} it is rejected`),
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

/** Fields with bounds or patterns that apply in one branch only. */
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

/** A field of another branch, sent in this one. */
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
    about(`with-${name}`, `with ${name} it is rejected`),
  );
}
