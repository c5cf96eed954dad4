import type { CallStep, Case } from "@plumbline/conformance-runtime";
import { type Operation, memoize } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectRejection, findSharedError } from "../../requests/expect-error.js";
import { schemaSample } from "../../values/samples.js";
import { missingIdTemplate } from "../access/required-grants.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Cases of unknown methods and unknown paths. */
export function methodCases(context: ConformanceContext): readonly Case[] {
  const paths = new Map<string, Operation[]>();
  for (const operation of context.api.operations) {
    const operations = paths.get(operation.path);
    if (operations === undefined) paths.set(operation.path, [operation]);
    else operations.push(operation);
  }
  return [...[...paths.values()].flatMap((each) => pathCases(context, each)), ...nowhereCases(context)];
}

function pathCases(context: ConformanceContext, described: readonly Operation[]): readonly Case[] {
  const allowed = new Set<string>(described.map(({ method }) => method));
  const others = methods.filter((method) => !allowed.has(method));
  const [operation] = described;
  if (operation === undefined || others.length === 0 || overlaps(context, operation)) return [];
  const rejected = expectRejection(context, operation, { defaultStatuses: [405] });
  const isDescribed = findSharedError(context, [405]) !== undefined;
  const path = Object.fromEntries(
    operation.parameters
      .filter((each) => each.in === "path")
      .map(
        (each) =>
          [
            each.name,
            each.reference === undefined ? schemaSample(context, each.schema) : missingIdTemplate(each),
          ] as const,
      ),
  );
  const call: CallStep = { call: operation.name, ...(Object.keys(path).length === 0 ? {} : { path }) };
  const expect = isDescribed
    ? { ...rejected.expect, headers: { allow: { type: "string", pattern: allowing(allowed) } } }
    : { status: [400, 401, 403, 404, 405, 501] };
  // Every operation of the path has its own case, so that each can be selected.
  return described.map((each) =>
    createCase(context, {
      operation: each,
      kind: "http",
      idParts: ["http", "methods"],
      title: `${operation.path} has ${[...allowed].join(", ")}, and rejects other methods with this list`,
      requirements: rejected.requirements.length === 0 ? requirementIds(each.sources) : rejected.requirements,
      readOnly: others.every((method) => method === "GET"),
      steps: others.map((method) => ({ ...call, call: each.name, method, expect })),
    }),
  );
}

/** Matches an Allow header with these methods in any order. HEAD and OPTIONS are optional. */
function allowing(allowed: ReadonlySet<string>): string {
  const all = [...allowed].map((method) => String.raw`(?=.*\b${method}\b)`).join("");
  const methodPattern = [...allowed, "HEAD", "OPTIONS"].join("|");
  return `^${all}\\s*(?:${methodPattern})(?:\\s*,\\s*(?:${methodPattern}))*\\s*$`;
}

/** True when another path matches the same addresses, and has the methods that this one lacks. */
function overlaps(context: ConformanceContext, { path }: Operation): boolean {
  return matchingPaths(context, path).some((each) => each !== path);
}

/** The paths that match an address, or have an address in common with a path. */
function matchingPaths({ api }: ConformanceContext, address: string): readonly string[] {
  const parts = address.split("/");
  const isParameter = (part: string | undefined): boolean => part?.startsWith("{") === true;
  return (byLength(api).get(parts.length) ?? []).flatMap((each) =>
    each.parts.every((part, at) => part === parts[at] || isParameter(part) || isParameter(parts[at]))
      ? [each.path]
      : [],
  );
}

/** Paths by their number of segments. */
const byLength = memoize((api) => {
  const paths = new Map<number, { readonly path: string; readonly parts: readonly string[] }[]>();
  for (const path of new Set(api.operations.map((each) => each.path))) {
    const parts = path.split("/");
    const sameLength = paths.get(parts.length);
    if (sameLength === undefined) paths.set(parts.length, [{ path, parts }]);
    else sameLength.push({ path, parts });
  }
  return paths;
});

/** Addresses below and beside known paths are not found. */
function nowhereCases(context: ConformanceContext): readonly Case[] {
  const operation = context.api.operations.find((each) => each.method === "GET" && !each.path.includes("{"));
  if (operation === undefined) return [];
  const { expect, requirements } = expectRejection(context, operation, { defaultStatuses: [404] });
  const path = operation.path.replace(/\/$/, "");
  const nowhere = { beside: "/nowhere", below: `${path}/1/nowhere/1`, above: `${path}x` };
  const unmatched = Object.entries(nowhere).filter(([, address]) => matchingPaths(context, address).length === 0);
  return unmatched.map(([about, address]) =>
    createCase(context, {
      operation,
      kind: "http",
      idParts: ["http", "nowhere", about],
      title: `There is nothing at ${address}`,
      requirements: requirements.length === 0 ? requirementIds(operation.sources) : requirements,
      readOnly: true,
      steps: [{ call: operation.name, address, expect }],
    }),
  );
}
