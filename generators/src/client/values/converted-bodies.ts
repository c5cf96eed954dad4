import {
  bodyConverterCode,
  code,
  hasBigIntegers,
  importValue,
  joinCode,
  jsonLiteral,
  type Code,
} from "@plumbline/kit/codegen";
import { mediaKind, type Api, type MediaTypeObject } from "@plumbline/kit/model";
import { specialParts } from "../contents.js";
import { clientRuntime, pureCall } from "../runtime.js";

/** Returns the encoder of a body whose values are converted before: `encoder`, or one that sends exact integers. */
export function convertedBodyEncoder(content: MediaTypeObject, encoder: Code, api: Api): Code {
  const converter = bodyConverterCode(api, content, "../values.js");
  if (converter === undefined) return encoder;
  const hasParts = (specialParts(content, api)?.withHeaders ?? []).length > 0;
  const exact = hasBigIntegers(api) ? exactEncoder(content, encoder, api) : encoder;
  return pureCall(hasParts ? "convertedParts" : "convertedBody", code`${converter}, ${exact}`);
}

function exactEncoder(content: MediaTypeObject, encoder: Code, api: Api): Code {
  const { mediaType, encoding } = content;
  if (mediaKind(mediaType) === "json") {
    const type = mediaType.includes("*") ? "application/json" : mediaType;
    return pureCall("exactJsonBody", jsonLiteral(type));
  }
  const parts = specialParts(content, api);
  if (parts !== undefined)
    return pureCall(
      "multipartBodyWith",
      code`${jsonLiteral(parts.types)}, ${importValue("stringifyExactJson", clientRuntime)}`,
    );
  const styled = Object.entries(encoding).flatMap(([field, { style, explode }]) =>
    style === undefined && explode === undefined ? [] : [jsonLiteral(field)],
  );
  const more = styled.length === 0 ? code`` : code`, [${joinCode(styled, code`, `)}]`;
  return pureCall("exactJsonFields", code`${encoder}${more}`);
}
