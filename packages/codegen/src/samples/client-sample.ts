import type { Json } from "@plumbline/model";
import { isIdentifier } from "../printer.js";
import type { ExampleRequest } from "./example-request.js";
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
  const json = request.body?.kind === "json" || request.body?.kind === "form" ? { body: request.body.value } : {};
  const groups: Readonly<Record<string, Json>> = {
    ...filled({ path, query, headers, cookies }),
    ...json,
  };
  const argument = Object.keys(groups).length === 0 ? "" : `, ${printLiteral(groups)}`;
  const token = request.headers.some(({ variable }) => variable === "TOKEN") ? "{ token }" : "{}";
  return [
    `import { createClient, ${call.name} } from ${JSON.stringify(call.package)};`,
    "",
    `const client = createClient(${token});`,
    `const result = await ${call.name}(client${argument});`,
  ].join("\n");
}

function filled(
  groups: Readonly<Record<string, Readonly<Record<string, Json>>>>,
): Readonly<Record<string, Readonly<Record<string, Json>>>> {
  return Object.fromEntries(Object.entries(groups).filter(([, values]) => Object.keys(values).length > 0));
}
