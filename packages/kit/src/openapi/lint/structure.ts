import type { Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { isJsonObject, isOfJsonType, type JsonType } from "../../model/index.js";
import { editDistance } from "../read/edit-distance.js";
import { interpretStructure, type StructureIssue } from "./redocly/interpretations.js";
import type { LintSettings } from "./rule.js";
import { isExtensionFieldName } from "./vocabulary.js";

/** Compares objects with Redocly's types. Its own rule, `struct`, does not tell apart what is wrong, except in its texts. */
export function createStructureVisitor(ruleset: LintSettings["ruleset"]): Oas3Visitor {
  return {
    any(node: unknown, context: VisitContext) {
      for (const issue of findIssues(node, context)) if (!isIgnored(issue, context)) report(issue, context, ruleset);
    },
    ref(node: object, context: UserContext) {
      const { type, specVersion, rawLocation } = context;
      if (type.name !== "Schema" || specVersion === "oas3_0" || !Object.hasOwn(node, "nullable")) return;
      const fix = "Write `anyOf` with the reference and `type: 'null'`.";
      report({ ...unexpectedField("nullable", { type, location: rawLocation }), fix }, context, ruleset);
    },
  };
}

type VisitContext = UserContext & { readonly ignoreNextVisitorsOnNode: () => void };

function report(issue: StructureIssue, context: Pick<UserContext, "report">, ruleset: LintSettings["ruleset"]): void {
  const { message, suggest = [], location, fix } = issue;
  const reading = ruleset === "minimal" ? interpretStructure(issue) : undefined;
  // JSON Schema allows unknown keywords, and many 3.1 descriptions still use `nullable`.
  const isWarning = reading !== undefined || (ruleset === "minimal" && issue.kind === "unexpected");
  const problem = { message, suggest: [...suggest], location, fix: reading ?? fix };
  context.report({ ...problem, ruleId: "openapi/struct", forceSeverity: isWarning ? "warn" : "error" });
}

/** What another rule reports, or Redocly's types do not know. */
function isIgnored({ kind, type, field, value, location }: StructureIssue, { specVersion }: UserContext): boolean {
  const extension = /\/(x-[^/]+)\//.exec(location.pointer)?.[1]; // Redocly has types for the extensions of some vendors
  if (type.startsWith("x-") || (extension !== undefined && !isExtensionFieldName(extension))) return true;
  if (type === "Responses" && kind === "unexpected") return true; // operations/status
  // Since 3.1, true and false are schemas. Redocly knows that only in some places.
  if (specVersion !== "oas3_0" && type === "Schema" && field === undefined && typeof value === "boolean") return true;
  // Since 3.2, a response may have a summary instead, and cookies have a style.
  if (specVersion !== "oas3_2") return false;
  return (type === "Response" && kind === "missing") || (field === "style" && value === "cookie");
}

function* findIssues(node: unknown, context: VisitContext): Iterable<StructureIssue> {
  const { key, location, ignoreNextVisitorsOnNode } = context;
  const { name: type, items, properties, extensionsPrefix, ...constraints } = context.type;
  const expected = items ? "array" : "object";
  if (!isOfJsonType(node, expected)) {
    ignoreNextVisitorsOnNode();
    const message = `Expected type \`${type}\` (${expected}) but got \`${typeNameOf(node)}\``;
    if (type !== "SpecExtension") yield { kind: "type", type, value: node, message, location };
  }
  if (!isJsonObject(node) || items) return;
  if (Object.hasOwn(node, "hasOwnProperty")) ignoreNextVisitorsOnNode(); // Redocly calls it
  const required = typeof constraints.required === "function" ? constraints.required(node, key) : constraints.required;
  for (const field of required ?? []) {
    const message = `The field \`${field}\` must be present on this level.`;
    if (!Object.hasOwn(node, field)) yield { kind: "missing", type, field, message, location };
  }
  const allowed = constraints.allowed?.(node);
  for (const field of Object.keys(allowed ? node : {})) {
    const isExtension = extensionsPrefix !== undefined && field.startsWith(extensionsPrefix);
    if (allowed?.includes(field) || isExtension || !Object.hasOwn(properties, field)) continue;
    const message = `The field \`${field}\` is not allowed here.`;
    yield { kind: "forbidden", type, field, message, location: location.child([field]) };
  }
  const alternatives = constraints.requiredOneOf ?? [];
  if (alternatives.length > 0 && !alternatives.some((field) => Object.hasOwn(node, field))) {
    const message = `Must contain at least one of the following fields: ${alternatives.join(", ")}.`;
    yield { kind: "missingAll", type, field: alternatives[0], message, location };
  }
  for (const [field, value] of Object.entries(node)) yield* findFieldIssues(field, value, context);
}

function* findFieldIssues(field: string, written: unknown, context: VisitContext): Iterable<StructureIssue> {
  const { properties, additionalProperties, name: type } = context.type;
  const declared = Object.hasOwn(properties, field) ? properties[field] : additionalProperties;
  const constraints = typeof declared === "function" ? declared(written, field) : declared;
  if (constraints === undefined && !field.startsWith("x-")) yield unexpectedField(field, context);
  if (constraints === undefined || constraints === null || constraints.name !== undefined) return; // an object of its own
  const { enum: names, items: ofItems, minimum = 0 } = constraints;
  const isLiteral = Object.hasOwn(constraints, "resolvable") && !constraints.resolvable;
  const value = !isLiteral && isReference(written) ? (context.resolve(written).node as unknown) : written;
  const location = context.location.child([field]);
  const subject = { type, field, value: written, location };
  const list = Array.isArray(written) ? (written as readonly unknown[]) : [];
  const items = list.map((item, index) => ({ ...subject, value: item, location: location.child([index]) }));
  for (const item of items) yield* findUnlistedValue(item, ofItems?.enum);
  if (names) yield* findUnlistedValue({ ...subject, value }, names);
  else if (!isOfType(value, constraints.type)) {
    context.ignoreNextVisitorsOnNode();
    yield wrongType(subject, constraints.type);
  } else for (const item of items) if (!isOfType(item.value, ofItems?.type)) yield wrongType(item, ofItems?.type);
  const message = `The value of the ${field} field must be greater than or equal to ${minimum}`;
  if (constraints.minimum !== undefined && Number(written) < minimum) yield { ...subject, kind: "minimum", message };
}

type FieldValue = Omit<StructureIssue, "kind" | "message">;

function unexpectedField(field: string, { type, location }: Pick<UserContext, "type" | "location">): StructureIssue {
  const suggest = findNearNames(field, Object.keys(type.properties));
  const message = `Property \`${field}\` is not expected here.`;
  return { kind: "unexpected", type: type.name, field, message, suggest, location: location.child([field]) };
}

function* findUnlistedValue(subject: FieldValue, names: readonly string[] = []): Iterable<StructureIssue> {
  const { field, value } = subject;
  if (names.length === 0 || names.some((name) => name === value)) return;
  const suggest = value === null ? names : findNearNames(value, names);
  const message = `\`${field}\` can be one of the following only: ${names.map((name) => `"${name}"`).join(", ")}.`;
  yield { ...subject, kind: "value", message, suggest };
}

function wrongType(subject: FieldValue, expected: JsonType | undefined): StructureIssue {
  const message = `Expected type \`${expected}\` but got \`${typeNameOf(subject.value)}\`.`;
  return { ...subject, kind: "type", expected, message };
}

function isReference(value: unknown): value is { readonly $ref: string } {
  return isJsonObject(value) && typeof value["$ref"] === "string";
}

function isOfType(value: unknown, type: JsonType | undefined): boolean {
  return type === undefined || isOfJsonType(value, type);
}

function typeNameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
}

/** Returns the names with at most three other characters, the nearest first. */
function findNearNames(value: unknown, names: readonly string[]): readonly string[] {
  if (typeof value !== "string") return [];
  return names
    .filter((name) => editDistance(value, name) < 4)
    .toSorted((a, b) => editDistance(value, a) - editDistance(value, b));
}
