import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, join, key, literal, print, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import { NamedChecks } from "../judging/checks.js";
import { Pool } from "../judging/checks/pool.js";
import type { Api, Operation, Reply } from "../model/api.js";
import { mediaKind } from "../model/media.js";
import { handlerHeaders } from "./headers.js";
import { $server, $serverType } from "./runtime.js";
import { ShowFunctions } from "./shown/functions.js";
import { callerCheck, type Audience } from "./shown/visibility.js";

/**
 * Emits `shown.ts`, which serializes responses: the documented fields of an object, and those of the branch that a
 * discriminator selects.
 * A union without a discriminator has the fields of all branches, so that a field of one may appear with another.
 */
export function emitShown(api: Api, { locate }: ArtifactOptions): readonly TextFile[] {
  const checks = new NamedChecks(api);
  const pool = new Pool(["shown", "visibleTo", "replyHeaders"], locate);
  const audience: Audience = { around: checks.around(pool, "judged"), locate };
  const functions = new ShowFunctions(api.shapes, pool, audience);
  const operations = [...api.operations, ...api.linked];
  const shown = operations.map((operation) => entry(operation.name, statusesOf(operation, functions)));
  const shows = functions.print();
  const visible = tableOf(operations, (operation, reply) => audienceOf(operation, reply, audience));
  const headers = tableOf(operations, (_, reply) => headersOf(reply));
  const tables = [
    code`/** Serializers of responses, by operation, status and media type. */
export const shown: ${$serverType("Shown")} = ${record(shown)};`,
    code`/** Checks of the callers who may receive a response, by operation and status. */
export const visibleTo: ${$serverType("VisibleTo")} = ${record(visible)};`,
    code`/** The headers that handlers set, by operation and status. */
export const replyHeaders: ${$serverType("ReplyHeaders")} = ${record(headers)};`,
  ];
  return [{ path: "src/gen/shown.ts", text: print([...checks.print(pool), ...shows, ...tables], banner) }];
}

function statusesOf(operation: Operation, functions: ShowFunctions): Code {
  return record(
    operation.replies.map((reply) => {
      const contents = reply.contents.map(({ mediaType, shape }) => {
        const isJson = mediaKind(mediaType) === "json";
        return entry(mediaType, isJson ? functions.of(shape, `${operation.name} ${reply.status}`) : $server("asGiven"));
      });
      return entry(String(reply.status), record(contents));
    }),
  );
}

function audienceOf(operation: Operation, { visible, origin, status }: Reply, audience: Audience): Code | undefined {
  if (visible?.when === undefined) return undefined;
  return callerCheck(visible.when, origin, `${operation.name} ${status}`, audience);
}

function headersOf(reply: Reply): Code | undefined {
  const rules = handlerHeaders(reply).map(({ name, required }) => literal(required ? { name, required } : { name }));
  return rules.length === 0 ? undefined : code`[${join(rules, code`, `)}]`;
}

/** Returns a table of the operations and responses for which `say` returns code. */
function tableOf(
  operations: readonly Operation[],
  say: (operation: Operation, reply: Reply) => Code | undefined,
): readonly Code[] {
  return operations.flatMap((operation) => {
    const entries = operation.replies.flatMap((reply) => {
      const said = say(operation, reply);
      return said === undefined ? [] : [entry(String(reply.status), said)];
    });
    return entries.length === 0 ? [] : [entry(operation.name, record(entries))];
  });
}

function entry(name: string, value: Code): Code {
  return code`${key(name)}: ${value}`;
}

function record(entries: readonly Code[]): Code {
  return entries.length === 0 ? code`{}` : code`{ ${join(entries, code`, `)} }`;
}
