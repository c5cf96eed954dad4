import type { FrameInfo, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { isAcceptable } from "../../requests/acceptable-body.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { fixtureNamed } from "../../requests/fixtures.js";
import { violatesBodyRule } from "../../values/body-errors.js";
import { allowedTypes, enumValues, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, valueAt, withValue } from "../../values/body-mutations.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { toLiteral } from "../../values/samples.js";
import { uniqueBodyFields } from "../bodies/unique-texts.js";
import { creationOf } from "./creations.js";

const fieldsOfContext = new WeakMap<ConformanceContext, FrameInfo["fields"]>();

/** Values of the optional fields of each resource: the same for all objects, so that some share them. */
export function fieldsOfResources(context: ConformanceContext): FrameInfo["fields"] {
  const fields = fieldsOfContext.get(context) ?? findFields(context);
  fieldsOfContext.set(context, fields);
  return fields;
}

function findFields(context: ConformanceContext): FrameInfo["fields"] {
  const entries = context.api.resources.map(({ name }) => [name, optionalFields(context, name)] as const);
  return Object.fromEntries(entries.filter(([, fields]) => Object.keys(fields).length > 0));
}

function optionalFields(context: ConformanceContext, resource: string): Readonly<Record<string, Template>> {
  const around = creationOf(context, resource);
  const takesFields = JSON.stringify(fixtureNamed(context, resource)?.steps ?? []).includes('"of#/with"');
  return takesFields && around !== undefined ? otherFieldsOf(around) : {};
}

/** A body with all fields, with switches turned, and with other numbers. Undefined for a body without other values. */
export function fullBody(context: ConformanceContext, operation: Operation): Template | undefined {
  const around = bodyCaseContext(context, operation);
  if (around === undefined || !isPlainObject(around.acceptedBody)) return undefined;
  const body = otherStatedValues(around, { ...around.acceptedBody, ...otherFieldsOf(around), ...switchesOf(around) });
  return JSON.stringify(body) === JSON.stringify(around.acceptedBody) ? undefined : body;
}

/** The fields of a creation that are switches or have some, turned. */
export function turnedSwitches(context: ConformanceContext, resource: string): Readonly<Record<string, Template>> {
  const around = creationOf(context, resource);
  if (around === undefined) return {};
  const inner = around.fields.filter(({ pointer, readOnly }) => pointer.length === 2 && !readOnly).filter(isSwitch);
  const open = new Set(openFields(around).map(({ pointer: [name = ""] }) => name));
  const objects = inner.flatMap((field) => {
    const {
      pointer: [name = "", key = ""],
    } = field;
    return open.has(name) ? [[name, { [key]: !isOn(field) }] as const] : [];
  });
  return { ...Object.fromEntries(objects), ...switchesOf(around) };
}

function switchesOf(around: BodyCaseContext): Readonly<Record<string, Template>> {
  const switches = openFields(around).filter(isSwitch);
  return Object.fromEntries(switches.map((field) => [field.pointer[0] ?? "", !isOn(field)] as const));
}

function isSwitch(field: BodyField): boolean {
  return allowedTypes(field).includes("boolean");
}

function isOn({ layers }: BodyField): boolean {
  return layers.find((part) => part.default !== undefined)?.default === true;
}

/** The body with other numbers and members than objects have by default, as far as these are not new each time. */
function otherStatedValues(around: BodyCaseContext, full: Readonly<Record<string, Template>>): Template {
  const accepted = isPlainObject(around.acceptedBody) ? around.acceptedBody : {};
  const varied = around.fields.filter((field) => {
    const {
      pointer: [name = "", ...inner],
    } = field;
    const value = full[name];
    if (inner.length > 0 || value === undefined || isNewEachTime(value) || isReferring(around, field)) return false;
    return typeof value === "number" || (Object.hasOwn(accepted, name) && (isSwitch(field) || enumValues(field)));
  });
  return varied.reduce<Template>((body, field) => bodyWithOtherValue(around, field, body) ?? body, full);
}

/** The fields whose values the case may choose: not unique ones, and no references to objects that have to exist. */
function openFields(around: BodyCaseContext): readonly BodyField[] {
  const accepted = isPlainObject(around.acceptedBody) ? around.acceptedBody : {};
  const unique = new Set(uniqueBodyFields(around.context.api, around.operation));
  // A value that is new each time only by the settings would hide what reaches objects with the same one.
  const isOpen = ({ pointer: [name = ""], readOnly }: BodyField): boolean =>
    !readOnly && !unique.has(name) && (!Object.hasOwn(accepted, name) || isNewEachTime(accepted[name]));
  return around.fields.filter((field) => field.pointer.length === 1 && isOpen(field) && !isReferring(around, field));
}

function otherFieldsOf(around: BodyCaseContext): Readonly<Record<string, Template>> {
  const open = openFields(around);
  const body = open.reduce<Template>((before, field) => {
    const values = [...objectsOfNumbers(around, field), ...storedValues(around.context, field)];
    const bodies = values.map((value) => withValue(before, field.pointer, value));
    return bodies.find((each) => isPossible(around, each, field)) ?? before;
  }, around.acceptedBody);
  // Whether a time is accepted may be for the server to say; what it rejects is left out.
  const times = open.filter((field) => isTime(field) && valueAt(body, field.pointer) === undefined);
  const full = times.reduce((before, field) => withValue(before, field.pointer, { $time: "P3650D" }), body);
  return Object.fromEntries(
    open.flatMap(({ pointer: [name = ""] }) => {
      const value = valueAt(full, [name]);
      return value === undefined || value === valueAt(around.acceptedBody, [name]) ? [] : [[name, value] as const];
    }),
  );
}

/** An object of numbers and switches with other numbers. The switches stay as they are. */
function objectsOfNumbers({ fields }: BodyCaseContext, { pointer: [name] }: BodyField): readonly Template[] {
  const inner = fields.filter(({ pointer }) => pointer.length > 1 && pointer[0] === name);
  const isNumber = (field: BodyField): boolean => allowedTypes(field).includes("integer");
  if (
    !inner.some(isNumber) ||
    !inner.every((field) => field.pointer.length === 2 && (isNumber(field) || isSwitch(field)))
  )
    return [];
  return numbers.map((value) =>
    Object.fromEntries(inner.map((field) => [field.pointer[1] ?? "", isNumber(field) ? value : isOn(field)] as const)),
  );
}

/** Bodies of an update with the other members of an enum, or a larger and then a smaller number. A switch could take away what the next call needs. */
export function otherBodies(around: BodyCaseContext, field: BodyField, body: Template): readonly Template[] {
  const value = valueAt(body, field.pointer);
  const values: readonly Template[] = [
    ...(enumValues(field) ?? []).map(toLiteral).slice(0, 4),
    ...(typeof value === "number" ? [value + 1, value - 1] : []),
  ];
  return values
    .filter((each) => each !== value && each !== null)
    .map((each) => withValue(body, field.pointer, each))
    .filter((each) => isAcceptable(around, each, field) && !violatesBodyRule(around, each));
}

/** True for a template with a value that is new each time. */
export function isNewEachTime(value: Template | undefined): boolean {
  return JSON.stringify(value ?? null).includes('"$unique"');
}

/** True for a field with, or of, references to objects that have to exist. */
function isReferring({ fields }: BodyCaseContext, { pointer: [name] }: BodyField): boolean {
  return fields.some(
    ({ pointer, isReference, layers }) =>
      pointer[0] === name && isReference && !layers.some(({ reference }) => reference?.onNotFound === "create"),
  );
}

function isPossible(around: BodyCaseContext, body: Template, field: BodyField): boolean {
  return !isNewEachTime(valueAt(body, field.pointer)) && isAcceptable(around, body) && !violatesBodyRule(around, body);
}

/** Values of a field, those first that no update sends and no default has. */
function storedValues(context: ConformanceContext, field: BodyField): readonly Template[] {
  const items = field.layers.flatMap((part) => part.items ?? []).slice(0, 1);
  const lists = items.length === 0 ? [] : [...texts, ...schemaSamples(context, items)].map((each) => [each]);
  // A text that begins with another one is another text.
  const pairs = items.length === 0 ? [] : texts.map((each) => [each, `${each}-too`]);
  const members = (enumValues(field) ?? []).map(toLiteral).toReversed();
  // A switch stays as it is: what turns it on, and what turns it off, would be hidden where it is set.
  if (allowedTypes(field).includes("boolean")) return [];
  const times = isTime(field) ? [{ $time: "P30D" }] : [];
  const samples = schemaSamples(context, [field.schema]).toReversed();
  const all = [...members, ...pairs, ...lists, ...times, ...texts, ...numbers, ...samples];
  const standard = JSON.stringify(field.layers.find((part) => part.default !== undefined)?.default);
  const isTelling = (value: Template): boolean =>
    value !== null && !isEmpty(value) && JSON.stringify(value) !== standard;
  return all.filter(isTelling);
}

function isTime({ layers }: BodyField): boolean {
  return layers.some(({ format, anyOf = [] }) => [format, ...anyOf.map((each) => each.format)].includes("date-time"));
}

const texts: readonly string[] = ["stored", "stored@example.com"];

const numbers: readonly number[] = [7, 2, 40, 300];

function isEmpty(value: Template): boolean {
  return value === "" || (isTemplateList(value) && value.length === 0) || JSON.stringify(value) === "{}";
}

/** A body with another value of the field than an update sends. Undefined if the field has no other one, or gets a new one each time. */
export function bodyWithOtherValue(around: BodyCaseContext, field: BodyField, body: Template): Template | undefined {
  const value = valueAt(body, field.pointer);
  const isUnique = uniqueBodyFields(around.context.api, around.operation).includes(field.pointer[0] ?? "");
  if (value === undefined || (isUnique && isNewEachTime(value))) return undefined;
  const depth = field.pointer.length;
  const isWithin = ({ pointer, readOnly }: BodyField): boolean =>
    !readOnly &&
    pointer.length === depth + 1 &&
    !pointer.includes("*") &&
    field.pointer.every((name, index) => pointer[index] === name);
  const inner = isPlainObject(value) ? around.fields.filter(isWithin) : [];
  if (inner.length > 0) return inner.reduce((before, each) => withOtherInner(around, each, before), body);
  const candidates = [
    ...(typeof value === "boolean" ? [!value] : []),
    // Far away, since the server may round both to one value.
    ...(typeof value === "number" ? [value + 7200, value + 1, value - 1] : []),
    ...storedValues(around.context, field),
  ];
  return candidates
    .filter((each) => JSON.stringify(each) !== JSON.stringify(value))
    .map((each) => withValue(body, field.pointer, each))
    .find((each) => isAcceptable({ ...around, acceptedBody: {} }, each, field) && !violatesBodyRule(around, each));
}

function withOtherInner(around: BodyCaseContext, field: BodyField, body: Template): Template {
  const value = valueAt(body, field.pointer);
  const bodies = value === undefined ? [] : [bodyWithOtherValue(around, field, body) ?? body];
  const samples = allowedTypes(field).includes("integer")
    ? [5, 10]
    : allowedTypes(field).includes("boolean")
      ? [true]
      : [];
  return (
    [...bodies, ...samples.map((each) => withValue(body, field.pointer, each))].find((each) =>
      isAcceptable({ ...around, acceptedBody: {} }, each, field),
    ) ?? body
  );
}
