import { casesByRequirement, type SuiteOutline } from "@plumbline/generators/conformance";
import { type Api, type Requirement, type Schema, visitSubschemas, type SourceRef } from "@plumbline/kit/model";

/** A requirement, its positions in the description, and the generated code and cases. */
export interface Trace {
  readonly requirement: Requirement;
  /** The assumptions that settle an open point. */
  readonly settledBy: readonly string[];
  readonly code: readonly string[];
  /** The ids of the cases that test it. */
  readonly checks: readonly string[];
  /** The reason why no case tests it. */
  readonly untested: string | undefined;
}

/** Traces every requirement to the description, the generated code and the cases. */
export function traceRequirements(api: Api, suite?: SuiteOutline): readonly Trace[] {
  const checks = casesByRequirement(suite?.cases ?? []);
  const index = indexGeneratedCode(api);
  return api.requirements.map((requirement) => {
    const settling = api.assumptions.filter((each) => each.settles === requirement.id);
    const places = [...requirement.statedAt, ...settling.flatMap((each) => each.statedAt)];
    const code = [...new Set(places.flatMap((place) => index(place)))].sort();
    return {
      requirement,
      settledBy: settling.map((each) => each.text),
      code,
      checks: checks.get(requirement.id) ?? [],
      untested: suite?.untested[requirement.id],
    };
  });
}

/** Whether the description does not state a requirement, or a suite neither tests it nor gives a reason. */
export function isHole(traced: Trace, suite?: SuiteOutline): boolean {
  return !isStated(traced) || (suite !== undefined && traced.checks.length === 0 && traced.untested === undefined);
}

/** The numbers of requirements by kind. */
export interface TraceCounts {
  readonly requirements: number;
  /** Requirements that the description states, and open points that an assumption settles. */
  readonly stated: number;
  /** Stated requirements that a keyword or an extension field expresses. */
  readonly carried: number;
  /** Stated requirements that only a `description` or `summary` expresses. */
  readonly proseOnly: number;
  readonly open: number;
  readonly holes: number;
}

export function countTraces(traces: readonly Trace[], suite?: SuiteOutline): TraceCounts {
  const count = (is: (traced: Trace) => boolean): number => traces.filter(is).length;
  return {
    requirements: traces.length,
    stated: count(isStated),
    carried: count(({ requirement }) => requirement.statedAt.length > 0 && !requirement.isProseOnly),
    proseOnly: count(({ requirement }) => requirement.isProseOnly),
    open: count(({ requirement }) => requirement.open),
    holes: count((each) => isHole(each, suite)),
  };
}

function isStated({ requirement, settledBy }: Trace): boolean {
  return requirement.open ? settledBy.length > 0 : requirement.statedAt.length > 0;
}

/** Indexes the generated code by node. A node without code has that of the nearest enclosing node with code. */
function indexGeneratedCode(api: Api): (origin: SourceRef) => readonly string[] {
  const codeByNode = new Map<string, Set<string>>();
  const add = (origin: SourceRef, what: string): void => {
    const key = `${origin.file}#${origin.pointer}`;
    codeByNode.set(key, (codeByNode.get(key) ?? new Set()).add(what));
  };
  for (const { name, schema } of api.schemas) add(schema.origin, `type ${name}`);
  for (const operation of api.operations) {
    const what = `${operation.name}()`;
    const inline = (schema: Schema): void => visitSubschemas(schema, (each) => add(each.origin, what));
    add(operation.origin, what);
    for (const each of [
      ...operation.parameters,
      ...operation.responses,
      ...operation.responses.flatMap((response) => response.headers),
    ])
      add(each.origin, what);
    operation.parameters.forEach((parameter) => inline(parameter.schema));
    for (const content of [
      ...(operation.requestBody?.contents ?? []),
      ...operation.responses.flatMap((response) => response.contents),
    ])
      inline(content.schema);
  }
  return (origin) => {
    const steps = origin.pointer.split("/");
    for (let length = steps.length; length > 0; length -= 1) {
      const code = codeByNode.get(`${origin.file}#${steps.slice(0, length).join("/")}`);
      if (code !== undefined) return [...code];
    }
    return [];
  };
}
