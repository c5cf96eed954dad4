import type { Code } from "./codes.js";
import type { Difference, Party } from "./difference.js";

/** The part of a semantic version that a release raises. */
export type Bump = "major" | "minor" | "patch";

/** A generated package. */
export interface Package {
  readonly name: string;
  /** Its artifact in plumbline.yaml: client, validator, server, conformance, or the name of a custom generator. */
  readonly kind: string;
  /** The current version; absent before the first release. */
  readonly version?: string;
}

/**
 * The version bump that the next release of a package needs.
 *
 * @returns Undefined when nothing differs.
 */
export function bumpOf({ kind, version }: Package, differences: readonly Difference[]): Bump | undefined {
  if (differences.length === 0) return undefined;
  const parties = partiesOf[kind] ?? everybody;
  const isBreaking = differences.some(
    ({ code, breaking }) =>
      breaking.some((party) => parties.includes(party)) ||
      (kind === "validator" && breaking.includes("implementers") && isOfRequests.test(code)),
  );
  // Below 1.0.0 a minor version may break: a `^` range does not include the next one.
  if (isBreaking) return version?.startsWith("0.") === true ? "minor" : "major";
  return differences.every(({ code, breaking }) => breaking.length === 0 && isWords(code)) ? "patch" : "minor";
}

/** The parties that a package affects. An updated server may reject requests that it accepted; a suite may fail a server that it passed. */
const partiesOf: Readonly<Record<string, readonly Party[]>> = {
  client: ["callers", "wire"],
  validator: ["wire"],
  server: ["implementers", "wire"],
  conformance: ["implementers", "wire"],
};

/** The differences that change exports and request types of a validator. Handlers compile against these. */
const isOfRequests = /^(request|parameter|body)-|^operation-renamed$|^shape-re(named|moved)$/;

const everybody: readonly Party[] = ["callers", "implementers", "wire"];

/** Whether a difference concerns documentation only. */
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
