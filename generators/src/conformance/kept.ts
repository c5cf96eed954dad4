import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { enumOf, typesOf, type BodyField } from "./body-fields.js";
import { isPlainObject } from "./concrete.js";
import { requirementsOf } from "./context.js";
import { alwaysOf } from "./layers.js";
import { escape } from "./inputs.js";
import { placeOf, samplesOf, valueAt } from "./placing.js";
import { calling, given, type Plan } from "./plans.js";
import { acceptedCase, nameOfField, reading, showing, type Around } from "./shape-cases.js";
import { likenessOf, shownValue } from "./shown-values.js";
import { isAcceptable, standingOf, type Standing } from "./stored-forms.js";

/** Cases of partial updates: an update of one field keeps all others. */
export function keepCases(around: Around, field: BodyField): readonly Case[] {
  const { own, fields, requirements, operation } = around;
  if (field.parts.some(({ reference }) => reference !== undefined)) return [];
  const body = onlyWith(around, field);
  const standing = body === undefined ? undefined : standingOf(around, body, field);
  if (body === undefined || standing === undefined) return [];
  const depth = field.pointer.length;
  const siblings = fields.filter(
    ({ pointer }) =>
      pointer.length === depth &&
      pointer.slice(0, -1).join("/") === field.pointer.slice(0, -1).join("/") &&
      !pointer.includes("*") &&
      pointer.at(-1) !== field.pointer.at(-1),
  );
  const kept = siblings.flatMap(({ pointer }) => {
    const shown = showing(around, pointer, { const: { $get: `before#/body/${pointer.map(escape).join("/")}` } });
    return shown === undefined ? [] : [shown];
  });
  if (kept.length === 0) return [];
  const stated = requirementsOf(operation.body?.sources);
  const name = nameOfField(field);
  const value = valueAt(body, field.pointer);
  const isNew = JSON.stringify(value ?? null).includes('"$unique"');
  const shown = value === undefined || isNew ? undefined : shownValue(around, field, { body, value });
  const changed = shown === undefined ? undefined : showing(around, field.pointer, likenessOf(shown));
  return [
    acceptedCase(
      around,
      {
        kind: "changes",
        about: [name, "alone"],
        title: `${name}: updated alone, the other fields are unchanged`,
        requirements: [...new Set([...(stated.length === 0 ? requirements : stated), ...aroundIt(around, field)])],
      },
      [
        ...standing.before,
        ...filling(around, siblings, standing),
        { ...reading(around), as: "before" },
        calling(own, { body }),
        { ...reading(around), expect: { body: { allOf: [...kept, ...(changed === undefined ? [] : [changed])] } } },
      ],
    ),
  ];
}

/** The requirements of the object that has a field. */
function aroundIt({ context, shape, fields }: Around, { pointer }: BodyField): readonly string[] {
  const outer = pointer.slice(0, -1).join("/");
  const holder = fields.find((each) => each.pointer.join("/") === outer);
  return holder?.requirements ?? alwaysOf(context, shape).flatMap(({ sources }) => requirementsOf(sources));
}

/** The other fields with values that differ from the initial ones, so that kept and reset values can be distinguished. */
function filling(around: Around, siblings: readonly BodyField[], standing: Standing): readonly Step[] {
  const bare = { ...around, fitting: {} };
  const unique = new Set(uniqueFields(around));
  const plain = siblings.filter(
    (field) =>
      !unique.has(field.pointer[0] ?? "") &&
      !field.isReference &&
      !field.readOnly &&
      field.property?.change === undefined,
  );
  const filled = plain.reduce<Template>((before, field) => {
    const body = onlyWith(around, field);
    if (body === undefined || JSON.stringify(body).includes('"$unique"')) return before;
    const both = laidOver(before, body);
    // Fields of another branch do not matter here.
    return JSON.stringify(standingOf(bare, both)?.before) === JSON.stringify(standing.before) ? both : before;
  }, {});
  return JSON.stringify(filled) === "{}" ? [] : [given(calling(around.own, { body: filled }))];
}

/** Merges two bodies deeply. */
function laidOver(below: Template, above: Template): Template {
  if (!isPlainObject(below) || !isPlainObject(above)) return above;
  const entries = Object.entries(above).map(([name, value]) => {
    const under = below[name];
    return [name, under === undefined ? value : laidOver(under, value)] as const;
  });
  return { ...below, ...Object.fromEntries(entries) };
}

/** Unique fields cannot have constants: another object may have the value already. */
export function uniqueFields({ context, read }: Around): readonly string[] {
  const resource = context.api.resources.find((each) => each.read === read?.operation.name);
  const shape = resource === undefined ? undefined : context.shapes.get(resource.name);
  return (shape?.limits ?? []).flatMap(({ kind, by = [] }) => (kind === "unique" ? by : []));
}

const bodies = new WeakMap<Plan, Map<BodyField, Template | undefined>>();

/** A body with this field alone, if possible with another value than the initial one. */
function onlyWith(around: Around, field: BodyField): Template | undefined {
  const found = bodies.get(around.own) ?? new Map<BodyField, Template | undefined>();
  bodies.set(around.own, found);
  // Cached, since each field needs the bodies of all others.
  if (!found.has(field)) found.set(field, findOnlyWith(around, field));
  return found.get(field);
}

function findOnlyWith(around: Around, field: BodyField): Template | undefined {
  const known = valueAt(around.fitting, field.pointer);
  const bare = { ...around, fitting: {} };
  const place = placeOf(bare, field);
  if (place === undefined) return undefined;
  const others = known === undefined ? samplesOf(around.context, [field.shape]) : [known];
  const types = typesOf(field);
  const isNumber = types.includes("integer") || types.includes("number");
  // Values that are rarely initial ones.
  const chosen = [
    ...(types.includes("boolean") ? [false] : isNumber && enumOf(field) === undefined ? [3] : []),
    ...others,
  ];
  // An empty value may equal the stored one.
  const isEmpty = (value: Template): boolean => value === 0 || value === "" || JSON.stringify(value) === "[]";
  const ordered = [...chosen.filter((each) => !isEmpty(each)), ...chosen.filter(isEmpty)];
  return ordered
    .map((value) => (typeof value === "number" ? (place.fit(value) ?? place.put(value)) : place.put(value)))
    .find((body) => isAcceptable(bare, body, field));
}
