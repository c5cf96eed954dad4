import type { Template } from "@plumbline/conformance-runtime";
import { intersectSchemas } from "@plumbline/kit/codegen/values";
import { type Operation, type Schema, findJsonContent, memoize } from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";
import { operationErrorFormat } from "../context/error-formats.js";
import { bodyFieldsOf, type BodyField } from "../values/body-fields.js";
import type { BodyContext } from "../values/body-mutations.js";
import { unconditionalLayers } from "../values/schema-layers.js";
import { createdResource } from "./created-resources.js";
import { hasKnownPath, planRequest, type RequestPlan } from "./request-plan.js";

/** The input of the cases of one operation's body. */
export interface BodyCaseContext extends BodyContext {
  readonly operation: Operation;
  /** The requirements of the body, else those of the operation. */
  readonly requirements: readonly string[];
  readonly shared: RequestPlan;
  readonly own: RequestPlan;
  readonly fields: readonly BodyField[];
  /** True when errors name the invalid field. */
  readonly namesFields: boolean;
  readonly rejectionStatus: number | readonly number[];
  /** The schema of a successful response. */
  readonly responseSchema: Schema | undefined;
  /** The read of the created or updated object. Its path refers to the response as `answer`. */
  readonly read: { readonly operation: Operation; readonly path: Readonly<Record<string, Template>> } | undefined;
}

/** Undefined for an operation without a JSON body, or with unknown objects in its path. */
export function bodyCaseContext(context: ConformanceContext, operation: Operation): BodyCaseContext | undefined {
  // With an unknown object in the path the server may respond 404 before it validates the body.
  if (!hasKnownPath(context, operation)) return undefined;
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  if (operation.requestBody === undefined || content === undefined) return undefined;
  const own = planRequest(context, operation, { objects: "own" });
  const shared = planRequest(context, operation, { objects: "shared" });
  const stated = [...requirementIds(content.schema.sources), ...requirementIds(operation.requestBody.sources)];
  const requirements = stated.length > 0 ? stated : requirementIds(operation.sources);
  const success = operation.responses.find(({ status }) => String(status).startsWith("2"));
  return {
    context,
    operation,
    requirements,
    shared,
    own,
    schema: content.schema,
    acceptedBody: own.call.body ?? {},
    nulls: operation.requestBody.input.nulls,
    fields: bodyFieldsOf(context, content.schema, requirements),
    namesFields: errorsNameFields(context, operation),
    rejectionStatus: rejectionStatusOf(operation),
    // A response that has the created object in a field shows values at other pointers than the request.
    // The body of a read has no meaning for its response (RFC 9110).
    responseSchema:
      operation.method !== "GET" && (createdResource(context.api, operation)?.pointer ?? "") === ""
        ? success && findJsonContent(success.contents)?.schema
        : undefined,
    read: readOperation(context, operation, own),
  };
}

const readsByPath = memoize(
  (api) =>
    new Map(
      api.operations
        .filter(({ method }) => method === "GET")
        .toReversed()
        .map((each) => [each.path, each] as const),
    ),
);

function readOperation(
  context: ConformanceContext,
  operation: Operation,
  { call }: RequestPlan,
): BodyCaseContext["read"] {
  const { api } = context;
  const created = createdResource(api, operation);
  if (created !== undefined) {
    const read = context.operations.get(created.resource.read ?? "");
    const parameters = read?.parameters.filter((each) => each.in === "path") ?? [];
    const last = parameters.at(-1);
    if (read === undefined || last === undefined) return undefined;
    const outer = parameters.slice(0, -1).map((each) => [each.name, call.path?.[each.name]] as const);
    if (outer.some(([, value]) => value === undefined)) return undefined;
    const lastEntry = [last.name, { $get: `answer#/body${created.pointer}/${last.reference?.by ?? "id"}` }] as const;
    return {
      operation: read,
      path: Object.fromEntries([...outer.map(([name, value]) => [name, value ?? null] as const), lastEntry]),
    };
  }
  if (operation.method !== "PUT" && operation.method !== "PATCH") return undefined;
  const read = operation.path === "" ? undefined : readsByPath(api).get(operation.path);
  return read === undefined ? undefined : { operation: read, path: call.path ?? {} };
}

/** True when the error body has entries with a field. */
function errorsNameFields(context: ConformanceContext, operation: Operation): boolean {
  if (operationErrorFormat(context.api, operation)?.field !== undefined) return true;
  const response = operation.responses.find(({ status }) => status === 400 || status === "4XX" || status === "default");
  const schema = response && findJsonContent(response.contents)?.schema;
  if (schema === undefined) return false;
  const errors = unconditionalLayers(context, schema).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => name === "errors"),
  );
  const items = errors.flatMap((each) => unconditionalLayers(context, each.schema)).flatMap((each) => each.items ?? []);
  if (items.length === 0) return false;
  const names = new Set(
    unconditionalLayers(context, intersectSchemas(items)).flatMap(({ properties = [] }) =>
      properties.map(({ name }) => name),
    ),
  );
  return names.has("field") && names.has("reason");
}

/** The status for an invalid body: 400 or 422, whichever is documented. */
function rejectionStatusOf({ responses }: Operation): number | readonly number[] {
  const described = [400, 422].filter((status) => responses.some((response) => response.status === status));
  const [first] = described;
  return described.length === 1 && first !== undefined ? first : [400, 422];
}
