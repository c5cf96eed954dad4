import { type ScopeGrammar, type SecurityRequirement, type SecurityScheme, pickDefined } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readStrings } from "./plain-data.js";
import { readSources } from "./sources.js";

/** The security schemes, without those that describe the tokens of another one. */
export function readSecuritySchemes(root: SpecNode): readonly SecurityScheme[] {
  const schemes = schemesOf(root);
  const duplicates = originalSchemes(root);
  return [...schemes].flatMap(([name, place]) => (duplicates.has(name) ? [] : [readSecurityScheme(name, place)]));
}

function schemesOf(root: SpecNode): ReadonlyMap<string, SpecNode> {
  const entries = root.get("components")?.get("securitySchemes")?.entries() ?? [];
  return new Map(
    entries.flatMap(([name, each]) => {
      const place = each.follow();
      return place === undefined ? [] : [[name, place] as const];
    }),
  );
}

/** For each scheme that describes the tokens of another one, the name of that one. */
function originalSchemes(root: SpecNode): ReadonlyMap<string, string> {
  const schemes = schemesOf(root);
  return new Map(
    [...schemes].flatMap(([name, place]) => {
      const original = place.get("x-scopes")?.text("sameAs");
      const isFound = original !== undefined && schemes.get(original)?.get("x-scopes")?.has("areas") === true;
      return isFound ? [[name, original] as const] : [];
    }),
  );
}

function readSecurityScheme(name: string, place: SpecNode): SecurityScheme {
  const common = { name, ...pickDefined("description", place.text("description")), origin: place.origin };
  const type = place.text("type");
  if (type === "apiKey") {
    const where = place.text("in");
    return {
      ...common,
      kind: "apiKey",
      in: where === "query" || where === "cookie" ? where : "header",
      key: place.text("name") ?? "",
    };
  }
  if (type === "oauth2" || type === "openIdConnect" || type === "mutualTLS") return { ...common, kind: type };
  // Swagger 2.0 has `type: basic`.
  const scheme = (place.text("scheme") ?? (type === "http" ? undefined : type) ?? "").toLowerCase();
  return scheme === "bearer" || scheme === "basic" ? { ...common, kind: scheme } : { ...common, kind: "http", scheme };
}

/** Reads the scope grammar from the security scheme with `x-scopes`. */
export function readScopeGrammar(root: SpecNode): ScopeGrammar | undefined {
  for (const [scheme, place] of schemesOf(root)) {
    const scopes = place.get("x-scopes");
    if (scopes === undefined || scopes.has("sameAs")) continue;
    const errors = scopes.get("errors");
    const levels = scopes
      .get("levels")
      ?.entries()
      .map(([level, implied]) => [level, readStrings(implied)] as const);
    return {
      scheme,
      areas: readStrings(scopes.get("areas")),
      levels: Object.fromEntries(levels ?? []),
      all: scopes.text("all") ?? "*",
      separator: scopes.text("separator") ?? ",",
      credentials: (scopes.get("credentials")?.items() ?? []).map((item) => ({
        to: item.text("to") ?? "",
        in: item.text("in") ?? "",
      })),
      errors: {
        missing: errors?.text("missing") ?? "",
        invalid: errors?.text("invalid") ?? "",
        scope: errors?.text("scope") ?? "",
      },
      sources: readSources(scopes),
      origin: scopes.origin,
    };
  }
  return undefined;
}

/** Reads `security` of the operation, or else of the API. Equal alternatives are merged. */
export function readSecurity(operation: SpecNode, root: SpecNode): readonly SecurityRequirement[] {
  const security = operation.get("security") ?? root.get("security");
  const originals = originalSchemes(root);
  const alternatives = (security?.items() ?? []).map((alternative) =>
    alternative
      .entries()
      .map(([scheme, scopes]) => ({ scheme: originals.get(scheme) ?? scheme, scopes: readStrings(scopes) })),
  );
  if (originals.size === 0) return alternatives;
  return [...new Map(alternatives.map((each) => [JSON.stringify(each), each])).values()];
}
