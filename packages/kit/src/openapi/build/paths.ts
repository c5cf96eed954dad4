import { pickDefined, type Server } from "../../model/index.js";
import { unescapeUri, type SpecNode } from "../read/spec-node.js";

/**
 * Reads the servers of the API, a path item or an operation, with variables replaced by their defaults. Leaves out those
 * with undeclared variables.
 */
export function readServers(place: SpecNode | undefined): readonly Server[] {
  const isKnown = (server: SpecNode): boolean =>
    [...(server.text("url") ?? "").matchAll(/\{([^{}]+)\}/g)].every(([, name = ""]) =>
      server.get("variables")?.has(name),
    );
  return (place?.items() ?? []).filter(isKnown).map((server) => ({
    url: (server.text("url") ?? "/").replaceAll(/\{([^{}]+)\}/g, (_, name: string) => defaultOf(server, name)),
    ...pickDefined("description", server.text("description")),
  }));
}

/** The default of a variable of a server, or an empty text. A port may be written as a number. */
function defaultOf(server: SpecNode, name: string): string {
  const initial = server.get("variables")?.get(name)?.object["default"];
  return ["string", "number", "boolean"].includes(typeof initial) ? String(initial) : "";
}

/** Splits a path from its query. Drops expressions of RFC 6570 such as `{?page}`, which need parameters in OpenAPI. */
export function splitPath(path: string): readonly [route: string, query: string] {
  const [route = "", query = ""] = path.replaceAll(/\{[?&][^{}]*\}/g, "").split(/\?(.*)/s);
  return [route, query];
}

/** The pairs of a query that a path contains. A placeholder has no value. */
export function parseQuery(query: string): readonly (readonly [string, string | undefined])[] {
  const pairs = query.split("#", 1)[0]?.split("&") ?? [];
  return pairs
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return [
        unescapeUri(name.replace(/^\{|\}$/g, "")),
        /^\{.*\}$/.test(value) ? undefined : unescapeUri(value),
      ] as const;
    });
}
