import { collectLimits, memoize, type Operation } from "@plumbline/kit/model";
import { allOperations, type SiteContext } from "./site-context.js";

/** A page about the API, beside those of operations. */
export interface GuidePage {
  readonly path: string;
  readonly title: string;
}

/** Returns the pages about the API that its description has contents for, in the order of the navigation. */
export function guidePages({ api, changes }: Pick<SiteContext, "api" | "changes">): readonly GuidePage[] {
  const changesPage = { path: "changes.html", title: "Changes" };
  return changes === undefined ? pagesOfModel(api) : [...pagesOfModel(api), changesPage];
}

const pagesOfModel = memoize((api): readonly GuidePage[] => {
  const operations = allOperations(api);
  const hasScopes = operations.some(({ security }) => security.flat().some(({ scopes }) => scopes.length > 0));
  const hasAccess = api.scopeGrammar !== undefined || hasScopes || operations.some(({ grants }) => grants.length > 0);
  const hasErrors = api.errors.length > 0 || operations.some(({ errors }) => errors.length > 0);
  const hasLists = operations.some(isList);
  const pages: readonly (GuidePage | false)[] = [
    { path: "index.html", title: "Overview" },
    { path: "operations/index.html", title: "Operations" },
    api.schemas.length > 0 && { path: "schemas/index.html", title: "Schemas" },
    api.stateMachines.length > 0 && { path: "states/index.html", title: "States" },
    hasAccess && { path: "access.html", title: "Scopes and grants" },
    collectLimits(api).length > 0 && { path: "limits.html", title: "Limits" },
    hasErrors && { path: "errors.html", title: "Errors" },
    hasLists && { path: "lists.html", title: "Lists and filters" },
    api.requirements.length > 0 && { path: "coverage/index.html", title: "Coverage" },
  ];
  return pages.filter((each) => each !== false);
});

/** Whether the description states how an operation pages, filters or orders its list. */
export function isList({ pagination, filter, order }: Operation): boolean {
  return (pagination ?? filter ?? order) !== undefined;
}
