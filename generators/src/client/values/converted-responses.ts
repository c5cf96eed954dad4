import { code, converterCode, hasBigIntegers, importValue, type Code } from "@plumbline/kit/codegen";
import type { Api, MediaTypeObject } from "@plumbline/kit/model";
import { clientRuntime, pureCall } from "../runtime.js";

/** Returns the decoder that converts values, in place of the runtime's decoder `decoder`, or of JSON. Undefined if there is nothing to convert. */
export function convertedDecoder(content: MediaTypeObject, decoder: string | undefined, api: Api): Code | undefined {
  const { name, schema } = converting(content, decoder);
  const converter = schema && converterCode(api, schema, "../values.js");
  if (name === undefined || converter === undefined) return undefined;
  const parse = hasBigIntegers(api) ? code`, ${importValue("parseExactJson", clientRuntime)}` : code``;
  return pureCall(name, code`${converter}${parse}`);
}

function converting(
  { schema, itemSchema }: MediaTypeObject,
  decoder: string | undefined,
): { readonly name?: string; readonly schema?: MediaTypeObject["schema"] | undefined } {
  switch (decoder) {
    case undefined:
      return { name: "convertedJson", schema };
    case "asJsonLines":
      return { name: "convertedJsonLines", schema: itemSchema };
    case "asJsonEvents":
      return {
        name: "convertedJsonEvents",
        schema: itemSchema?.properties?.find(({ name }) => name === "data")?.schema,
      };
    default:
      return {};
  }
}
