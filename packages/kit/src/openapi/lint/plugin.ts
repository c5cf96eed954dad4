import type { Location, Oas3Rule, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { diagnosticCodes } from "./codes.js";
import { LintNode } from "./lint-node.js";
import type { LintSettings } from "./rule.js";
import * as rules from "./rules/index.js";
import { SpecIndex, type ExtensionHost } from "./spec-index.js";
import { createStructureVisitor } from "./structure.js";

/** Our rules, as Redocly runs them. Their findings have their own codes as rule ids. */
export function createOwnRules(settings: LintSettings): Readonly<Record<string, Oas3Rule>> {
  return {
    // The first: the rules after `structure` do not visit nodes that do not conform to OpenAPI.
    vocabulary: () => createVocabularyVisitor(settings),
    structure: () => createStructureVisitor(settings.ruleset),
  };
}

interface RedoclyProblem {
  readonly ruleId: string;
  readonly message: string;
  readonly fix?: string | undefined;
  readonly location: Pick<Location, "source" | "pointer">;
  readonly forceSeverity: "error" | "warn" | "off";
}

type VisitContext = Pick<UserContext, "location" | "rawLocation" | "resolve" | "type">;

function createVocabularyVisitor(settings: LintSettings): Oas3Visitor {
  const hosts: ExtensionHost[] = [];
  const visited = new Map<string, Set<unknown>>(); // by type and node, because Redocly visits a node once for each path to it
  const schemas = new Map<string, LintNode>();
  const addHost = (lintNode: LintNode, type: string): void => {
    const nodes = visited.get(type) ?? new Set();
    visited.set(type, nodes);
    if (nodes.has(lintNode.value)) return;
    nodes.add(lintNode.value);
    hosts.push({ node: lintNode, type });
  };
  return {
    any(node: unknown, { location, resolve, type }: VisitContext) {
      if (!mayCarryExtensions(type)) return;
      addHost(new LintNode(node, location, resolve), type.name);
    },
    ref(node: { readonly $ref: string }, { rawLocation, resolve, type }: VisitContext) {
      const lintNode = new LintNode(node, rawLocation, resolve);
      if (mayCarryExtensions(type)) addHost(lintNode, type.name);
      if (type.name === "Schema") addNamedSchema(schemas, node.$ref, lintNode);
    },
    NamedSchemas(node: Readonly<Record<string, unknown>>, { location, resolve }: VisitContext) {
      for (const [name, schema] of new LintNode(node, location, resolve).entries())
        addNamedSchema(schemas, name, schema);
    },
    Root: {
      leave(
        node: unknown,
        { location, resolve, report }: VisitContext & { report: (diagnostic: RedoclyProblem) => void },
      ) {
        const index = new SpecIndex(new LintNode(node, location, resolve), hosts, {
          schemas,
          ruleset: settings.ruleset,
        });
        for (const rule of Object.values(rules)) {
          for (const { code, at, message, fix } of rule.check(index, settings)) {
            const level = diagnosticCodes[code][settings.ruleset];
            report({
              ruleId: code,
              message,
              fix,
              // Redocly made it, and rules see a part of it.
              location: at.location as RedoclyProblem["location"],
              forceSeverity: level === "warning" ? "warn" : level,
            });
          }
        }
      },
    },
  };
}

/** The name is the last segment of a reference, or the name of a file. */
function addNamedSchema(schemas: Map<string, LintNode>, reference: string, lintNode: LintNode): void {
  const name = reference
    .split("/")
    .at(-1)
    ?.replace(/\.(ya?ml|json)#?$/, "");
  const target = lintNode.follow();
  if (name === undefined || target === undefined || schemas.has(name)) return;
  schemas.set(name, target);
}

function mayCarryExtensions(type: VisitContext["type"]): boolean {
  return type.extensionsPrefix !== undefined && !type.name.startsWith("x-");
}
