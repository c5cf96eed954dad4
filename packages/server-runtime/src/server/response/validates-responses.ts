import type { BaseServerOptions } from "../options.js";

/** Whether the server validates responses of handlers. Default: true, except in production. */
export function validatesResponses({ validateResponses }: Pick<BaseServerOptions, "validateResponses">): boolean {
  return (validateResponses ?? (isProduction() ? "off" : "enforce")) === "enforce";
}

function isProduction(): boolean {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.["NODE_ENV"] === "production";
}
