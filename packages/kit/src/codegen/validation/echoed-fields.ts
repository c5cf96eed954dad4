import {
  type Api,
  type Operation,
  type Property,
  type Schema,
  findJsonContent,
  isSuccess,
  schemasByName,
} from "../../model/index.js";
import { code, joinCode, propertyKey, type Code } from "../printer.js";
import { checkFunction } from "./compile/functions.js";
import type { CompileContext } from "./compile/scope.js";
import { validatorType } from "./runtime.js";

/**
 * Emits a table of checks for the fields of a change as its response contains them. A value that repeats the stored one
 * is valid even if it
 * violates the constraints of the request. Returns `undefined` if that does not apply, or if the response contains none
 * of the fields.
 */
export function echoedFields(
  operation: Operation,
  schema: Schema,
  api: Api,
  context: CompileContext,
): Code | undefined {
  const { response: echoed, fields } = echoedProperties(operation, schema, api);
  if (echoed === undefined || fields.length === 0) return undefined;
  const checks = fields.map(
    (each) =>
      code`${propertyKey(each.name)}: ${checkFunction(context, each.schema, `echoed ${echoed.ref ?? operation.name} ${each.name}`)}`,
  );
  return context.constants.share(
    `echoed ${echoed.ref ?? operation.name}`,
    (name) =>
      code`const ${name} = (): Readonly<Record<string, ${validatorType("Check")}>> => ({ ${joinCode(checks, code`, `)} });`,
  );
}

/** Returns the properties of a response that a change may send back unchanged, and the schema of that response. */
export function echoedProperties(
  operation: Operation,
  schema: Schema,
  api: Api,
): { readonly response: Schema | undefined; readonly fields: readonly Property[] } {
  if (operation.requestBody?.input.unchanged !== "accept") return { response: undefined, fields: [] };
  const success = operation.responses.find(isSuccess);
  const response = success === undefined ? undefined : findJsonContent(success.contents)?.schema;
  if (response === undefined) return { response, fields: [] };
  const sent = new Set(propertiesOf(schema, api).map((property) => property.name));
  return { response, fields: propertiesOf(response, api).filter((property) => sent.has(property.name)) };
}

function propertiesOf(schema: Schema, api: Api, visited: Set<string> = new Set()): readonly Property[] {
  const parts = [...(schema.allOf ?? [])];
  if (schema.ref !== undefined && !visited.has(schema.ref)) {
    visited.add(schema.ref);
    const target = schemasByName(api).get(schema.ref);
    if (target !== undefined) parts.push(target);
  }
  return [...(schema.properties ?? []), ...parts.flatMap((part) => propertiesOf(part, api, visited))];
}
