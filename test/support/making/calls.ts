import * as fc from "fast-check";
import { jsonBody, type Json, type Operation } from "../model.js";
import type { Oracle } from "../oracle.js";
import type { Maker } from "./arbitraries.js";
import { fitting } from "./fitting.js";

/** The arguments of a generated client: values by their location. */
export interface Call {
  readonly path: Readonly<Record<string, Json>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly headers: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

/** Calls of an operation with valid values; optional ones may be absent. */
export function callsOf(operation: Operation, maker: Maker, oracle: Oracle): fc.Arbitrary<Call> {
  const { method, path, parameters, requestBody } = operation;
  const inPlace = (place: "path" | "query" | "header"): fc.Arbitrary<Readonly<Record<string, Json>>> => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const named = own.map(({ name, schema }) => {
      const values = fitting(maker.of(schema), oracle.parameter(method, path, name)).map(({ value }) => value);
      return [name, place === "path" ? values.filter(standsInPath) : values] as const;
    });
    const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name);
    return fc.record(Object.fromEntries(named), { requiredKeys, noNullPrototype: true });
  };
  const places = { path: inPlace("path"), query: inPlace("query"), headers: inPlace("header") };
  const json = jsonBody(operation)?.json.schema;
  if (json === undefined) return fc.record(places, { noNullPrototype: true });
  const bodies = fitting(maker.of(json), oracle.body(method, path)).map(({ value }) => value);
  const always: readonly (keyof Call)[] = ["path", "query", "headers"];
  const requiredKeys = requestBody?.required === true ? [...always, "body" as const] : [...always];
  return fc.record({ ...places, body: bodies }, { requiredKeys, noNullPrototype: true });
}

/** Texts that every layer decodes alike: without slashes, null characters and encoded sequences. */
function standsInPath(value: Json): boolean {
  return typeof value !== "string" || !/[/\0]|%(?:2[ef5]|5c|3b|00)|^\.\.?$/i.test(value);
}
