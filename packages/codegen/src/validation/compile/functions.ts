import { code, type Code } from "../../printer.js";
import type { Schema } from "@plumbline/model";
import { validatorFunction, validatorType } from "../runtime.js";
import { FunctionScope, type CompileContext } from "./scope.js";
import { valuePositionChecks, schemaChecks } from "./schemas.js";

/** Returns the name of a function that checks an unnamed schema. Functions with the same code are shared. */
export function checkFunction(context: CompileContext, schema: Schema, hint: string): Code {
  if (isBareReference(schema)) return context.refer(schema.ref ?? "", context.nulls);
  return context.constants.share(`check ${hint}`, (own) =>
    declareCheckFunction(context, schema, { own, hint }, schemaChecks),
  );
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
  return code`export ${declareCheckFunction(context, schema, { own, hint }, schemaChecks)}`;
}

function declareCheckFunction(
  context: CompileContext,
  schema: Schema,
  { own, hint }: { readonly own: Code; readonly hint: string },
  emitChecks: typeof schemaChecks,
): Code {
  const statements = emitChecks(new FunctionScope(context), schema, { value: code`value`, hint });
  return code`function ${own}(value: unknown, issues: ${validatorType("Issues")}, reject?: boolean): void {\n${statements}\n}`;
}

function isBareReference(schema: Schema): boolean {
  const { ref, types, origin: _origin, title: _title, description: _description, sources: _sources, ...rest } = schema;
  return ref !== undefined && types.length === 0 && Object.keys(rest).length === 0;
}
