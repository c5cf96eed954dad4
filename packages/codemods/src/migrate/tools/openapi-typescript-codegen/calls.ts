import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { namedProperties, printCall, valueOf } from "../client/call-text.js";
import type { FunctionCall } from "../client/function-migration.js";
import { readArguments, type ReadArguments } from "../client/positional-arguments.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { ServiceMethod } from "./service-methods.js";

/**
 * Records the edits of `PetsService.getPet(id)`. Its result is the data, before and after.
 *
 * @param clientName imports the client of all calls
 * @returns whether it is understood
 */
export function migrateServiceCall(
  { call, functionName }: FunctionCall,
  {
    method,
    clientName,
    recorder,
  }: { readonly method: ServiceMethod; readonly clientName: () => string; readonly recorder: CodeRecorder },
): boolean {
  const read = readServiceArguments(call, method);
  const name = call.expression.getText();
  if (read === undefined) {
    recorder.report("notUnderstood", call, `The arguments of \`${name}\` are not all written in the call.`);
    return false;
  }
  if (isCancelled(call)) {
    recorder.report("notUnderstood", call, `The code cancels \`${name}\`. Calls have an option \`signal\`.`);
    return false;
  }
  const instance = method.isOfInstance ? instanceOf(call) : undefined;
  const [given] = call.arguments;
  const like = method.takesObject && given !== undefined ? unwrap(given) : undefined;
  recorder.replace(call, (textOf) =>
    printCall(
      {
        ...read,
        name: functionName(method.operation),
        client: instance === undefined ? clientName() : textOf(instance),
        like: like !== undefined && ts.isObjectLiteralExpression(like) ? like : undefined,
      },
      textOf,
    ),
  );
  recorder.report("done", call, `\`${name}\` is \`${method.operation.name}\`.`);
  return true;
}

function readServiceArguments(
  call: ts.CallExpression,
  { names, roles, takesObject }: ServiceMethod,
): ReadArguments | undefined {
  if (!takesObject) return readArguments(call.arguments, roles);
  const [given, ...others] = call.arguments;
  const object = given && unwrap(given);
  if (object === undefined) return readArguments([], roles);
  const properties = ts.isObjectLiteralExpression(object) ? namedProperties(object) : undefined;
  if (properties === undefined || others.length > 0 || [...properties.keys()].some((each) => !names.includes(each)))
    return undefined;
  return readArguments(
    names.map((name) => {
      const property = properties.get(name);
      return property && valueOf(property);
    }),
    roles,
  );
}

/** The client in `api.pets.getPet()`. */
function instanceOf({ expression }: ts.CallExpression): ts.Expression | undefined {
  const service = ts.isPropertyAccessExpression(expression) ? expression.expression : undefined;
  return service !== undefined && ts.isPropertyAccessExpression(service) ? service.expression : undefined;
}

/** Whether the promise of a call is cancelled, by the name of the variable that has it. */
function isCancelled({ parent }: ts.CallExpression): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === "cancel";
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return false;
  return parent.getSourceFile().text.includes(`${parent.name.text}.cancel(`);
}
