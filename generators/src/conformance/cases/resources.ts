import type { Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../context/context.js";
import { isolationCases } from "./access/isolation.js";
import { ownershipCases } from "./access/ownership.js";
import { effectCases } from "./effects/effects.js";
import { encodedSlashCases } from "./http/encoded-slashes.js";
import { cascadeCases } from "./lifecycle/cascades.js";
import { referenceCases } from "./references/references.js";

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
