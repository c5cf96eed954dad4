import {
  code,
  identifier,
  importType,
  printSourceFile,
  type TextFile,
  joinCode,
  jsonLiteral,
  propertyKey,
} from "@plumbline/kit/codegen";
import { serverRuntime } from "@plumbline/kit/codegen/validation";
import { type Api, documentedErrorBodies, type Json } from "@plumbline/kit/model";
import type { ErrorBody } from "@plumbline/server-runtime";

/** Emits the table of the bodies. Equal bodies are one constant. */
export function emitErrorBodies(api: Api): readonly TextFile[] {
  const bodies = documentedErrorBodies(api);
  if (bodies === undefined) return [];
  const type = importType("ErrorBody", serverRuntime);
  const names = new Map<string, string>();
  const nameOf = (body: ErrorBody): string => {
    const text = JSON.stringify(body);
    const name = names.get(text) ?? `body${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  const entries = Object.entries(bodies).flatMap(([operation, byStatus]) => {
    const statuses = Object.entries(byStatus).map(
      ([status, body]) => code`${propertyKey(status)}: ${body === null ? code`null` : identifier(nameOf(body))}`,
    );
    return statuses.length === 0 ? [] : [code`${propertyKey(operation)}: { ${joinCode(statuses, code`, `)} }`];
  });
  const constants = [...names].map(
    ([text, name]) =>
      code`const ${identifier(name)}: ${type} = ${jsonLiteral(JSON.parse(text) as Json)}${methodKey.test(text) ? code` as const` : code``};`,
  );
  const table = importType("ErrorBodies", serverRuntime);
  const statements = [
    ...constants,
    code`/** The documented bodies of errors, by operation and status. */\nexport const errorBodies: ${table} = { ${joinCode(entries, code`, `)} };`,
  ];
  return [{ path: "src/gen/error-bodies.ts", text: printSourceFile(statements) }];
}

/** A key such as `toString`: its value has the type of the method from its context, so that a literal in it would be any text. */
const methodKey = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})":`);
