import {
  code,
  conversionsOf,
  converterCode,
  hasBigIntegers,
  importValue,
  joinCode,
  mayBeScalar,
  propertyKey,
  type Code,
} from "@plumbline/kit/codegen";
import { findJsonContent, type Api, type Operation } from "@plumbline/kit/model";
import { isErrorResponse } from "../errors.js";
import { clientRuntime, pureCall } from "../runtime.js";

/** Returns the function of an operation that converts the bodies of its errors: `call` itself, if there is nothing to convert. */
export function convertedErrors(operation: Operation, call: Code, api: Api): Code {
  if (conversionsOf(api) === undefined) return call;
  const responses = operation.responses.filter(isErrorResponse).map(({ status, contents }) => {
    const content = findJsonContent(contents);
    const isConverted = content !== undefined && !mayBeScalar(api, content.schema);
    return { status, converter: isConverted ? converterCode(api, content.schema, "../values.js") : undefined };
  });
  if (responses.every(({ converter }) => converter === undefined)) return call;
  const entries = responses.map(
    ({ status, converter }) => code`${propertyKey(String(status))}: ${converter ?? code`undefined`}`,
  );
  const parse = importValue(hasBigIntegers(api) ? "parseExactJson" : "parseJson", clientRuntime);
  return pureCall("convertErrors", code`{ ${joinCode(entries, code`, `)} }, ${parse}, ${call}`);
}
