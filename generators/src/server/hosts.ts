import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, literal, name, print } from "../emit/printer.js";
import { serverRuntime } from "./runtime.js";

/** Where requests come from; each has an adapter in the runtime and an entry of the package. */
export const hosts = {
  node: "nodeListener",
  express: "expressMiddleware",
  fastify: "fastifyPlugin",
  hono: "honoMiddleware",
  fetch: "fetchHandler",
} as const;

/** `node.ts` and its like: what carries requests to a server. */
export function emitHosts(): readonly TextFile[] {
  return Object.entries(hosts).map(([host, adapter]) => {
    const exported = host === "node" ? code`${name(adapter)}, protectServer` : name(adapter);
    return {
      path: `src/gen/${host}.ts`,
      text: print([code`export { ${exported} } from ${literal(`${serverRuntime}/${host}`)};`], banner),
    };
  });
}
