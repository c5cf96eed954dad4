import { code, conversionsOf, importValue, joinCode, propertyKey, type Code } from "@plumbline/codegen";
import { findJsonContent, type Api, type Operation } from "@plumbline/model";
import { isErrorResponse } from "../errors.js";
import { clientRuntime } from "../runtime.js";
import { converterCode, hasBigIntegers, mayBeScalar } from "./values.js";

/** Returns the start of the call of an operation, up to its first argument: with converters of errors where it has any. */
export function callStart(operation: Operation, api: Api): Code {
  const plain = code`${importValue("callOperation", clientRuntime)}(`;
  if (conversionsOf(api) === undefined) return plain;
  const responses = operation.responses.filter(isErrorResponse).map(({ status, contents }) => {
    const content = findJsonContent(contents);
    const isConverted = content !== undefined && !mayBeScalar(api, content.schema);
    return { status, converter: isConverted ? converterCode(api, content.schema, "../values.js") : undefined };
  });
  if (responses.every(({ converter }) => converter === undefined)) return plain;
  const entries = responses.map(
    ({ status, converter }) => code`${propertyKey(String(status))}: ${converter ?? code`undefined`}`,
  );
  const parse = importValue(hasBigIntegers(api) ? "parseExactJson" : "parseJson", clientRuntime);
  return code`${importValue("callConvertingErrors", clientRuntime)}({ ${joinCode(entries, code`, `)} }, ${parse}, `;
}
