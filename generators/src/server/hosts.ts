import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, literal, name, print } from "../emit/printer.js";
import { serverRuntime } from "./runtime.js";

/** The adapters. Each is an entry point of the runtime and of the generated package. */
export const hosts = {
  node: "nodeListener",
  express: "expressMiddleware",
  fastify: "fastifyPlugin",
  hono: "honoMiddleware",
  fetch: "fetchHandler",
} as const;

/** Emits `node.ts` and the files of the other adapters. */
export function emitHosts(): readonly TextFile[] {
  return Object.entries(hosts).map(([host, adapter]) => {
    const exported = host === "node" ? code`${name(adapter)}, protectServer` : name(adapter);
    return {
      path: `src/gen/${host}.ts`,
      text: print([code`export { ${exported} } from ${literal(`${serverRuntime}/${host}`)};`], banner),
    };
  });
}
