import type { Code } from "./codes.js";
import type { Difference, Party } from "./difference.js";

/** The part of a version that a release raises. */
export type Bump = "major" | "minor" | "patch";

/** A package that is generated, and what it is. */
export interface Package {
  readonly name: string;
  /** As in plumbline.yaml: client, validator, server, conformance, or somebody's own. */
  readonly kind: string;
  /** The version that is there; absent before the first one. */
  readonly version?: string;
}

/** What the next release of a package has to raise; undefined when nothing differs. */
export function bumpOf({ kind, version }: Package, differences: readonly Difference[]): Bump | undefined {
  if (differences.length === 0) return undefined;
  const parties = partiesOf[kind] ?? everybody;
  const isBreaking = differences.some(
    ({ code, breaking }) =>
      breaking.some((party) => parties.includes(party)) ||
      (kind === "validator" && breaking.includes("implementers") && isOfRequests.test(code)),
  );
  // Below 1.0.0 a minor version is what may break, and what ^ does not take by itself.
  if (isBreaking) return version?.startsWith("0.") === true ? "minor" : "major";
  return differences.every(({ code, breaking }) => breaking.length === 0 && isWords(code)) ? "patch" : "minor";
}

/** Whom a package serves. A server that is updated refuses what it accepted; a suite fails a server that it passed. */
const partiesOf: Readonly<Record<string, readonly Party[]>> = {
  client: ["callers", "wire"],
  validator: ["wire"],
  server: ["implementers", "wire"],
  conformance: ["implementers", "wire"],
};

/** What a validator exports by name, and what its types say of a request: handlers are written against them, replies aside. */
const isOfRequests = /^(request|parameter|body)-|^operation-renamed$|^shape-re(named|moved)$/;

const everybody: readonly Party[] = ["callers", "implementers", "wire"];

/** Differences in what is said, and not in what is so. */
export function isWords(code: Code): boolean {
  return words.has(code);
}

const words: ReadonlySet<Code> = new Set<Code>([
  "title-changed",
  "version-changed",
  "text-changed",
  "example-changed",
  "area-added",
  "area-removed",
  "operation-area-changed",
  "state-order-changed",
  "reply-default-changed",
]);
