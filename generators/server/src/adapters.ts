import { generatedBanner, type TextFile, code, jsonLiteral, identifier, printSourceFile } from "@plumbline/codegen";
import { serverRuntime } from "./runtime.js";

/** The adapters. Each is an entry point of the runtime and of the generated package. */
export const serverAdapters = {
  node: "nodeListener",
  express: "expressMiddleware",
  fastify: "fastifyPlugin",
  hono: "honoMiddleware",
  fetch: "fetchHandler",
} as const;

/** Emits `node.ts` and the files of the other adapters. */
export function emitServerAdapters(): readonly TextFile[] {
  return Object.entries(serverAdapters).map(([host, adapter]) => {
    const exported = host === "node" ? code`${identifier(adapter)}, protectServer` : identifier(adapter);
    return {
      path: `src/gen/${host}.ts`,
      text: printSourceFile(
        [code`export { ${exported} } from ${jsonLiteral(`${serverRuntime}/${host}`)};`],
        generatedBanner,
      ),
    };
  });
}
