import type { Fault, FaultCode } from "./faults.js";

/** What is wrong, in plain words with the bounds. */
export function reasonOf({ code, first, second }: Fault): string {
  const words = reasons[code];
  return typeof words === "string" ? words : words(first, second);
}

type Words = string | ((first: unknown, second: unknown) => string);

const list = (value: unknown, last = "or"): string => {
  const all = Array.isArray(value) ? value.map(String) : [String(value)];
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
};

const simple: Words = "is not valid";

const reasons: Readonly<Record<FaultCode, Words>> = {
  type: (first) => `must be ${list(first)}`,
  required: "is required",
  needs: simple,
  unknown: "is not known",
  name: simple,
  enum: (first) => `must be one of ${list(first)}`,
  const: (first) => `must be ${String(first)}`,
  never: simple,
  length: (first, second) => `must be ${String(first)} to ${String(second)} characters`,
  pattern: simple,
  format: (first) => `must be a valid ${String(first)}`,
  range: (first, second) => `must be ${String(first)} to ${String(second)}`,
  above: simple,
  below: simple,
  multiple: simple,
  items: simple,
  unique: simple,
  contains: simple,
  fields: simple,
  union: simple,
  variant: simple,
  not: simple,
  bytes: simple,
  combined: simple,
  serialized: simple,
  rule: simple,
  syntax: (first) => `must be valid ${String(first)}`,
  once: "must be given once",
  unicode: "must be well-formed Unicode",
  depth: (first) => `must be nested at most ${String(first)} levels deep`,
  many: (first) => `must have at most ${String(first)} entries`,
  long: (first) => `must be at most ${String(first)} bytes`,
  path: "Not found",
  method: (first) => `Method not allowed, only ${list(first)}`,
  accept: (first) => `Accept must allow ${list(first)}`,
  media: (first) => `Content-Type must be ${list(first)}`,
  encoding: "Content-Encoding is not supported",
  status: (first) => `${String(first)} is not a described status`,
  size: (first) => `Body must be at most ${String(first)} bytes`,
};
