import { isJsonObject } from "../../../model/index.js";
import type { LintNode } from "../lint-node.js";
import type { RequirementEntry } from "../requirements.js";
import type { LintFinding, LintRule } from "../rule.js";
import { unknownName } from "../unknown-name.js";

/** Sources are known requirements or assumptions, and every one of both is a source. */
export const sourcesRule: LintRule<
  "source/unknown" | "source/unused" | "source/open" | "source/settles" | "source/duplicate" | "source/requirements"
> = {
  codes: {
    "source/unknown": ["error", "off", "An x-source refers to an unknown requirement or assumption."],
    "source/unused": ["error", "off", "No x-source refers to a requirement or an assumption."],
    "source/open": ["error", "off", "No assumption settles an open requirement."],
    "source/settles": ["error", "off", "An assumption settles a requirement that is not open."],
    "source/duplicate": ["error", "off", "An assumption has the id of a requirement."],
    "source/requirements": ["error", "off", "The file of requirements has an invalid structure."],
  },
  *check(index, { requirements }) {
    if (requirements === undefined) return;
    const { source, entries, issues } = requirements;
    const requirementsById = new Map(entries.map((each) => [each.id, each]));
    const assumptions = new Map(index.root.get("x-assumptions")?.entries());
    const sourceIds = new Set<string>();
    for (const { pointer, message, fix } of issues)
      yield { code: "source/requirements", at: { location: { source, pointer } }, message, fix };
    for (const at of sourceItemsOf(
      index.extensions.map((each) => each.node),
      index.byField("x-source").map((each) => each.node),
    )) {
      if (typeof at.value !== "string") continue;
      sourceIds.add(at.value);
      if (requirementsById.has(at.value) || assumptions.has(at.value)) continue;
      const names = [...requirementsById.keys(), ...assumptions.keys()];
      yield unknownName("source/unknown", at, { noun: "source", name: at.value, names });
    }
    const settled = new Set<string>();
    for (const [id, at] of assumptions) {
      const settles = at.text("settles");
      if (settles !== undefined) settled.add(settles);
      yield* assumptionIssues(id, at, { settles, requirementsById });
      if (!sourceIds.has(id)) yield unusedSource(id, at);
    }
    for (const { id, pointer, open, isInvalid } of requirementsById.values()) {
      if (isInvalid) continue;
      const at = { location: { source, pointer } };
      if (open && !settled.has(id))
        yield {
          code: "source/open",
          at,
          message: `Nothing settles "${id}".`,
          fix: `Write an assumption with settles: ${id}, and name it where the description decides it.`,
        };
      if (!open && !sourceIds.has(id)) yield unusedSource(id, at);
    }
  },
};

interface AssumptionContext {
  readonly settles: string | undefined;
  readonly requirementsById: ReadonlyMap<string, RequirementEntry>;
}

function* assumptionIssues(
  id: string,
  at: LintNode,
  { settles, requirementsById }: AssumptionContext,
): Iterable<LintFinding<"source/unknown" | "source/settles" | "source/duplicate">> {
  if (requirementsById.has(id))
    yield {
      code: "source/duplicate",
      at,
      message: `"${id}" is a requirement, too.`,
      fix: "Give the assumption another id.",
    };
  if (settles === undefined) return;
  const requirement = requirementsById.get(settles);
  const place = at.at(["settles"]);
  if (requirement === undefined)
    yield unknownName("source/unknown", place, { noun: "requirement", name: settles, names: requirementsById.keys() });
  else if (!requirement.open)
    yield {
      code: "source/settles",
      at: place,
      message: `"${settles}" is not open.`,
      fix: "Name it as a source, or mark the requirement `open`.",
    };
}

function unusedSource(id: string, at: LintFinding<"source/unused">["at"]): LintFinding<"source/unused"> {
  const fix = "Name it in the x-source of what it states.";
  return { code: "source/unused", at, message: `Nothing comes from "${id}".`, fix };
}

/** Returns the items of every x-source, on objects and inside extension fields, each once. */
function sourceItemsOf(extensions: readonly LintNode[], lists: readonly LintNode[]): readonly LintNode[] {
  const items = new Map<string, LintNode>();
  const take = (list: LintNode): void => {
    for (const item of list.items()) items.set(item.key, item);
  };
  const visit = (spot: LintNode): void => {
    for (const [key, child] of spot.entries()) {
      if (key === "x-source") take(child);
      else visit(child);
    }
    for (const item of spot.items()) visit(item);
  };
  for (const list of lists) take(list);
  for (const spot of extensions) visit(spot);
  return [...items.values()];
}

/** Operations, their success responses, named schemas, parameters and rules have a source, on them or inside. */
export const missingSourcesRule: LintRule<"source/missing"> = {
  codes: { "source/missing": ["error", "off", "A part of the description has no source."] },
  *check(index, { requirements }) {
    if (requirements === undefined) return;
    const schemas = [
      ...new Map(
        [...index.schemas]
          .filter(([, spot]) => isNamed(spot))
          .map(([name, spot]) => [spot.key, { spot, what: `The schema "${name}"` }]),
      ).values(),
    ];
    const parameters = index.hosts
      .filter((each) => each.type === "Parameter" && each.node.reference === undefined)
      .map(({ node }) => ({ spot: node, what: `The parameter "${node.text("name") ?? ""}"` }));
    const operations = index.operations.map(({ node, name }) => ({
      spot: node,
      what: `The operation "${name ?? ""}"`,
    }));
    const responses = index.operations.flatMap(({ name, responses: all }) =>
      all
        .filter(({ status }) => status.startsWith("2"))
        .map(({ spot }) => ({ spot, what: `The success response of "${name ?? ""}"` })),
    );
    const rules = (Object.keys(nounsOfRules) as readonly (keyof typeof nounsOfRules)[]).flatMap((field) =>
      index
        .byField(field)
        .flatMap(({ node }) => node.items())
        .map((spot) => ({ spot, what: `The ${nounsOfRules[field]} "${spot.text("id") ?? textOfGrant(spot)}"` })),
    );
    for (const { spot, what } of [...operations, ...responses, ...schemas, ...parameters, ...rules]) {
      if (mentionsSource(spot.value)) continue;
      yield {
        code: "source/missing",
        at: spot,
        message: `${what} has no source.`,
        fix: "Add x-source with the requirements or assumptions behind it.",
      };
    }
  },
};

/** The noun for an entry of each list of rules. */
const nounsOfRules = { "x-grants": "grant", "x-limits": "limit", "x-effects": "effect", "x-errors": "error" } as const;

function textOfGrant(grant: LintNode): string {
  return grant.text("grant") ?? grant.text("on") ?? Object.keys(grant.child("caller")?.object ?? {}).join(", ");
}

/** True for a named schema: at the top of a file or under components, not a property that is referred to. */
function isNamed(spot: LintNode): boolean {
  return /^#\/([^/]+|components\/schemas\/[^/]+)$/.test(spot.location.pointer);
}

function mentionsSource(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsSource);
  return isJsonObject(value) && (Object.hasOwn(value, "x-source") || Object.values(value).some(mentionsSource));
}
