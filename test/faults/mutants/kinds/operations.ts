import type { Api, ErrorDefinition, Operation } from "@plumbline/kit/model";
import type { Json, OperationResponse, Parameter } from "@plumbline/kit/model";
import { withBody, type ProxyResponse } from "../../proxy.js";
import { errorOf, isRejection, isSuccess, jsonOf, mentionsField, successOf, textsOf } from "../messages.js";
import type { Call, Mutant, MutantKind, ProxyContext, Violation } from "../mutant.js";
import { placeOf, requirementsOf } from "../statements.js";
import { isValid } from "../validation.js";
import { hasValidBody, isOfValidation } from "./request-values.js";

/** Violations of what an operation states: that it is there, its responses, parameters and errors. */
export function operationMutants(api: Api, operation: Operation): readonly Mutant[] {
  return [
    ...existence(operation),
    ...operation.parameters.flatMap((parameter) => parameterMutants(operation, parameter)),
    ...operation.errors.flatMap((error) => errorMutants(api, { error, operations: [operation] })),
  ];
}

interface Statement {
  readonly place: string;
  readonly requirements: readonly string[];
  readonly operations: readonly Operation[];
}

interface Detail {
  readonly kind: MutantKind;
  readonly detail: string;
}

export function mutantOf(
  { place, requirements, operations }: Statement,
  { kind, detail }: Detail,
  start: () => Violation,
): Mutant {
  const names = operations.map(({ name }) => name);
  return {
    id: `${kind}/${place}/${detail}`,
    kind,
    requirements,
    operations: names,
    description: `${names.slice(0, 3).join(", ")}: ${detail}`,
    start: () => ofOperations(start(), new Set(names)),
  };
}

/** Restricts a violation to some operations. */
function ofOperations({ onRequest, onResponse }: Violation, names: ReadonlySet<string>): Violation {
  return {
    ...(onRequest === undefined
      ? {}
      : { onRequest: (call, proxy) => (names.has(call.operation.name) ? onRequest(call, proxy) : undefined) }),
    ...(onResponse === undefined
      ? {}
      : {
          onResponse: (answer, call, proxy) =>
            names.has(call.operation.name) ? onResponse(answer, call, proxy) : answer,
        }),
  };
}

function existence(operation: Operation): readonly Mutant[] {
  const statement = {
    place: placeOf(operation.origin),
    requirements: requirementsOf(operation.sources),
    operations: [operation],
  };
  return [
    mutantOf(statement, { kind: "operation", detail: "does not exist" }, () => ({
      onRequest: (call, proxy) => errorOf(404, call, proxy),
    })),
  ];
}

/** The responses of all operations: each success on its own, and the errors that state the same together. */
export function responseStatementMutants(api: Api): readonly Mutant[] {
  const groups = new Map<string, ResponseStatement[]>();
  for (const operation of api.operations)
    for (const response of operation.responses) {
      const requirements = requirementsOf(response.sources);
      const isSuccessful = String(response.status).startsWith("2");
      const isOwn = isSuccessful || requirements.length === 0;
      const key = isOwn ? placeOf(response.origin) : JSON.stringify([response.status, requirements]);
      groups.set(key, [...(groups.get(key) ?? []), { operation, response }]);
    }
  return [...groups.values()].flatMap(responseMutants);
}

interface ResponseStatement {
  readonly operation: Operation;
  readonly response: OperationResponse;
}

function responseMutants(group: readonly ResponseStatement[]): readonly Mutant[] {
  const [first] = group;
  if (first === undefined) return [];
  const { status, headers, sources, origin, contents } = first.response;
  const operations = group.map(({ operation }) => operation);
  const statement: Statement = { place: placeOf(origin), requirements: requirementsOf(sources), operations };
  const isMeant = (answer: ProxyResponse, { operation }: Call): boolean =>
    operation.responses.find((each) => covers(each, answer.status))?.status === status;
  const changing = (change: (answer: ProxyResponse) => ProxyResponse): Violation => ({
    onResponse: (answer, call) => (isMeant(answer, call) ? change(answer) : answer),
  });
  const here = operations.length === 1 ? `${operations[0]?.name}/${status}` : String(status);
  const own = (header: OperationResponse["headers"][number]): Statement => ({
    ...statement,
    place: placeOf(header.origin),
    requirements: requirementsOf(header.sources),
  });
  return [
    // Any other status may be within a range.
    ...(typeof status === "number"
      ? [
          mutantOf(statement, { kind: "response status", detail: `${here}/another status` }, () =>
            changing((answer) => ({ ...answer, status: otherStatus(answer.status) })),
          ),
        ]
      : []),
    ...(contents.length === 0
      ? []
      : [
          mutantOf(statement, { kind: "response media type", detail: `${here}/another media type` }, () =>
            changing((answer) => ({ ...answer, headers: { ...answer.headers, "content-type": "text/html" } })),
          ),
        ]),
    ...headers
      .filter(({ required }) => required)
      .map((header) =>
        mutantOf(own(header), { kind: "response header", detail: `${here}/${header.name} is missing` }, () =>
          changing((answer) => {
            const { [header.name.toLowerCase()]: _removed, ...kept } = answer.headers;
            return { ...answer, headers: kept };
          }),
        ),
      ),
  ];
}

function covers({ status }: OperationResponse, actual: number): boolean {
  return (
    status === actual ||
    status === "default" ||
    (typeof status === "string" && status.startsWith(String(Math.floor(actual / 100))))
  );
}

/** Another status of the same class. */
function otherStatus(status: number): number {
  return otherStatuses[status] ?? (status < 300 ? 203 : 418);
}

const otherStatuses: Readonly<Record<number, number>> = {
  200: 203,
  201: 200,
  202: 200,
  204: 205,
  400: 409,
  401: 403,
  403: 401,
  404: 410,
  409: 400,
  422: 400,
  429: 503,
};

function parameterMutants(operation: Operation, parameter: Parameter): readonly Mutant[] {
  const { name, in: place, schema, sources, origin, required } = parameter;
  const requirements = [...new Set([...requirementsOf(sources), ...requirementsOf(schema.sources)])];
  const statement: Statement = { place: placeOf(origin), requirements, operations: [operation] };
  const ignored =
    place === "path" || required
      ? []
      : [
          mutantOf(statement, { kind: "parameter", detail: `${operation.name}/${name} ignored` }, () => ({
            onRequest: (call) => withoutParameter(call, parameter),
          })),
        ];
  const unchecked = mutantOf(statement, { kind: "parameter", detail: `${operation.name}/${name} not checked` }, () => ({
    onResponse: (answer, call, proxy) => {
      const value = parameterValue(call, parameter);
      if (!isOfValidation(answer) || value === undefined || isValid(proxy.api, schema, value)) return answer;
      return successOf(call, proxy);
    },
  }));
  return [...ignored, ...(place === "path" || !isRestricted(parameter) ? [] : [unchecked])];
}

function isRestricted({ schema }: Parameter): boolean {
  return schema.types.some((type) => type !== "string") || schema.enum !== undefined || schema.pattern !== undefined;
}

export function withoutParameter({ request }: Call, { name, in: place }: Parameter): Call["request"] {
  if (place === "header") {
    const { [name.toLowerCase()]: _removed, ...headers } = request.headers;
    return { ...request, headers };
  }
  const [path = "", query = ""] = request.target.split("?");
  const kept = query.split("&").filter((each) => decodeURIComponent(each.split("=")[0] ?? "") !== name);
  return { ...request, target: kept.length === 0 ? path : `${path}?${kept.join("&")}` };
}

/** The value of a parameter, as its type reads it. */
export function parameterValue({ request }: Call, { name, in: place, schema, mediaType }: Parameter): Json | undefined {
  const text =
    place === "header"
      ? request.headers[name.toLowerCase()]
      : (new URLSearchParams(request.target.split("?")[1] ?? "").get(name) ?? undefined);
  if (text === undefined) return undefined;
  if (mediaType !== undefined) return jsonOf({ body: text }) ?? text;
  const isNumeric = schema.types.some((type) => type === "integer" || type === "number");
  return isNumeric && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

interface ErrorStatement {
  readonly error: ErrorDefinition;
  readonly operations: readonly Operation[];
}

/** Errors that are not reported, or reported in another way. */
export function errorMutants(api: Api, { error, operations }: ErrorStatement): readonly Mutant[] {
  const { id, field, reasonContains, sources, origin, status } = error;
  const statement: Statement = { place: placeOf(origin), requirements: requirementsOf(sources), operations };
  const changing = (change: (answer: ProxyResponse, call: Call, proxy: ProxyContext) => ProxyResponse): Violation => ({
    onResponse: (answer, call, proxy) => (isError(api, { answer, call, error }) ? change(answer, call, proxy) : answer),
  });
  const where = operations.length === 1 ? `${operations[0]?.name}/${id}` : id;
  return [
    ...(status >= 500
      ? []
      : [
          mutantOf(statement, { kind: "error accepted", detail: `${where}/accepted` }, () =>
            changing((_, call, proxy) => successOf(call, proxy)),
          ),
        ]),
    mutantOf(statement, { kind: "error status", detail: `${where}/another status` }, () =>
      changing((answer) => ({ ...answer, status: otherStatus(answer.status) })),
    ),
    ...(typeof field === "string"
      ? [
          mutantOf(statement, { kind: "error field", detail: `${where}/another field` }, () =>
            changing((answer) => replaceTexts(answer, (text) => (isNameOf(text, field) ? "another_field" : text))),
          ),
        ]
      : []),
    ...(reasonContains.length === 0
      ? []
      : [
          mutantOf(statement, { kind: "error reason", detail: `${where}/another reason` }, () =>
            changing((answer) =>
              replaceTexts(answer, (text) => (reasonContains.some((each) => text.includes(each)) ? "No." : text)),
            ),
          ),
        ]),
  ];
}

function isNameOf(text: string, field: string): boolean {
  return field === "$each" ? /^[\w.]+$/.test(text) : text === field || text.endsWith(`.${field}`);
}

function replaceTexts(answer: ProxyResponse, change: (text: string) => string): ProxyResponse {
  const body = jsonOf(answer);
  return body === undefined
    ? answer
    : withBody(
        answer,
        JSON.parse(JSON.stringify(body), (_, value: unknown) => (typeof value === "string" ? change(value) : value)),
      );
}

/** True when a response is this error: by its status, field and reason, and by what the error is about. */
export function isError(
  api: Api,
  { answer, call, error }: { readonly answer: ProxyResponse; readonly call: Call; readonly error: ErrorDefinition },
): boolean {
  const { status, field, reasonContains, when } = error;
  if (answer.status !== status || isSuccess(answer)) return false;
  const isAbout = typeof field !== "string" || field.startsWith("$") || mentionsField(answer, field);
  if (!isAbout || !reasonContains.every((text) => textsOf(jsonOf(answer) ?? null).some((each) => each.includes(text))))
    return false;
  if (when?.body !== undefined && (call.body === undefined || !isValid(api, when.body, call.body))) return false;
  const isShared = api.errors.some(({ id }) => id === error.id);
  return isShared || !isRejection(answer) || hasValidBody(call, api);
}
