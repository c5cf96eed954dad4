import { isJsonObject, type Json } from "../../model/index.js";
import { plainText, type ExampleBody, type ExampleHeader, type ExampleRequest } from "./example-request.js";

/** Prints a request as a command of curl. Credentials are variables of the shell. */
export function printCurlSample({ method, url, headers, body }: ExampleRequest): string {
  const request = method === "GET" ? `curl ${shellQuote(url)}` : `curl -X ${method} ${shellQuote(url)}`;
  const parts = [request, ...headers.map(headerOption), ...(body === undefined ? [] : bodyOptions(body))];
  return parts.join(" \\\n  ");
}

function headerOption({ name, text, variable }: ExampleHeader): string {
  const header = `${name}: ${text}`;
  if (variable === undefined) return `-H ${shellQuote(header)}`;
  // A shell would expand other characters within double quotes.
  return /^[\w :-]*$/.test(header) ? `-H "${header}$${variable}"` : `-H ${shellQuote(header)}"$${variable}"`;
}

function bodyOptions({ kind, value, files = [] }: ExampleBody): readonly string[] {
  switch (kind) {
    case "json":
      return [`--data ${shellQuote(JSON.stringify(value, undefined, 2))}`];
    case "form":
      return fieldsOf(value).map(([name, text]) => `--data-urlencode ${shellQuote(`${name}=${text}`)}`);
    case "multipart":
      return fieldsOf(value).map(([name, text, each]) => {
        const type = isJsonObject(each) ? ";type=application/json" : "";
        // curl reads a file where the text of a field begins with these.
        const option = /^[@<]/.test(text) && !files.includes(name) ? "--form-string" : "-F";
        return `${option} ${shellQuote(`${name}=${text}${type}`)}`;
      });
    case "text":
      return [`--data ${shellQuote(plainText(value))}`];
    case "binary":
      return ["--data-binary @file"];
  }
}

function fieldsOf(value: ExampleBody["value"]): readonly (readonly [name: string, text: string, value: Json])[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, each]) => [name, plainText(each), each] as const);
}

/** Quotes a text for a POSIX shell, which then expands nothing in it. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
