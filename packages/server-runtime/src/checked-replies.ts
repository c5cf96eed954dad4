import type { ServeOptions } from "./options.js";

/** Whether the server validates responses of handlers. Default: true, except in production. */
export function checksReplies({ replies }: Pick<ServeOptions, "replies">): boolean {
  return (replies ?? (isProduction() ? "trust" : "check")) === "check";
}

function isProduction(): boolean {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.["NODE_ENV"] === "production";
}
