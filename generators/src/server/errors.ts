import type { TextFile } from "../emit/files.js";
import { code, comment, join, key, literal, name, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Failure, Json, Operation, Shape } from "../model/api.js";
import { fieldsOf, partsOf, type Field } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { camelCase } from "../model/names.js";
import { ProblemError, type Problem } from "../problem.js";
import { CheckFile } from "./check-file.js";
import { emitCondition } from "./conditions.js";
import { $server, $serverType } from "./runtime.js";
import { list, member, record, table } from "./table.js";

/** Emits `errors.ts`: the documented errors for handlers to throw, and the errors with a condition. */
export function emitErrors(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["errors", "Errors", "sharedFailures", "failures", "byStatus", "refusals"]);
  const all = [...api.operations, ...api.linked];
  const own = all.map((operation) => [operation.name, failuresOf(api, operation)] as const);
  const throwable = throwables([...api.failures, ...own.flatMap(([, failures]) => failures)], options);
  const refusals = all.flatMap((operation) => {
    const rules = rulesOf(api, operation).map((rule) =>
      record({
        id: literal(rule.failure.id),
        when:
          rule.failure.when && emitCondition(rule.failure.when, file.around, `${operation.name} ${rule.failure.id}`),
        pointer: literal(rule.pointer),
        merged: rule.merged === undefined ? undefined : literal(rule.merged),
      }),
    );
    return rules.length === 0 ? [] : [[operation.name, list(rules)] as const];
  });
  return [
    file.print("src/gen/errors.ts", [
      code`${comment(["Documented errors, for handlers to throw."])}
export interface Errors {\n${throwable.map(({ called, lines }) => code`${comment(lines)}\n${key(called)}(detail?: ${$serverType("Detail")}): ${$serverType("Refused")};`)}\n}`,
      code`export const errors: Errors = { ${join(
        throwable.map(
          ({ called, id }) => code`${key(called)}: (detail) => new ${$server("Refused")}(${literal(id)}, detail)`,
        ),
        code`, `,
      )} };`,
      code`${comment(["Errors that all operations share."])}
export const sharedFailures: ${$serverType("Failures")} = { ${join(entriesOf(firstOfEach(api.failures)), code`, `)} };`,
      table(
        "failures",
        {
          about: "Errors of each operation, including those that all operations share.",
          type: $serverType("Failures"),
        },
        own.flatMap(([operation, failures]) =>
          failures.length === 0
            ? []
            : [[operation, code`{ ...${name("sharedFailures")}, ${join(entriesOf(failures), code`, `)} }`] as const],
        ),
      ),
      code`${comment(["The id of the shared error for each status."])}
export const byStatus: ${$serverType("Shared")} = ${literal(byStatus(api.failures))};`,
      table(
        "refusals",
        {
          about: "Errors with a condition, which the server evaluates.",
          type: code`readonly ${$serverType("RefusalRule")}[]`,
        },
        refusals,
      ),
    ]),
  ];
}

/** Returns the errors of an operation: its own, and those of the schemas in its body. The first of each id counts. */
function failuresOf(api: Api, operation: Operation): readonly Failure[] {
  const all = [...operation.failures, ...shapeFailures(api, operation).map(({ failure }) => failure)];
  return firstOfEach(all);
}

/** Returns the first error of each id. */
function firstOfEach(failures: readonly Failure[]): readonly Failure[] {
  return [...new Map(failures.toReversed().map((failure) => [failure.id, failure] as const)).values()].toReversed();
}

interface Rule {
  readonly failure: Failure;
  readonly pointer: readonly string[];
  /** For conditions on the changed object: the fields of which the change has to include at least one. */
  readonly merged?: readonly string[];
}

function rulesOf(api: Api, operation: Operation): readonly Rule[] {
  const own = operation.failures.map((failure): Rule => ({ failure, pointer: [] }));
  return [...own, ...shapeFailures(api, operation)].filter(({ failure }) => failure.when !== undefined);
}

/** Returns the errors of the schemas in the body, and of the schema of the changed object. */
function shapeFailures(api: Api, { body }: Operation): readonly Rule[] {
  const content = body === undefined ? undefined : jsonContent(body.contents);
  const merged = body?.input.merged;
  const rules = (fields: readonly Field[]): readonly Rule[] =>
    fields.flatMap(({ pointer, shape }) => (shape.failures ?? []).map((failure) => ({ failure, pointer })));
  const sent = content === undefined ? [] : rules(fieldsOf(api, content.shape));
  if (merged === undefined) return sent;
  const whole: Shape = { ref: merged, types: [], origin: api.origin };
  const properties = partsOf(api, whole).flatMap((part) => part.properties ?? []);
  const names = [...new Set(properties.map((property) => property.name))];
  return [
    ...sent,
    ...rules(fieldsOf(api, whole)).map((rule) => ({
      ...rule,
      merged: rule.pointer.length === 0 ? names : rule.pointer.slice(0, 1),
    })),
  ];
}

interface Throwable {
  readonly id: string;
  readonly called: string;
  readonly lines: readonly string[];
}

/**
 * Returns the errors by id. The statuses and summaries of one id in several operations are merged.
 * @throws A ProblemError with every error whose id is not a usable name.
 */
function throwables(failures: readonly Failure[], { source, locate }: ArtifactOptions): readonly Throwable[] {
  const byId = new Map<string, [Failure, ...Failure[]]>();
  for (const failure of failures) {
    const same = byId.get(failure.id);
    if (same === undefined) byId.set(failure.id, [failure]);
    else same.push(failure);
  }
  const names = new Map<string, string>();
  const problems: Problem[] = [];
  const named = [...byId].map(([id, same]) => {
    const called = camelCase(id) ?? "";
    const [{ origin }] = same;
    const earlier = names.get(called);
    names.set(called, id);
    const report = (what: string, message: string, fix: string): void =>
      void problems.push({ code: what, severity: "error", origin: locate(origin), message, fix });
    if (called === "")
      report("names/unusable", `No name can be derived from the error "${id}".`, "Give it another id.");
    else if (earlier !== undefined)
      report(
        "names/collision",
        `The errors "${earlier}" and "${id}" are both called ${called}.`,
        "Give one another id.",
      );
    const said = [...new Set(same.map(({ status, summary }) => `${status}: ${summary ?? id}`))];
    return { id, called, lines: [...said, "", `From ${source(origin)}`] };
  });
  if (problems.length > 0) throw new ProblemError(problems);
  return named;
}

function entriesOf(failures: readonly Failure[]): readonly Code[] {
  return failures.map((failure) => member(failure.id, literal(failureData(failure)), $serverType("Failure")));
}

function failureData(failure: Failure): { readonly [key: string]: Json } {
  const { status, field, retry } = failure;
  return {
    status,
    ...(field === undefined ? {} : { field }),
    reason: reasonOf(failure),
    ...(retry ? { retry: true } : {}),
  };
}

/** Returns the reason of an error: the first sentence of the summary if it contains all `mentions`, and otherwise the `mentions`. */
function reasonOf({ id, summary = id, mentions }: Failure): string {
  const [sentence = id] = summary.split(/\.(?:\s|$)/, 1);
  const isSaid = mentions.every((each) => sentence.toLowerCase().includes(each.toLowerCase()));
  return isSaid ? sentence : mentions.join(" ");
}

function byStatus(failures: readonly Failure[]): Readonly<Record<string, string>> {
  const first = failures.toReversed().map(({ status, id }) => [String(status), id] as const);
  return Object.fromEntries(first);
}
