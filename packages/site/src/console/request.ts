import {
  allowReserved,
  commaDelimited,
  cookieExploded,
  deepObject,
  encodeSegment,
  formExploded,
  jsonHeader,
  jsonParameter,
  jsonSegment,
  labelExploded,
  labelStyle,
  matrixExploded,
  matrixStyle,
  multipartBlob,
  multiSegment,
  objectHeader,
  objectHeaderExploded,
  pipeDelimited,
  plainCookie,
  plainCookieExploded,
  simpleExploded,
  simpleStyle,
  spaceDelimited,
  type ParameterEncoder,
} from "@plumbline/client-runtime";
import type { ExampleRequest } from "@plumbline/kit/codegen/samples";
import { isJsonObject, type Json } from "@plumbline/kit/model";
import type { ConsoleBody, ConsoleOperation, ConsoleParameter } from "./console-data.js";
import { parseJson, type FormValue } from "./form-values.js";

/** What the user has entered for a request. */
export interface ConsoleInput {
  /** The address of the server, without a slash at its end. */
  readonly base: string;
  /** The values of parameters, in the order of the operation. */
  readonly parameters: readonly (Json | undefined)[];
  readonly body: EnteredBody | undefined;
}

/** A body as it was entered. */
export interface EnteredBody {
  readonly content: ConsoleBody;
  /** The value of a form, or a text that is sent as it is. */
  readonly value: FormValue | string;
  /** The chosen files, by the name of their field; those of a binary body have an empty name. */
  readonly files: ReadonlyMap<string, readonly File[]>;
}

/** A request without its credentials. */
export interface ConsoleRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: BodyInit | undefined;
  /** The request as samples print it. */
  readonly example: ExampleRequest;
}

/** The user has not entered what a URL requires. */
export class IncompleteRequestError extends Error {
  override readonly name = "IncompleteRequestError";
}

/**
 * Builds the request of an operation. Only what a URL cannot be without is required: everything else is the server's to reject.
 *
 * @throws IncompleteRequestError for an empty path parameter.
 */
export function buildRequest(operation: ConsoleOperation, { base, parameters, body }: ConsoleInput): ConsoleRequest {
  const entered = operation.parameters.flatMap((parameter, index) => {
    const value = parameters[index];
    return value === undefined ? [] : [{ parameter, name: parameter.field.name, value }];
  });
  const inPlace = (place: ConsoleParameter["in"]) => entered.filter(({ parameter }) => parameter.in === place);
  const encoded = (place: ConsoleParameter["in"]) =>
    inPlace(place)
      .map(({ parameter, name, value }) => encoderOf(parameter, value)(name, value))
      .filter((text) => text !== "");
  const path = operation.path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const found = inPlace("path").find((each) => each.name === name);
    if (found === undefined) throw new IncompleteRequestError(`Enter a value of ${name}: it is a part of the URL.`);
    try {
      return encoderOf(found.parameter, found.value)(name, found.value);
    } catch {
      throw new IncompleteRequestError(`Enter another value of ${name}: a URL cannot have this one.`);
    }
  });
  const query = encoded("query").join("&");
  const headers = inPlace("header").map(
    ({ parameter, name, value }) => [name, encoderOf(parameter, value)(name, value)] as const,
  );
  const cookies = encoded("cookie").join("; ");
  const url = `${base}${path}${query === "" ? "" : `?${query}`}`;
  const sent = [
    ...headers,
    ...(cookies === "" ? [] : [["Cookie", cookies] as const]),
    ...(body === undefined || body.content.kind === "multipart"
      ? []
      : [["Content-Type", body.content.mediaType] as const]),
  ];
  const valuesIn = (place: ConsoleParameter["in"]): FormValue =>
    Object.fromEntries(inPlace(place).map(({ name, value }) => [name, value] as const));
  return {
    url,
    headers: sent,
    body: body === undefined ? undefined : encodeBody(body),
    example: {
      method: operation.method,
      url,
      headers: [
        ...operation.credentials
          .filter((each) => each.in === "header")
          .map(({ name, prefix, variable }) => ({ name, text: prefix, variable })),
        ...sent.map(([name, text]) => ({ name, text })),
      ],
      ...(body === undefined ? {} : { body: exampleBody(body) }),
      clientBase: operation.clientBase,
      parameters: {
        path: valuesIn("path"),
        query: valuesIn("query"),
        headers: valuesIn("header"),
        cookies: valuesIn("cookie"),
      },
    },
  };
}

function encodeBody({ content, value, files }: EnteredBody): BodyInit {
  const chosen = files.get("")?.[0];
  if (chosen !== undefined) return chosen;
  if (typeof value === "string") return value;
  switch (content.kind) {
    case "form":
      return Object.entries(value)
        .map(([name, each]) => formExploded(name, isJsonObject(each) ? JSON.stringify(each) : each))
        .join("&");
    case "multipart": {
      const json = Object.entries(value).filter(([, each]) => [each].flat().some(isJsonObject));
      const types = Object.fromEntries(json.map(([name]) => [name, "application/json"] as const));
      return multipartBlob({ ...value, ...Object.fromEntries(files) }, types);
    }
    case "json":
    case "text":
    case "binary":
      return JSON.stringify(value);
  }
}

function exampleBody({ content, value, files }: EnteredBody): NonNullable<ExampleRequest["body"]> {
  const { kind, mediaType } = content;
  const names = [...files].map(([name, [file]]) => [name, `@${file?.name ?? "file"}`] as const);
  if (typeof value !== "string")
    return { kind, mediaType, value: { ...value, ...Object.fromEntries(names) }, files: [...files.keys()] };
  const parsed = kind === "json" ? parseJson(value) : undefined;
  if (parsed !== undefined) return { kind, mediaType, value: parsed };
  return { kind: kind === "binary" ? "binary" : "text", mediaType, value };
}

/** The encoder of a parameter, as generated clients choose it. */
function encoderOf(parameter: ConsoleParameter, value: Json): ParameterEncoder {
  const { in: place, style, explode } = parameter;
  switch (style) {
    case "content":
      if (place === "query" || place === "cookie") return jsonParameter;
      return place === "header" ? jsonHeader : jsonSegment;
    case "cookie":
      return explode ? plainCookieExploded : plainCookie;
    case "form":
      if (!explode) return commaDelimited;
      if (place === "cookie") return cookieExploded;
      return parameter.allowReserved === true ? allowReserved : formExploded;
    case "spaceDelimited":
      return explode ? formExploded : spaceDelimited;
    case "pipeDelimited":
      return explode ? formExploded : pipeDelimited;
    case "deepObject":
      return deepObject;
    case "label":
      return explode ? labelExploded : labelStyle;
    case "matrix":
      return explode ? matrixExploded : matrixStyle;
    case "simple":
      if (place === "header" && isJsonObject(value)) return explode ? objectHeaderExploded : objectHeader;
      if (place === "header") return (_, each) => [each].flat().map(headerText).join();
      if (parameter.hasSegments === true) return multiSegment;
      if (typeof value !== "object") return encodeSegment;
      return explode ? simpleExploded : simpleStyle;
  }
}

function headerText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
