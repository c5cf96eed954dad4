import { code, type Code } from "../../printer.js";
import type { Schema } from "@plumbline/model";
import { validatorFunction, validatorType } from "../runtime.js";
import { type CheckSite, FunctionScope, type CompileContext } from "./scope.js";
import { valuePositionChecks, schemaChecks } from "./schemas.js";

/** Returns the name of a function that checks an unnamed schema. Functions with the same code are shared. */
export function checkFunction(context: CompileContext, schema: Schema, hint: string): Code {
  if (isBareReference(schema)) return context.refer(schema.ref ?? "", context.nulls);
  return context.constants.share(`check ${hint}`, (own) =>
    declareCheckFunction(context, schema, { own, hint }, schemaChecks),
  );
}

/** Emits a call of the function that checks a schema. */
export function callCheckFunction(context: CompileContext, schema: Schema, { value, hint }: CheckSite): Code {
  const check = checkFunction(context, schema, hint);
  const statements = isBareReference(schema) ? [] : schemaChecks(new FunctionScope(context), schema, { value, hint });
  const reject = isBareReference(schema) || statements.some(readsReject);
  return code`${check}(${value}, issues${reject ? code`, reject` : code``});`;
}

/**
 * Returns the name of a function that checks a complete body or parameter, and can reject unknown fields. `echoed` is a
 * table of checks of
 * response fields; values that match these are accepted. Returns `undefined` if there is nothing to check.
 */
export function valueCheckFunction(
  context: CompileContext,
  schema: Schema,
  hint: string,
  echoed?: Code,
): Code | undefined {
  if (valuePositionChecks(new FunctionScope(context), schema, { value: code`value`, hint }).length === 0)
    return undefined;
  const validate: typeof valuePositionChecks = (scope, each, spot) => {
    const checks = valuePositionChecks(scope, each, spot);
    if (echoed === undefined) return checks;
    const before = scope.variable("before");
    return [
      code`const ${before} = issues.length;`,
      ...checks,
      code`if (issues.length > ${before}) ${validatorFunction("acceptEchoedValues")}(value, issues, ${before}, ${echoed}());`,
    ];
  };
  return context.constants.share(`check ${hint}`, (own) =>
    declareCheckFunction(context, schema, { own, hint }, validate),
  );
}

/** Declares the check function of a named schema. */
export function namedCheckFunction(context: CompileContext, schema: Schema, own: Code, hint: string): Code {
  // Others call it with `reject`, whether or not it depends on that.
  return code`export ${declareCheckFunction(context, schema, { own, hint, isCalled: true }, schemaChecks)}`;
}

function declareCheckFunction(
  context: CompileContext,
  schema: Schema,
  { own, hint, isCalled = false }: { readonly own: Code; readonly hint: string; readonly isCalled?: boolean },
  emitChecks: typeof schemaChecks,
): Code {
  const statements = emitChecks(new FunctionScope(context), schema, { value: code`value`, hint });
  const reject = isCalled || statements.some(readsReject) ? code`, reject?: boolean` : code``;
  return code`function ${own}(value: unknown, issues: ${validatorType("Issues")}${reject}): void {\n${statements}\n}`;
}

/** Whether code depends on the parameter that rejects unknown fields. */
function readsReject({ parts }: Code): boolean {
  return parts.some((part) => {
    if (typeof part === "string") return /\breject\b/.test(part);
    return "parts" in part && readsReject(part);
  });
}

function isBareReference(schema: Schema): boolean {
  const { ref, types, origin: _origin, title: _title, description: _description, sources: _sources, ...rest } = schema;
  return ref !== undefined && types.length === 0 && Object.keys(rest).length === 0;
}
