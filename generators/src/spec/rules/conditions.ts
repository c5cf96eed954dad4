import type { Spot } from "../spot.js";
import { isRecord } from "../spot.js";
import { bodyOf, descend, fieldNamesOf, leads, resourceOf } from "../fields.js";
import { instead } from "../names.js";
import { reachOf } from "../reach.js";
import type { Finding, Rule } from "../rule.js";
import { compileFault } from "../schema-closure.js";
import type { Extension, Survey } from "../survey.js";

/** The JSON Schemas inside extension fields compile. */
export const conditionSchemas: Rule = function* (survey) {
  for (const { spot, reading } of survey.extensions) {
    for (const { kind, path } of reading.uses) {
      if (kind !== "schema") continue;
      const at = spot.at(path);
      const fault = compileFault(at);
      if (fault !== undefined)
        yield {
          code: "conditions/compile",
          at,
          message: `This schema does not compile: ${fault}.`,
          fix: "Write a JSON Schema of draft 2020-12.",
        };
    }
  }
};

/** The fields of a condition exist in its subject. */
export const conditionFields: Rule = function* (survey) {
  for (const extension of survey.extensions) {
    for (const { kind, path, value } of extension.reading.uses) {
      const at = extension.spot.at(path);
      if (kind === "schema") {
        const subject = subjectOf(survey, extension, path);
        if (subject) yield* unknownFields(at, subject);
      } else if (kind === "field" && path.at(-2) === "changes") {
        const { operations } = reachOf(survey, extension, path);
        const bodies = operations.flatMap(bodyOf);
        if (operations.length > 0 && !leads(bodies, [String(value)]))
          yield unknown(at, String(value), { noun: "body", schemas: bodies });
      }
    }
  }
};

interface Subject {
  readonly noun: string;
  readonly schemas: readonly Spot[];
}

/** Returns the subject of a schema, by its key, or `undefined` if it is unknown. */
function subjectOf(survey: Survey, extension: Extension, path: readonly string[]): Subject | undefined {
  const { field, host, spot } = extension;
  const key = path.at(-1);
  const reach = reachOf(survey, extension, path);
  if (path.at(-2) === "refs") {
    const named = key ?? "";
    const resource = resourceOf(
      survey,
      reach.operations.flatMap((each) => [
        ...descend(bodyOf(each), named.split(".")).schemas,
        ...each.parameters.filter((other) => other.text("name") === named),
      ]),
    );
    return resource && { noun: `resource of "${named}"`, schemas: [resource] };
  }
  if (key === "body") {
    const own = host.type === "Operation" || field === "x-state-machine";
    const schemas = reach.operations.flatMap(bodyOf);
    return schemas.length > 0 || (own && reach.operations.length > 0) ? { noun: "body", schemas } : undefined;
  }
  if (key === "target") return reach.targets.length > 0 ? { noun: "target", schemas: reach.targets } : undefined;
  if (key === "sent" || key === "public")
    return { noun: key === "sent" ? "property" : "resource", schemas: [host.spot] };
  if (key === "where") {
    const to = spot.at(path.slice(0, -1)).text("to");
    const resource = to === undefined ? undefined : survey.schemas.get(to);
    return resource && { noun: "resource", schemas: [resource] };
  }
  return undefined; // the description has no schema of the caller
}

/** Compares a condition with the schemas of its subject. References are not followed. */
function* unknownFields(condition: Spot, subject: Subject): Iterable<Finding> {
  if (!isRecord(condition.value) || condition.reference !== undefined) return;
  const { schemas, noun } = subject;
  for (const [name, child] of condition.child("properties")?.entries() ?? []) {
    const found = descend(schemas, [name]);
    if (found.schemas.length > 0) yield* unknownFields(child, { noun, schemas: found.schemas });
    else if (!found.open) yield unknown(child, name, subject);
  }
  for (const item of condition.child("required")?.items() ?? []) {
    if (typeof item.value === "string" && !leads(schemas, [item.value])) yield unknown(item, item.value, subject);
  }
  for (const key of ["items", "contains"]) {
    const child = condition.child(key);
    const found = descend(schemas, ["*"]);
    if (child && found.schemas.length > 0) yield* unknownFields(child, { noun, schemas: found.schemas });
  }
  const same = [
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => condition.child(key)?.items() ?? []),
    ...["not", "if", "then", "else"].flatMap((key) => condition.child(key) ?? []),
  ];
  for (const child of same) yield* unknownFields(child, subject);
}

function unknown(at: Spot, name: string, { noun, schemas }: Subject): Finding {
  return {
    code: "conditions/field",
    at,
    message: `The ${noun} has no field "${name}".`,
    fix: instead(name, fieldNamesOf(schemas), "fields"),
  };
}
