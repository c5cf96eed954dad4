import type { Expression } from "../../../model/index.js";
import { didYouMean } from "../../read/did-you-mean.js";
import { looksLikeExpression, parseExpression } from "../../read/expression.js";
import { findApplicability, type Applicability } from "../applicability.js";
import {
  bodySchemas,
  resolveFields,
  fieldNamesIn,
  hasField,
  findParameter,
  referencedResource,
  successSchemas,
} from "../fields.js";
import type { LintNode } from "../lint-node.js";
import type { LintRule } from "../rule.js";
import { schemasOfHolder, type LintOperation, type SpecIndex } from "../spec-index.js";

/** Expressions are well-formed and refer to existing parameters and fields. */
export const expressionsRule: LintRule<"expressions/syntax" | "expressions/unknown"> = {
  codes: {
    "expressions/syntax": ["error", "warning", "A text is not a valid expression."],
    "expressions/unknown": ["error", "warning", "An expression refers to an unknown parameter or field."],
  },
  *check(index) {
    for (const { extension, kind, path, at, value } of index.usesOf("expression", "subject")) {
      if (kind === "subject" && !(typeof value === "string" && value.startsWith("$"))) continue; // a literal
      if (typeof value === "string" && isOperand(path) && !looksLikeExpression(value)) continue;
      const expression = typeof value === "string" ? parseExpression(value) : undefined;
      if (expression === undefined) {
        const message = `${JSON.stringify(value)} is not a valid expression.`;
        const fix =
          "Write one such as $request.path.NAME, $request.body#/field, $target#/field, $caller.scopes or 1/field.";
        yield { code: "expressions/syntax", at, message, fix };
        continue;
      }
      const unresolved = findUnresolved(index, findApplicability(index, extension, path), expression);
      if (unresolved !== undefined) yield { code: "expressions/unknown", at, ...unresolved };
    }
  },
};

/** True for the right side of a comparison, which may be a literal. */
function isOperand(path: readonly string[]): boolean {
  return path.at(-1) === "2" && path.at(-2) === "compare";
}

interface UnresolvedExpression {
  readonly message: string;
  readonly fix: string;
}

function findUnresolved(
  index: SpecIndex,
  { operations, targets, contexts }: Applicability,
  { root, part = "", name = "", pointer }: Expression,
): UnresolvedExpression | undefined {
  switch (root) {
    case "request":
      if (operations.length === 0) return undefined;
      return part === "body"
        ? findMissingField(operations.flatMap(bodySchemas), pointer, "The request body")
        : findMissingParameter(operations, part, name);
    case "response":
      if (operations.length === 0) return undefined;
      return findMissingField(operations.flatMap(successSchemas), pointer, "The response");
    case "target":
      return targets.length === 0 ? undefined : findMissingField(targets, pointer, "The target");
    case "refs": {
      if (operations.length === 0) return undefined;
      const schemas = operations.flatMap((operation) => [
        ...resolveFields(bodySchemas(operation), part.split(".")).schemas,
        ...byParameter(operation.parameters, part),
      ]);
      const resource = referencedResource(index, schemas);
      if (resource) return findMissingField([resource], pointer, `The resource of "${part}"`);
      const message = `"${part}" is not a field with an x-reference.`;
      return { message, fix: "Name a field of the body that has one." };
    }
    case "relative": {
      const up = Number(part);
      const bases = contexts.flatMap(({ self, enclosing }) => (up === 0 ? [self] : enclosing.slice(up - 1, up)));
      return contexts.length === 0 ? undefined : findMissingField(bases, pointer, `What is ${up} up from here`);
    }
    case "caller":
      return undefined; // the server's `authenticate` determines the caller
  }
}

function findMissingParameter(
  operations: readonly LintOperation[],
  part: string,
  name: string,
): UnresolvedExpression | undefined {
  if (operations.some((operation) => findParameter(operation, part, name))) return undefined;
  const names = operations
    .flatMap(({ parameters }) => parameters)
    .filter((parameter) => parameter.text("in") === part)
    .flatMap((parameter) => parameter.text("name") ?? []);
  const subject =
    operations.length > 1 ? "No operation that uses this has a" : `${operations[0]?.name ?? "The operation"} has no`;
  return { message: `${subject} ${part} parameter "${name}".`, fix: didYouMean(name, names, "parameters") };
}

function byParameter(parameters: readonly LintNode[], name: string): readonly LintNode[] {
  return parameters.flatMap((each) => (each.text("name") === name ? [each, ...schemasOfHolder(each)] : []));
}

function findMissingField(
  schemas: readonly LintNode[],
  pointer: readonly string[],
  subject: string,
): UnresolvedExpression | undefined {
  if (schemas.length === 0) return { message: `${subject} is not there.`, fix: "Correct the expression." };
  if (hasField(schemas, pointer)) return undefined;
  const missingAt = pointer.findIndex((_, index) => !hasField(schemas, pointer.slice(0, index + 1)));
  const field = pointer[missingAt] ?? "";
  const names = fieldNamesIn(resolveFields(schemas, pointer.slice(0, missingAt)).schemas);
  return {
    message: `${subject} has no field "${pointer.slice(0, missingAt + 1).join("/")}".`,
    fix: didYouMean(field, names, "fields"),
  };
}
