import { isJsonObject, type Json } from "../../model/index.js";
import { isIdentifier } from "../printer.js";
import type { ExampleBody, ExampleRequest } from "./example-request.js";
import { fileLines } from "./fetch-sample.js";
import { printLiteral } from "./literal-text.js";

/** What a sample of the generated client calls. */
export interface ClientCall {
  /** The package of the client. */
  readonly package: string;
  /** The name of the operation. */
  readonly name: string;
}

/** Prints a request as a call of the generated client; undefined for a name that no import can have. */
export function printClientSample(request: ExampleRequest, call: ClientCall): string | undefined {
  if (!isIdentifier(call.name)) return undefined;
  const { path, query, headers, cookies } = request.parameters;
  const groups: Readonly<Record<string, Json>> = {
    ...filled({ path, query, headers, cookies }),
    ...(request.body === undefined ? {} : { body: bodyValue(request.body) }),
  };
  const literal = printLiteral(groups).replaceAll(/\bfile: "\(the file\)"|"\(the file\)"/g, "file");
  const argument = Object.keys(groups).length === 0 ? "" : `, ${literal}`;
  return [
    `import { createClient, ${call.name} } from ${JSON.stringify(call.package)};`,
    "",
    `const client = createClient(${clientOptions(request)});`,
    ...fileLines(request.body).split("\n").filter(Boolean),
    `const result = await ${call.name}(client${argument});`,
  ].join("\n");
}

function clientOptions({ clientBase, headers }: ExampleRequest): string {
  const options = [
    ...(clientBase === undefined ? [] : [`baseUrl: ${JSON.stringify(clientBase)}`]),
    ...(headers.some(({ variable }) => variable === "TOKEN") ? ["token"] : []),
  ];
  return options.length === 0 ? "" : `{ ${options.join(", ")} }`;
}

/** The body as the client takes it. Files are marked, since JSON has none. */
function bodyValue({ kind, value, files = [] }: ExampleBody): Json {
  if (kind === "binary") return file;
  if (kind !== "multipart" || !isJsonObject(value)) return value;
  return { ...value, ...Object.fromEntries(files.map((name) => [name, file] as const)) };
}

const file = "(the file)";

function filled(
  groups: Readonly<Record<string, Readonly<Record<string, Json>>>>,
): Readonly<Record<string, Readonly<Record<string, Json>>>> {
  return Object.fromEntries(Object.entries(groups).filter(([, values]) => Object.keys(values).length > 0));
}
