import { bodyOf, descend, fieldNamesOf } from "../fields.js";
import { instead } from "../names.js";
import { reachOf } from "../reach.js";
import type { Finding, Rule } from "../rule.js";
import type { Spot } from "../spot.js";
import type { Operation, Survey } from "../survey.js";

/** Errors that an extension field refers to are available in the operations to which it applies. */
export const errorIds: Rule = function* (survey) {
  const known = registryOf(survey);
  for (const extension of survey.extensions) {
    for (const { kind, path, value } of extension.reading.uses) {
      if (kind !== "errorId" || typeof value !== "string" || value === "create") continue;
      const { refused } = reachOf(survey, extension, path);
      const at = extension.spot.at(path);
      if (!known.everywhere.has(value)) {
        yield {
          code: "errors/unknown",
          at,
          message: `There is no error "${value}".`,
          fix: instead(value, known.everywhere, "errors"),
        };
        continue;
      }
      const without = refused.filter((each) => !known.of(each).has(value));
      if (without.length === 0) continue;
      const names = without.map((each) => each.name ?? each.path ?? each.method).join(", ");
      yield {
        code: "errors/unknown",
        at,
        message: `${names} can fail with "${value}" and does not list it.`,
        fix: `Add it to the x-errors of ${names}, or of the root.`,
      };
    }
  }
};

/** Each list has an error once, and something causes it. */
export const errorEntries: Rule = function* (survey) {
  const named = new Set<string>();
  for (const { reading } of survey.extensions) {
    for (const { kind, value } of reading.uses) if (kind === "errorId") named.add(String(value));
  }
  for (const { host, spot } of survey.of("x-errors")) {
    const seen = new Set<string>();
    for (const entry of spot.items()) {
      const id = entry.text("id");
      if (id === undefined) continue;
      if (seen.has(id))
        yield {
          code: "errors/duplicate",
          at: entry.at(["id"]),
          message: `"${id}" is listed here already.`,
          fix: "Join the two entries, or give one another id.",
        };
      seen.add(id);
      // Schemas, credentials and limits, which every operation has, cause the errors of the root.
      const caused = host.type === "Root" || entry.has("when") || entry.has("proof") || named.has(id);
      if (!caused)
        yield {
          code: "errors/proof",
          at: entry,
          message: `Nothing says when "${id}" happens.`,
          fix: "Add `when`, name it from a limit, a grant, a reference or a transition, or add the `proof` that shows it.",
        };
    }
  }
};

/** The field of an error exists in the request. */
export const errorFields: Rule = function* (survey) {
  for (const extension of survey.of("x-errors")) {
    for (const [index, entry] of extension.spot.items().entries()) {
      const field = entry.text("field");
      if (field === undefined || field === "$each") continue;
      const { operations, contexts } = reachOf(survey, extension, [String(index)]);
      if (operations.length === 0) continue;
      const path = field.replaceAll("$each", "*").split(".");
      const schemas = [...operations.flatMap(bodyOf), ...contexts.map((each) => each.self)];
      const parameters = operations.flatMap((each) => each.parameters).flatMap((each) => each.text("name") ?? []);
      const found = descend(schemas, path);
      if (found.open || found.schemas.length > 0 || parameters.includes(field)) continue;
      const fix = instead(field, [...fieldNamesOf(schemas), ...parameters], "fields and parameters");
      yield { code: "errors/field", at: entry.at(["field"]), message: `The request has no field "${field}".`, fix };
    }
  }
};

/** Every status that an operation's own rules cause is among its responses. */
export const errorReplies: Rule = function* (survey) {
  const known = registryOf(survey);
  for (const operation of survey.operations) {
    const causes = new Map<number, string>();
    for (const [id, { status }] of known.of(operation)) {
      if (known.named(operation).has(id) && !causes.has(status)) causes.set(status, id);
    }
    for (const [status, id] of causes) {
      if (responseOf(operation, status) === undefined) yield lacking(operation, status, id);
    }
  }
};

/** The response that documents a status, by itself or by its range. */
export function responseOf({ replies }: Operation, status: number): Spot | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const own = replies.find((each) => each.status === String(status));
  return (own ?? replies.find((each) => each.status.toUpperCase() === range))?.spot;
}

function lacking({ spot, name }: Operation, status: number, id: string): Finding {
  const at = spot.child("responses") ?? spot;
  return {
    code: "operations/replies",
    at,
    message: `${name ?? "This operation"} can fail with "${id}" and has no reply ${status}.`,
    fix: `Add the reply '${status}'.`,
  };
}

interface ErrorEntry {
  readonly status: number;
  readonly spot: Spot;
}

interface Registry {
  readonly everywhere: ReadonlySet<string>;
  /** The errors available in an operation, with their statuses. */
  readonly of: (operation: Operation) => ReadonlyMap<string, ErrorEntry>;
  /** The errors that an operation lists, or that something in it refers to. */
  readonly named: (operation: Operation) => ReadonlySet<string>;
}

export function registryOf(survey: Survey): Registry {
  const listed = survey.of("x-errors").map((each) => ({ host: each.host, entries: entriesOf(each.spot) }));
  const shared = listed.filter(({ host }) => host.type === "Root").flatMap(({ entries }) => entries);
  const own = new Map<Operation, (readonly [string, ErrorEntry])[]>();
  const named = new Map<Operation, Set<string>>(survey.operations.map((each) => [each, new Set<string>()]));
  for (const { host, entries } of listed) {
    const operations = survey.operationsAt(host.spot);
    const using = host.type === "Schema" ? survey.contextsOf(host.spot).map((each) => each.operation) : [];
    for (const operation of [...operations, ...using]) {
      own.set(operation, [...(own.get(operation) ?? []), ...entries]);
      for (const [id] of entries) named.get(operation)?.add(id);
    }
  }
  for (const extension of survey.extensions) {
    for (const { kind, path, value } of extension.reading.uses) {
      if (kind !== "errorId" || typeof value !== "string") continue;
      for (const operation of reachOf(survey, extension, path).refused) named.get(operation)?.add(value);
    }
  }
  return {
    everywhere: new Set(listed.flatMap(({ entries }) => entries.map(([id]) => id))),
    of: (operation) => new Map([...shared, ...(own.get(operation) ?? [])]),
    named: (operation) => named.get(operation) ?? new Set(),
  };
}

function entriesOf(errors: Spot): readonly (readonly [string, ErrorEntry])[] {
  return errors.items().flatMap((each) => {
    const id = each.text("id");
    const status = each.object["status"];
    return id !== undefined && typeof status === "number" ? [[id, { status, spot: each }] as const] : [];
  });
}
