import type { Oas3Visitor, Plugin, UserContext } from "@redocly/openapi-core";
import { codes } from "./codes.js";
import type { Finding, Rule, Settings } from "./rule.js";
import { rules } from "./rules/index.js";
import { Spot } from "./spot.js";
import { Survey, type Host } from "./survey.js";
import { extendTypes } from "./types.js";

/**
 * Creates the vocabulary's plugin for Redocly: types, so that Redocly resolves and lints schemas inside extension
 * fields, and one rule,
 * `plumbline/vocabulary`, which reports all findings under their own codes.
 */
export function plumbline(settings: Settings): Plugin {
  return {
    id: pluginId,
    typeExtension: { oas3: (types) => extendTypes(types) },
    rules: { oas3: { vocabulary: () => visitor(rules, settings) } },
  };
}

export const pluginId = "plumbline";

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly fix?: string;
  readonly location: Finding["at"]["location"];
  readonly forceSeverity: "error" | "warn" | "off";
}

type Context = Pick<UserContext, "location" | "rawLocation" | "resolve" | "type">;

function visitor(run: readonly Rule[], settings: Settings): Oas3Visitor {
  const hosts: Host[] = [];
  const noted = new Map<string, Set<unknown>>(); // by type and node, because Redocly visits a node once for each path to it
  const schemas = new Map<string, Spot>();
  const note = (spot: Spot, type: string): void => {
    const nodes = noted.get(type) ?? new Set();
    noted.set(type, nodes);
    if (nodes.has(spot.value)) return;
    nodes.add(spot.value);
    hosts.push({ spot, type });
  };
  return {
    any(node: unknown, { location, resolve, type }: Context) {
      if (!mayCarryExtensions(type)) return;
      note(new Spot(node, location, resolve), type.name);
    },
    ref(node: { readonly $ref: string }, { rawLocation, resolve, type }: Context) {
      const spot = new Spot(node, rawLocation, resolve);
      if (mayCarryExtensions(type)) note(spot, type.name);
      if (type.name === "Schema") nameSchema(schemas, node.$ref, spot);
    },
    NamedSchemas(node: Readonly<Record<string, unknown>>, { location, resolve }: Context) {
      for (const [name, schema] of new Spot(node, location, resolve).entries()) nameSchema(schemas, name, schema);
    },
    Root: {
      leave(node: unknown, { location, resolve, report }: Context & { report: (problem: Problem) => void }) {
        const survey = new Survey(new Spot(node, location, resolve), hosts, schemas);
        for (const rule of run) {
          for (const { code, at, message, fix } of rule(survey, settings)) {
            const level = codes[code][settings.profile];
            const forceSeverity = level === "warning" ? "warn" : level;
            report({ ruleId: code, message, ...(fix !== undefined && { fix }), location: at.location, forceSeverity });
          }
        }
      },
    },
  };
}

/** The name is the last segment of a reference, or the name of a file. */
function nameSchema(schemas: Map<string, Spot>, reference: string, spot: Spot): void {
  const name = reference
    .split("/")
    .at(-1)
    ?.replace(/\.(ya?ml|json)#?$/, "");
  const target = spot.follow();
  if (name === undefined || target === undefined || schemas.has(name)) return;
  schemas.set(name, target);
}

function mayCarryExtensions(type: Context["type"]): boolean {
  return type.extensionsPrefix !== undefined && !type.name.startsWith("x-");
}
