import type { Api } from "@plumbline/kit/model";
import { compareDescriptions, computeBump } from "./index.js";

/** What changed, whom it breaks, and the version bump that the next release of the client needs. */
export function summarizeChanges(before: Api, after: Api): string {
  const differences = compareDescriptions(before, after);
  const bump = computeBump({ name: "@pets/client", kind: "client", version: "1.2.0" }, differences);
  const lines = differences.map(({ breaking, message }) => `breaks ${breaking.join(", ") || "nobody"}: ${message}`);
  return [...lines, `next release: ${bump ?? "none"}`].join("\n");
}
