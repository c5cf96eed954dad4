import type { Case } from "@plumbline/conformance-runtime";
import { cascadeCases } from "./lifecycle/cascades.js";
import type { ConformanceContext } from "../context/context.js";
import { encodedSlashCases } from "./http/encoded-slashes.js";
import { isolationCases } from "./access/isolation.js";
import { ownershipCases } from "./access/ownership.js";
import { referenceCases } from "./references/references.js";
import { effectCases } from "./effects/effects.js";

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
