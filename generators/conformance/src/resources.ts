import type { Case } from "@plumbline/conformance-runtime";
import { cascadeCases } from "./cascades.js";
import type { ConformanceContext } from "./context.js";
import { encodedSlashCases } from "./encoded-slashes.js";
import { isolationCases } from "./isolation.js";
import { ownershipCases } from "./ownership.js";
import { referenceCases } from "./references.js";
import { effectCases } from "./effects.js";

/** Cases of resources: ownership, cascades and references. */
export function resourceRuleCases(context: ConformanceContext): readonly Case[] {
  return [
    ...isolationCases(context),
    ...encodedSlashCases(context),
    ...ownershipCases(context),
    ...cascadeCases(context),
    ...referenceCases(context),
    ...effectCases(context),
  ];
}
