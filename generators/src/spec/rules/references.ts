import { descend, fieldNamesOf, leads, resourceOf } from "../fields.js";
import { instead } from "../names.js";
import { reachOf } from "../reach.js";
import type { Finding, Rule } from "../rule.js";
import type { Spot } from "../spot.js";
import type { Extension, Survey } from "../survey.js";

/** Resources, schemas and operations that an extension field refers to exist. */
export const references: Rule = function* (survey) {
  const operations = survey.operations.flatMap((each) => each.name ?? []);
  for (const { spot, reading } of survey.extensions) {
    for (const { kind, path, value } of reading.uses) {
      if (typeof value !== "string") continue;
      const at = spot.at(path);
      const judge = judges[kind];
      if (judge) yield* judge({ survey, at, name: value, operations });
    }
  }
};

interface Named {
  readonly survey: Survey;
  readonly at: Spot;
  readonly name: string;
  readonly operations: readonly string[];
}

const judges: Readonly<Record<string, (named: Named) => Iterable<Finding>>> = {
  operation: function* ({ at, name, operations }) {
    if (operations.includes(name)) return;
    yield {
      code: "operations/unknown",
      at,
      message: `There is no operation "${name}".`,
      fix: instead(name, operations, "operations"),
    };
  },
  resource: function* (named) {
    if (!named.survey.resources.has(named.name)) yield noResource(named);
  },
  target: function* (named) {
    if (!named.survey.resources.has(named.name) && !named.operations.includes(named.name)) yield noResource(named);
  },
  subject: function* (named) {
    if (named.name.startsWith("$") || named.operations.includes(named.name)) return;
    if (!named.survey.resources.has(named.name)) yield noResource(named);
  },
  schemaName: function* ({ survey, at, name }) {
    if (survey.schemas.has(name)) return;
    yield {
      code: "references/unknown",
      at,
      message: `There is no schema "${name}".`,
      fix: instead(name, survey.schemas.keys(), "schemas"),
    };
  },
};

function noResource({ survey, at, name }: Named): Finding {
  const message = survey.schemas.has(name)
    ? `The schema "${name}" is not a resource, because it has no x-resource.`
    : `There is no resource "${name}".`;
  return { code: "references/unknown", at, message, fix: instead(name, survey.resources.keys(), "resources") };
}

/** Fields in references, effects and state machines exist in the resource. */
export const referencedFields: Rule = function* (survey) {
  for (const { spot } of survey.of("x-reference")) {
    const by = spot.text("by");
    const resource = survey.schemas.get(spot.text("to") ?? "");
    if (by !== undefined && resource && !leads([resource], [by])) yield noField(spot.at(["by"]), by, resource);
  }
  for (const extension of survey.of("x-effects")) {
    for (const [index, effect] of extension.spot.items().entries()) {
      const resource = subjectOf(survey, extension, [String(index), "to"]);
      if (resource === undefined) continue;
      for (const [name, at] of effect.child("values")?.entries() ?? []) {
        if (!leads([resource], name.split("/"))) yield noField(at, name, resource);
      }
    }
  }
  for (const extension of survey.of("x-state-machine")) {
    const resource = holderOf(survey, extension);
    if (resource === undefined) continue;
    for (const [name, at] of setsOf(extension.spot))
      if (!leads([resource], name.split("."))) yield noField(at, name, resource);
  }
};

/** Returns the resource with the state machine. */
function holderOf(survey: Survey, { host }: Extension): Spot | undefined {
  const contexts = survey.contextsOf(host.spot).flatMap((each) => [each.self, ...each.around]);
  return [host.spot, ...contexts].find((each) => each.read("x-resource") !== undefined)?.follow();
}

/** Returns the fields that initial states and transitions set. */
function setsOf(machines: Spot): readonly (readonly [string, Spot])[] {
  return (Array.isArray(machines.value) ? machines.items() : [machines])
    .flatMap((machine) => [machine.child("initial"), machine.child("transitions")])
    .flatMap((moves) => moves?.items() ?? [])
    .flatMap((move) => move.child("sets")?.entries() ?? []);
}

/** Returns the resource that an effect changes, if the description determines it. */
function subjectOf(survey: Survey, extension: Extension, path: readonly string[]): Spot | undefined {
  const to = extension.spot.at(path).value;
  if (typeof to !== "string") return undefined;
  if (!to.startsWith("$")) return survey.resources.get(to);
  const [root, pointer = ""] = to.split("#");
  if (root !== "$request.body") return undefined;
  const bodies = reachOf(survey, extension, path).operations.flatMap(
    (each) =>
      each.body
        ?.get("content")
        ?.entries()
        .flatMap(([, media]) => media.child("schema") ?? []) ?? [],
  );
  return resourceOf(survey, descend(bodies, pointer.split("/").slice(1)).schemas);
}

function noField(at: Spot, name: string, resource: Spot): Finding {
  return {
    code: "references/field",
    at,
    message: `The resource has no field "${name}".`,
    fix: instead(name, fieldNamesOf([resource]), "fields"),
  };
}
