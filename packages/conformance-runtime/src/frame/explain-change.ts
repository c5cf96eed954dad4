import type { FrameClaim, Json, JsonSchema, Template } from "../suite.js";
import { escapePointerToken, resolvePointer } from "../values/json-pointer.js";
import { isJsonArray, isJsonObject, toText } from "../values/json.js";
import { evaluateTemplate, UnavailableValueError, type TemplateValues } from "../values/template.js";
import type { Change } from "./find-changes.js";
import type { ObservedObject, Party } from "./snapshot.js";

/** What the explanation of changes needs to know about the call. */
export interface FrameCall {
  readonly may: readonly FrameClaim[];
  readonly always: readonly FrameClaim[];
  readonly values: TemplateValues;
  /** The body of the request. */
  readonly body: Json;
  /** The party that called. */
  readonly party: Party;
  /** The time of the first reading, in milliseconds since 1970. That of the second one is now. */
  readonly since: number;
  readonly matches: (schema: JsonSchema, value: Json) => boolean;
}

/** The changes that the description does not state for any of the calls. */
export function unexplainedChanges(changes: readonly Change[], calls: readonly FrameCall[]): readonly Change[] {
  const explained = changes.filter((change) => calls.some((call) => isExplained(change, call)));
  // What belongs to an object comes and goes with it.
  const wholes = explained.filter(({ does }) => does !== "set");
  const isWithin = ({ object }: Change): boolean =>
    wholes.some((whole) => whole.object.id !== "" && object.within.includes(whole.object.id));
  // A new node names the new machine that it is.
  const isNamedByNew = ({ does, object }: Change): boolean =>
    does === "create" &&
    explained.some((other) => other.object.kind !== object.kind && newValues(other).includes(object.id));
  // Another account sees what is public: where the caller's account sees the same change explained, so is this one.
  const seen = new Set(explained.map(describeIdentity));
  return changes.filter(
    (change) =>
      !explained.includes(change) && !isWithin(change) && !isNamedByNew(change) && !seen.has(describeIdentity(change)),
  );
}

function isExplained(change: Change, call: FrameCall): boolean {
  const sent = sentFields(call.body, "");
  return (
    call.always.some((claim) => claimExplains(claim, change, { call, sent })) ||
    (isWithinReach(change, call) && call.may.some((claim) => claimExplains(claim, change, { call, sent })))
  );
}

/** The values of the fields of a new object, or the new value of a field. */
function newValues({ does, after }: Change): readonly string[] {
  if (does === "delete") return [];
  const values = isJsonObject(after) ? Object.values(after) : [after ?? null];
  return values.flatMap((each) => (typeof each === "number" || typeof each === "string" ? [String(each)] : []));
}

function describeIdentity({ does, object, at, before, after }: Change): string {
  return JSON.stringify([does, object.kind, object.within, object.id, at, before, after]);
}

/** A call changes what its caller has, and what the account of the caller has. */
function isWithinReach({ object: { read, party } }: Change, call: FrameCall): boolean {
  if (party === call.party) return true;
  return read.owner !== "user" && (party === "main" || party === "another user");
}

interface Explaining {
  readonly call: FrameCall;
  readonly sent: readonly string[];
}

function claimExplains(claim: FrameClaim, change: Change, { call, sent }: Explaining): boolean {
  const { object, does, at } = change;
  const { to, but, fields = [], where, becomes } = claim;
  const isMeant = to === "*" ? object.kind !== but : to === object.kind || to === object.read.call;
  if (claim.does !== does || !isMeant) return false;
  if (!isNamed(claim.object, [object.id], call) || !isNamed(claim.of, ownersOf(change), call)) return false;
  if (claim.except !== undefined && isNamed(claim.except, [object.id], call, false)) return false;
  if (where !== undefined && !isOfSchema(where, change.earlier ?? change.object, call)) return false;
  if (does === "set" && becomes !== undefined && !isOfSchema(becomes, change.object, call)) return false;
  if (claim.items !== undefined && !losesOnly(claim.items, change, call)) return false;
  if (!isInTime(claim, change, call)) return false;
  if (does !== "set" || (claim.fields === undefined && claim.sent === undefined)) return true;
  return [...fields, ...(claim.sent === true ? sent : [])].some((field) => isInside(at, field) || isInside(field, at));
}

/** Whether the time has come from which the claim holds, and the platform did something between the readings where it has to have. */
function isInTime({ due, timed }: FrameClaim, { object, earlier }: Change, { since, values }: FrameCall): boolean {
  const timeAt = ({ value }: ObservedObject, pointer: string): number =>
    Date.parse(toText(resolvePointer(value, pointer) ?? null));
  if (due !== undefined && !(timeAt(earlier ?? object, due) <= values.now())) return false;
  // The times of objects have whole seconds.
  return timed?.some((pointer) => timeAt(object, pointer) > since - 1000) ?? true;
}

/** Whether a list has lost this item alone. Of a value that is no list, nothing is said. */
function losesOnly(item: Template, { before, after }: Change, call: FrameCall): boolean {
  if (!isJsonArray(before) || !isJsonArray(after)) return true;
  const [old, now] = [before.map(toText), after.map(toText)];
  const lost = old.filter((each) => !now.includes(each));
  return now.every((each) => old.includes(each)) && lost.every((each) => isNamed(item, [each], call));
}

/** The ids that the object refers to, beside those of the objects that it is in. */
function ownersOf({ object: { within, value }, earlier }: Change): readonly string[] {
  const fields = [value, earlier?.value].flatMap((each) => (isJsonObject(each) ? Object.values(each) : []));
  return [
    ...within,
    ...fields.flatMap((each) => (typeof each === "number" || typeof each === "string" ? [String(each)] : [])),
  ];
}

/** Whether one of the ids is that of a template. Where a template has no value, the description leaves it open. */
function isNamed(
  template: Template | undefined,
  ids: readonly string[],
  { values }: FrameCall,
  otherwise = true,
): boolean {
  if (template === undefined) return true;
  try {
    const named = evaluateTemplate(template, values);
    const all = isJsonArray(named) ? named.map(toText) : [toText(named)];
    return ids.some((id) => all.includes(id));
  } catch (error) {
    if (error instanceof UnavailableValueError) return otherwise;
    throw error;
  }
}

function isOfSchema(schema: Template, { value }: ObservedObject, { values, matches }: FrameCall): boolean {
  return matches(evaluateTemplate(schema, values) as JsonSchema, value);
}

/** True for a pointer that is, or leads into, what another points to. */
function isInside(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The pointers to the values of a body. */
function sentFields(body: Json, at: string): readonly string[] {
  if (!isJsonObject(body)) return at === "" ? [] : [at];
  return Object.entries(body).flatMap(([name, value]) => sentFields(value, `${at}/${escapePointerToken(name)}`));
}
