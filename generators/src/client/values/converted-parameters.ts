import { code, converterCode, hasBigIntegers, importValue, type Code } from "@plumbline/kit/codegen";
import type { Api, Parameter, ParameterLocation } from "@plumbline/kit/model";
import { clientRuntime, pureCall } from "../runtime.js";

/** Returns the encoder of a parameter that converts its value before `encoder` or the default encodes it. Undefined if there is nothing to convert. */
export function convertedEncoder(parameter: Parameter, encoder: string | undefined, api: Api): Code | undefined {
  const converter = converterCode(api, parameter.schema, "../values.js");
  if (converter === undefined) return undefined;
  const name = encoder ?? defaultEncoders[parameter.in];
  const exact = hasBigIntegers(api) ? (exactEncoders.get(name) ?? name) : name;
  return pureCall("convertedParameter", code`${converter}, ${importValue(exact, clientRuntime)}`);
}

const defaultEncoders = {
  path: "encodeSegment",
  query: "formExploded",
  header: "simpleHeader",
  cookie: "cookieExploded",
} satisfies Record<ParameterLocation, string>;

const exactEncoders: ReadonlyMap<string, string> = new Map([
  ["jsonParameter", "exactJsonParameter"],
  ["jsonHeader", "exactJsonHeader"],
]);
