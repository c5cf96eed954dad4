import { isJsonObject } from "../../model/index.js";
import { jsonLiteral, propertyKey, renderCode } from "../printer.js";
import { plainText, type ExampleBody, type ExampleHeader, type ExampleRequest } from "./example-request.js";
import { printLiteral } from "./literal-text.js";

/** Prints a request as a call of fetch. Credentials are variables. */
export function printFetchSample({ method, url, headers, body }: ExampleRequest, hasResult: boolean): string {
  const options = [
    ...(method === "GET" ? [] : [`  method: ${quoted(method)},\n`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.map(headerLine).join("")}  },\n`]),
    ...(body === undefined ? [] : [`  body: ${bodyExpression(body)},\n`]),
  ];
  const call = `fetch(${quoted(url)}${options.length === 0 ? "" : `, {\n${options.join("")}}`})`;
  const check = "if (!response.ok) throw new Error(`HTTP ${response.status}`);";
  const result = hasResult ? "\nconst result = await response.json();" : "";
  return `${fileLines(body)}${body?.kind === "multipart" ? formLines(body) : ""}const response = await ${call};\n${check}${result}`;
}

/** Declares the file that a body has. */
export function fileLines(body: ExampleBody | undefined): string {
  const hasFile = body?.kind === "binary" || (body?.kind === "multipart" && (body.files ?? []).length > 0);
  if (!hasFile) return "";
  return `const file = new Blob(["..."]);\n${body.kind === "binary" ? "\n" : ""}`;
}

function formLines({ value, files = [] }: ExampleBody): string {
  const fields = Object.entries(isJsonObject(value) ? value : {});
  const lines = fields.map(([name, each]) => {
    const text = files.includes(name) ? "file" : quoted(plainText(each));
    return `form.append(${quoted(name)}, ${text});\n`;
  });
  return `const form = new FormData();\n${lines.join("")}\n`;
}

function headerLine({ name, text, variable }: ExampleHeader): string {
  const key = renderCode(propertyKey(name));
  if (variable === undefined) return `    ${key}: ${quoted(text)},\n`;
  const credential = variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  if (text === "") return `    ${key}: ${credential},\n`;
  const isPlain = /^[\w =-]*$/.test(text);
  return `    ${key}: ${isPlain ? `\`${text}\${${credential}}\`` : `${quoted(text)} + ${credential}`},\n`;
}

function bodyExpression({ kind, value }: ExampleBody): string {
  switch (kind) {
    case "json":
      return `JSON.stringify(${printLiteral(value, "  ")})`;
    case "form":
      return `new URLSearchParams(${printLiteral(isJsonObject(value) ? value : {}, "  ")})`;
    case "text":
      return quoted(plainText(value));
    case "multipart":
      return "form";
    case "binary":
      return "file";
  }
}

function quoted(text: string): string {
  return renderCode(jsonLiteral(text));
}
