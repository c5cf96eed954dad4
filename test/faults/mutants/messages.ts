import { sampleSchema } from "@plumbline/kit/codegen/values";
import { findJsonContent, isJsonObject, type Api, type Json, type Operation } from "@plumbline/kit/model";
import { withBody, type ProxyResponse } from "../proxy.js";
import type { Call, ProxyContext } from "./mutant.js";

export function isSuccess({ status }: ProxyResponse): boolean {
  return status >= 200 && status < 300;
}

export function isRejection({ status }: ProxyResponse): boolean {
  return status >= 400 && status < 500;
}

/** The JSON of a message. Undefined without a body, or for one that is not JSON. */
export function jsonOf({ body }: { readonly body: string }): Json | undefined {
  try {
    return body === "" ? undefined : (JSON.parse(body) as Json);
  } catch {
    return undefined;
  }
}

/** A success of the operation, as a server responds that accepts what it has to reject: the last one, or an example. */
export function successOf({ operation, body }: Call, { api, memory }: ProxyContext): ProxyResponse {
  const known = memory.success.get(operation.name);
  const shown = known === undefined ? exampleSuccess(api, operation) : known;
  const json = jsonOf(shown);
  if (!isJsonObject(json) || !isJsonObject(body)) return shown;
  const sent = Object.entries(body).filter(([name]) => name in json);
  return withBody(shown, { ...json, ...Object.fromEntries(sent) });
}

function exampleSuccess(api: Api, { responses }: Operation): ProxyResponse {
  const documented = responses.find(({ status }) => typeof status === "number" && status >= 200 && status < 300);
  const status = typeof documented?.status === "number" ? documented.status : 200;
  const content = documented === undefined ? undefined : findJsonContent(documented.contents);
  if (content === undefined) return { status, headers: {}, body: "" };
  const value = content.example ?? sampleSchema(api, content.schema).value;
  return { status, headers: { "content-type": content.mediaType }, body: JSON.stringify(value) };
}

/** An error with a status, as the server responds otherwise, or an example of the description. */
export function errorOf(status: number, { operation }: Call, { api, memory }: ProxyContext): ProxyResponse {
  const known = memory.errors.get(status);
  if (known !== undefined) return known;
  const range = `${Math.floor(status / 100)}XX`;
  const documented =
    operation.responses.find((each) => each.status === status) ??
    operation.responses.find((each) => each.status === range || each.status === "default");
  const content = documented === undefined ? undefined : findJsonContent(documented.contents);
  if (content === undefined) return { status, headers: {}, body: "" };
  const value = content.example ?? sampleSchema(api, content.schema).value;
  return { status, headers: { "content-type": content.mediaType }, body: JSON.stringify(value) };
}

/** True when a response is about a field: one of its texts is the field's name, or a path that ends with it. */
export function mentionsField(answer: ProxyResponse, field: string): boolean {
  const texts = textsOf(jsonOf(answer) ?? null);
  return texts.some((text) => text === field || text.endsWith(`.${field}`) || withoutIndices(text) === field);
}

/** True when an error names no field. */
export function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each: Json) => textsOf(each));
}

function withoutIndices(text: string): string {
  return text.replaceAll(/\.\d+/g, "");
}
