import { type TextFile, code, jsonLiteral, identifier, joinCode, printSourceFile } from "@plumbline/kit/codegen";
import { serverRuntime } from "@plumbline/kit/codegen/validation";

/** The adapters. Each is an entry point of the runtime and of the generated package. */
export const serverAdapters = {
  node: "nodeListener",
  express: "expressMiddleware",
  fastify: "fastifyPlugin",
  hono: "honoMiddleware",
  fetch: "fetchHandler",
} as const;

/** The entry points that export what the runtime's entry point of the same name has. */
export const serverEntries: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(serverAdapters).map(([host, adapter]) => [host, [adapter]] as const)),
  node: [serverAdapters.node, "protectServer"],
  docs: ["serveDocs"],
};

/** Emits `node.ts`, the files of the other adapters, and `docs.ts`. */
export function emitServerAdapters(): readonly TextFile[] {
  return Object.entries(serverEntries).map(([entry, exported]) => ({
    path: `src/gen/${entry}.ts`,
    text: printSourceFile([
      code`export { ${joinCode(exported.map(identifier), code`, `)} } from ${jsonLiteral(`${serverRuntime}/${entry}`)};`,
    ]),
  }));
}
