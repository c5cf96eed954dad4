import { isObject, type InputGroups } from "../../http/index.js";
import { valuesOf, type Caller, type EvaluationContext, type Expression, type LoadedRows } from "../../server/index.js";
import type { MockContext } from "../mock-context.js";
import type { MockOperation } from "../mock-definition.js";
import type { StoredObject, Values } from "../store/stored-object.js";
import { storedObject } from "./objects.js";

/** A request while its operation is performed. Conditions see the data as they were before it. */
export interface MockRequest extends EvaluationContext {
  readonly mock: MockContext;
  readonly name: string;
  readonly operation: MockOperation;
  readonly requestId: string;
  readonly caller: Caller | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly body: unknown;
  readonly target: Values | undefined;
  /** The body of the success response so far. */
  response: unknown;
  /** The cursor of the next page, once the body of a list is composed. */
  next: string | undefined;
  /** The objects that the operation has created. */
  readonly created: StoredObject[];
}

/** The values of an expression, now. */
export function evaluate(request: MockRequest, expression: Expression): readonly unknown[] {
  return valuesOf(expression, request);
}

/** The current version of the object that the path names. */
export function targetObject(request: MockRequest): StoredObject | undefined {
  return storedObject(request.mock, request.target);
}

/** Finds objects that the server has loaded for a request. */
export function loadedRows(operation: MockOperation, input: InputGroups): LoadedRows {
  const refs = isObject(input["refs"]) ? input["refs"] : {};
  return {
    parameter: (name) => (refs[name] === undefined ? undefined : [refs[name]]),
    at: (key) => {
      const reference = operation.bodyReferences.find(({ pointer }) => pointer.join("/") === key);
      if (reference === undefined) return undefined;
      const rows = refs[reference.name];
      if (rows instanceof Map) return rows as ReadonlyMap<unknown, unknown>;
      return new Map(isObject(rows) ? [[rows[reference.by], rows] as const] : []);
    },
  };
}
