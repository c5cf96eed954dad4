import { looksLikeExpression, parseExpression, type Expression } from "../expression.js";
import { bodyOf, descend, fieldNamesOf, leads, parameterOf, resourceOf, successOf } from "../fields.js";
import { instead } from "../names.js";
import { reachOf, type Reach } from "../reach.js";
import type { Rule } from "../rule.js";
import type { Spot } from "../spot.js";
import { schemasOf, type Survey } from "../survey.js";

/** Expressions are well-formed and refer to existing parameters and fields. */
export const expressions: Rule = function* (survey) {
  for (const extension of survey.extensions) {
    for (const { kind, path, value } of extension.reading.uses) {
      const literal = kind === "subject" && !(typeof value === "string" && value.startsWith("$"));
      if ((kind !== "expression" && kind !== "subject") || literal) continue;
      const at = extension.spot.at(path);
      if (typeof value === "string" && isOperand(path) && !looksLikeExpression(value)) continue;
      const expression = typeof value === "string" ? parseExpression(value) : undefined;
      if (expression === undefined) {
        const message = `${JSON.stringify(value)} is not a valid expression.`;
        yield {
          code: "expressions/syntax",
          at,
          message,
          fix: "Write one such as $request.path.NAME, $request.body#/field, $target#/field, $caller.scopes or 1/field.",
        };
        continue;
      }
      const reach = reachOf(survey, extension, path);
      const message = lost(survey, reach, expression);
      if (message !== undefined) yield { code: "expressions/unknown", at, ...message };
    }
  }
};

/** True for the right side of a comparison, which may be a literal. */
function isOperand(path: readonly string[]): boolean {
  return path.at(-1) === "2" && path.at(-2) === "compare";
}

interface Lost {
  readonly message: string;
  readonly fix: string;
}

function lost(survey: Survey, reach: Reach, expression: Expression): Lost | undefined {
  const { operations } = reach;
  switch (expression.root) {
    case "path":
    case "query":
    case "header": {
      const { root, name } = expression;
      if (operations.length === 0 || operations.some((each) => parameterOf(each, root, name))) return undefined;
      const names = operations
        .flatMap((each) => each.parameters)
        .filter((each) => each.text("in") === root)
        .flatMap((each) => each.text("name") ?? []);
      const who =
        operations.length > 1
          ? "No operation that uses this has a"
          : `${operations[0]?.name ?? "The operation"} has no`;
      return { message: `${who} ${root} parameter "${name}".`, fix: instead(name, names, "parameters") };
    }
    case "body":
      return operations.length === 0
        ? undefined
        : missing(operations.flatMap(bodyOf), expression.pointer, "The request body");
    case "response":
      return operations.length === 0
        ? undefined
        : missing(operations.flatMap(successOf), expression.pointer, "The reply");
    case "target":
      return reach.targets.length === 0 ? undefined : missing(reach.targets, expression.pointer, "The target");
    case "refs": {
      if (operations.length === 0) return undefined;
      const named = operations.flatMap((each) => [
        ...descend(bodyOf(each), expression.name.split(".")).schemas,
        ...byParameter(each.parameters, expression.name),
      ]);
      const resource = resourceOf(survey, named);
      if (resource) return missing([resource], expression.pointer, `The resource of "${expression.name}"`);
      return {
        message: `"${expression.name}" is not a field with an x-reference.`,
        fix: "Name a field of the body that has one.",
      };
    }
    case "relative": {
      const { up, pointer } = expression;
      const bases = reach.contexts.flatMap((each) => (up === 0 ? [each.self] : each.around.slice(up - 1, up)));
      return reach.contexts.length === 0 ? undefined : missing(bases, pointer, `What is ${up} up from here`);
    }
    case "caller":
      return undefined; // the server's `authenticate` determines the caller
  }
}

function byParameter(parameters: readonly Spot[], name: string): readonly Spot[] {
  return parameters.flatMap((each) => (each.text("name") === name ? [each, ...schemasOf(each)] : []));
}

function missing(schemas: readonly Spot[], pointer: readonly string[], subject: string): Lost | undefined {
  if (schemas.length === 0) return { message: `${subject} is not there.`, fix: "Correct the expression." };
  if (leads(schemas, pointer)) return undefined;
  const known = pointer.findIndex((_, index) => !leads(schemas, pointer.slice(0, index + 1)));
  const field = pointer[known] ?? "";
  const names = fieldNamesOf(descend(schemas, pointer.slice(0, known)).schemas);
  return {
    message: `${subject} has no field "${pointer.slice(0, known + 1).join("/")}".`,
    fix: instead(field, names, "fields"),
  };
}
