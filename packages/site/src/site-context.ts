import type { Difference } from "@plumbline/kit/diff";
import { memoize, type Api, type Operation, type Requirement } from "@plumbline/kit/model";
import type { DiagramRenderer } from "./render/diagram.js";
import type { Highlighter } from "./render/highlight.js";
import type { PageLinks, SitePaths } from "./site-links.js";

/** What all pages of a site share. */
export interface SiteContext {
  readonly api: Api;
  readonly paths: SitePaths;
  /** The package of the generated client, if there is one. */
  readonly client: string | undefined;
  readonly highlighter: Highlighter;
  readonly diagrams: DiagramRenderer;
  /** The conformance cases, if the description has a suite. */
  readonly suite: SuiteCoverage | undefined;
  /** The differences from the previous description, if it is known. */
  readonly changes: SiteChanges | undefined;
  /** What the consoles of operations load. Absent: pages have none. */
  readonly console: SiteConsole | undefined;
  /** Returns the position of a node, such as `spec/openapi.yaml#/paths/~1pets`. */
  readonly source: (origin: Requirement["origin"]) => string;
}

/** The context of one page. */
export interface PageContext extends SiteContext {
  readonly links: PageLinks;
  /** The anchors that the page has so far. */
  readonly anchors: Set<string>;
}

/** Returns an anchor that the page does not have yet: the wanted one, or that with a number. */
export function claimAnchor({ anchors }: PageContext, anchor: string): string {
  let free = anchor;
  for (let number = 2; anchors.has(free); number++) free = `${anchor}-${number}`;
  anchors.add(free);
  return free;
}

/** What a site shows of a conformance suite. */
export interface SuiteCoverage {
  /** The ids of the cases that test a requirement, by its id. */
  readonly cases: ReadonlyMap<string, readonly string[]>;
  /** The reasons why requirements have no case, by id. */
  readonly untested: ReadonlyMap<string, string>;
}

/** The scripts of the consoles, and what distinguishes their mock. */
export interface SiteConsole {
  readonly script: string;
  /** Absent: consoles send requests to servers only. */
  readonly mock: { readonly script: string; readonly digest: string } | undefined;
}

/** The differences of two versions. */
export interface SiteChanges {
  readonly from: string;
  readonly differences: readonly Difference[];
}

/** All operations, with and without a path, in the order of the description. */
export const allOperations: (api: Api) => readonly Operation[] = memoize((api) => [
  ...api.operations,
  ...api.operationsWithoutPath,
]);

/** The operations of each tag, in the order of the description. */
export const operationsByTag: (api: Api) => ReadonlyMap<string, readonly Operation[]> = memoize((api) => {
  const tags = new Map<string, Operation[]>();
  for (const operation of allOperations(api)) {
    const ofTag = tags.get(operation.tag);
    if (ofTag === undefined) tags.set(operation.tag, [operation]);
    else ofTag.push(operation);
  }
  return tags;
});

/** The requirements by id. */
export const requirementsById: (api: Api) => ReadonlyMap<string, Requirement> = memoize(
  (api) => new Map(api.requirements.map((each) => [each.id, each])),
);
