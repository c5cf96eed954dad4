import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, join, key, print, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation } from "../model/api.js";
import { mediaKind } from "../model/media.js";
import { once } from "../model/once.js";
import { NamedChecks } from "./checks.js";
import { checkFunction } from "./checks/functions.js";
import { Pool } from "./checks/pool.js";
import { $, $type } from "./runtime.js";

/** Emits `replies.ts`: the response validators, loaded only if an option enables them. `shared` are checks that requests need as well. */
export function emitReplies(
  api: Api,
  operations: readonly Operation[],
  { shared, locate }: Pick<ArtifactOptions, "locate"> & { readonly shared: ReadonlySet<string> },
): readonly TextFile[] {
  // Several packages of one description contain the same file.
  const known = made(api);
  const what = [...operations.map(({ name }) => name), "", ...[...shared].toSorted()].join(" ");
  const files = known.get(what) ?? makeReplies(api, operations, { shared, locate });
  known.set(what, files);
  return files;
}

const made = once((_api) => new Map<string, readonly TextFile[]>());

function makeReplies(
  api: Api,
  operations: readonly Operation[],
  { shared, locate }: Parameters<typeof emitReplies>[2],
): readonly TextFile[] {
  const checks = new NamedChecks(api, shared, "./checks.js");
  const pool = new Pool(["replies", ...api.shapes.map((shape) => shape.name)], locate);
  const entries = operations.map((operation) => {
    const statuses = statusesOf(operation, checks, pool);
    return code`${key(operation.name)}: { ${join(statuses, code`, `)} }`;
  });
  const table = code`/** By operation, status and media type. */
export const replies: ${$type("Replies")} = { ${join(entries, code`, `)} };`;
  return [{ path: "src/gen/replies.ts", text: print([...checks.print(pool), table], banner) }];
}

function statusesOf(operation: Operation, checks: NamedChecks, pool: Pool): readonly Code[] {
  return operation.replies.map((reply) => {
    const around = checks.around(pool, "judged");
    const contents = reply.contents.map((content) => {
      const isJson = mediaKind(content.mediaType) === "json";
      const check = isJson ? checkFunction(around, content.shape, `${operation.name} ${reply.status}`) : $("unjudged");
      return code`${key(content.mediaType)}: ${check}`;
    });
    return code`${key(String(reply.status))}: { ${join(contents, code`, `)} }`;
  });
}
