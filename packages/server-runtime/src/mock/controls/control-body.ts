import { isArray, isObject } from "../../http/index.js";
import type { HttpRequest } from "../../server/index.js";
import { durationMs } from "../store/mock-clock.js";
import type { Values } from "../store/stored-object.js";
import { ControlError, type FieldError } from "./control-errors.js";

/** What a field has to be. */
export interface FieldRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  readonly isRequired?: true;
  /** The fields of an object, or of the objects in an array. */
  readonly fields?: FieldRules;
}

export type FieldRules = Readonly<Record<string, FieldRule>>;

export const textRule: FieldRule = {
  expected: "a text",
  isValid: (value) => typeof value === "string" && value !== "",
};
/** A text that may be empty: no scopes. */
export const scopesRule: FieldRule = { expected: "a text", isValid: (value) => typeof value === "string" };
export const flagRule: FieldRule = { expected: "true or false", isValid: (value) => typeof value === "boolean" };
export const objectRule: FieldRule = { expected: "an object", isValid: isObject };
export const identifierRule: FieldRule = {
  expected: "a text or a number",
  isValid: (value) => typeof value === "number" || textRule.isValid(value),
};
export const durationRule: FieldRule = {
  expected: "an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT24H",
  isValid: (value) => typeof value === "string" && isDuration(value),
};

/** An attribute of a caller, with the values that it can have. Without any: a text, a number, or true or false. */
export function attributeRule(values: readonly unknown[]): FieldRule {
  if (values.length === 0)
    return {
      expected: "a text, a number, or true or false",
      isValid: (value) => ["string", "number", "boolean"].includes(typeof value),
    };
  return {
    expected: values.map((value) => JSON.stringify(value)).join(" or "),
    isValid: (value) => values.includes(value),
  };
}

/** A number in a range, with both ends. */
export function numberFrom(least: number, most: number): FieldRule {
  const isValid = (value: unknown): boolean => typeof value === "number" && value >= least && value <= most;
  return { expected: `a number from ${least} to ${most}`, isValid };
}

/** An integer in a range, with both ends. */
export function integerFrom(least: number, most: number): FieldRule {
  const { isValid } = numberFrom(least, most);
  return {
    expected: `an integer from ${least} to ${most}`,
    isValid: (value) => isValid(value) && Number.isInteger(value),
  };
}

/** An array of objects. */
export function arrayOf(fields: FieldRules): FieldRule {
  return { expected: "an array of objects", isValid: (value) => isArray(value) && value.every(isObject), fields };
}

export function requireField(rule: FieldRule): FieldRule {
  return { ...rule, isRequired: true };
}

/** Memory is bounded: a larger body is rejected. */
const maxBodyBytes = 64 * 2 ** 20;

/**
 * Reads the JSON body of a request. Absent: an empty object.
 *
 * @param rules - The fields. Undefined: an object with fields of every name.
 * @throws ControlError with every invalid field
 */
export async function readControlBody(received: HttpRequest, rules: FieldRules | undefined): Promise<Values> {
  const bytes = await received.bytes(maxBodyBytes, received.length !== undefined);
  if (bytes === undefined) throw new ControlError(413, `The body has more than ${maxBodyBytes} bytes.`);
  const content = new TextDecoder().decode(bytes);
  if (content !== "" && !/^application\/json\s*(;|$)/i.test(received.header("content-type") ?? ""))
    throw new ControlError(415, "The body is not JSON. Send `Content-Type: application/json`.");
  const body = content === "" ? {} : parse(content);
  if (!isObject(body)) throw new ControlError(400, "The body is not an object.");
  const errors = rules === undefined ? [] : fieldErrors(body, rules, "");
  if (errors.length > 0) throw new ControlError(400, "The body has invalid fields.", errors);
  return body;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    throw new ControlError(400, `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fieldErrors(value: Values, rules: FieldRules, path: string): readonly FieldError[] {
  const names = Object.keys(rules);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  const reason = names.length === 0 ? "Unknown field." : `Unknown field. Known: ${names.join(", ")}.`;
  return [
    ...unknown.map((name) => ({ field: path + name, reason })),
    ...Object.entries(rules).flatMap(([name, rule]) => ruleErrors(value[name], rule, path + name)),
  ];
}

function ruleErrors(value: unknown, rule: FieldRule, field: string): readonly FieldError[] {
  if (value === undefined) return rule.isRequired ? [{ field, reason: `Missing. It is ${rule.expected}.` }] : [];
  if (!rule.isValid(value)) return [{ field, reason: `Not ${rule.expected}.` }];
  const { fields } = rule;
  if (fields === undefined) return [];
  const items = isArray(value) ? value.map((each, index) => [each, `${field}.${index}.`] as const) : [];
  return items.flatMap(([each, path]) => (isObject(each) ? fieldErrors(each, fields, path) : []));
}

function isDuration(value: string): boolean {
  try {
    return durationMs(value) >= 0;
  } catch {
    return false;
  }
}
