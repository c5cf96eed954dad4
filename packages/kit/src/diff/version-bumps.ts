import type { DifferenceCode } from "./difference-rules.js";
import type { Difference } from "./difference.js";
import { affectedParties, type AffectedParty } from "./rule.js";

/** The part of a semantic version that a release raises. */
export type Bump = "major" | "minor" | "patch";

/** A generated package. */
export interface ReleasedPackage {
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
export function computeBump({ kind, version }: ReleasedPackage, differences: readonly Difference[]): Bump | undefined {
  if (differences.length === 0) return undefined;
  const parties = partiesByKind[kind] ?? affectedParties;
  const isBreaking = differences.some(
    ({ code, breaking }) =>
      breaking.some((party) => parties.includes(party)) ||
      (kind === "validator" && breaking.includes("implementers") && requestCodePattern.test(code)),
  );
  // Below 1.0.0 a minor version may break: a `^` range does not include the next one.
  if (isBreaking) return version?.startsWith("0.") === true ? "minor" : "major";
  return differences.every(({ code, breaking }) => breaking.length === 0 && isDocumentationCode(code))
    ? "patch"
    : "minor";
}

/** The parties that a package affects. An updated server may reject requests that it accepted; a suite may fail a server that it passed. */
const partiesByKind: Readonly<Record<string, readonly AffectedParty[]>> = {
  client: ["callers", "wire"],
  validator: ["wire"],
  server: ["implementers", "wire"],
  conformance: ["implementers", "wire"],
};

/** The differences that change exports and request types of a validator. Handlers compile against these. */
const requestCodePattern = /^(request|parameter|body)-|^operation-renamed$|^schema-re(named|moved)$/;

/** Whether a difference concerns documentation only. */
export function isDocumentationCode(code: DifferenceCode): boolean {
  return documentationCodes.has(code);
}

const documentationCodes: ReadonlySet<DifferenceCode> = new Set<DifferenceCode>([
  "title-changed",
  "version-changed",
  "text-changed",
  "example-changed",
  "tag-added",
  "tag-removed",
  "operation-tag-changed",
  "state-order-changed",
  "response-default-changed",
]);
