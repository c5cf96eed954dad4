import { collectLimits, type CursorPlace, type Operation, type Schema } from "@plumbline/kit/model";
import { describeGrant, scopesOf } from "../describe/access.js";
import { describeError } from "../describe/errors.js";
import { describeLimit } from "../describe/limits.js";
import { describeListLanguage } from "../describe/list-language.js";
import { describeSources } from "../describe/sources.js";
import { describeType } from "../describe/types.js";
import { isList } from "../guide-pages.js";
import { html, joinHtml } from "../render/html.js";
import { renderMarkdown } from "../render/markdown.js";
import { renderHtml } from "../render/templates.js";
import { allOperations, operationsByTag, type SiteContext } from "../site-context.js";
import { pageContext, type SitePage } from "../site-page.js";
import { operationRow } from "./operations.js";

/** Creates the page of limits: one table. */
export function limitsPage(site: SiteContext): SitePage {
  const path = "limits.html";
  const context = pageContext(site, path);
  const users = new Map<string, Operation[]>();
  for (const operation of allOperations(site.api))
    for (const { id } of operation.limits) users.set(id, [...(users.get(id) ?? []), operation]);
  const limits = collectLimits(site.api).map((collected) => ({
    ...describeLimit(context, collected, users.get(collected.limit.id)?.[0]),
    operations: (users.get(collected.limit.id) ?? []).map((each) => operationRow(context, each)),
    resource: collected.resource,
    resourceHref: collected.resource === undefined ? undefined : context.links.schema(collected.resource),
    property: collected.property,
  }));
  return { path, title: "Limits", body: renderHtml("limits", { limits }) };
}

/** Creates the page of errors: those of all operations, then those of single ones. */
export function errorsPage(site: SiteContext): SitePage {
  const path = "errors.html";
  const context = pageContext(site, path);
  const shared = site.api.errors.map((each) => describeError(context, each));
  const known = new Set(site.api.errors.map(({ id }) => id));
  const users = new Map<string, Operation[]>();
  for (const operation of allOperations(site.api))
    for (const { id } of operation.errors) users.set(id, [...(users.get(id) ?? []), operation]);
  const ofOperations = new Map(
    [
      ...allOperations(site.api).flatMap(({ errors }) => errors),
      ...site.api.schemas.flatMap(({ schema }) => errorsOf(schema)),
    ]
      .filter(({ id }) => !known.has(id))
      .map((each) => [each.id, each] as const),
  );
  const specific = [...ofOperations.values()].map((each) => ({
    ...describeError(context, each),
    operations: (users.get(each.id) ?? []).slice(0, 8).map((operation) => operationRow(context, operation)),
  }));
  return { path, title: "Errors", body: renderHtml("errors", { shared, specific }) };
}

function errorsOf(schema: Schema): NonNullable<Schema["errors"]> {
  return [
    ...(schema.errors ?? []),
    ...(schema.properties ?? []).flatMap((each) => errorsOf(each.schema)),
    ...(schema.items === undefined ? [] : errorsOf(schema.items)),
  ];
}

/** Creates the page of lists: how they are paginated, and how they are filtered and ordered. */
export function listsPage(site: SiteContext): SitePage {
  const path = "lists.html";
  const context = pageContext(site, path);
  const lists = allOperations(site.api)
    .filter(isList)
    .map((operation) => {
      const { fields, examples } = describeListLanguage(site.api, operation);
      return {
        ...operationRow(context, operation),
        page: operation.pagination?.page,
        size: operation.pagination?.size,
        filters: fields.map(({ name, schema, operators }) => ({
          name,
          type: describeType(context, schema),
          operators,
        })),
        examples,
      };
    });
  const [first] = allOperations(site.api).flatMap(({ pagination }) => pagination ?? []);
  return {
    path,
    title: "Lists and filters",
    body: renderHtml("lists", { lists, first, next: first?.next && placeOf(first.next) }),
  };
}

function placeOf(next: CursorPlace): string {
  return next.in === "header" ? next.name : next.pointer.join(".");
}

/** Creates the page of access: a matrix of operations and scopes, and the grants of each operation. */
export function accessPage(site: SiteContext): SitePage {
  const path = "access.html";
  const context = pageContext(site, path);
  const { api } = site;
  const grammar = api.scopeGrammar;
  const columns = [...new Set(allOperations(api).flatMap(scopesOf))].sort();
  // Many areas have a column each for reading and writing: a matrix by area is narrower, and says the same.
  const isWide = columns.length > maxColumns;
  const tags = [...operationsByTag(api)].map(([tag, operations]) => ({
    title: tag,
    href: context.links.tag(tag),
    operations: operations.map((operation) => {
      const scopes = new Set(scopesOf(operation));
      return {
        ...operationRow(context, operation),
        cells: isWide ? [] : columns.map((scope) => ({ scope, isNeeded: scopes.has(scope) })),
        list: joinHtml(
          [...scopes].map((scope) => html`<code>${scope}</code>`),
          ", ",
        ),
        hasScopes: scopes.size > 0,
        isPublic: operation.security.length === 0 || operation.security.some((each) => each.length === 0),
        grants: operation.grants.map((each) => describeGrant(context, each, operation)),
      };
    }),
  }));
  const body = renderHtml("access", {
    schemes: api.securitySchemes.map(({ name, kind, description }) => ({
      name,
      kind,
      description: description === undefined ? undefined : renderMarkdown(description),
    })),
    grammar: grammar && {
      areas: grammar.areas,
      levels: Object.entries(grammar.levels).map(([level, implied]) => ({ level, implied: implied.join(", ") })),
      all: grammar.all,
      separator: grammar.separator,
      sources: describeSources(context, [grammar]),
    },
    columns: isWide ? [] : columns,
    isWide,
    tags,
    hasGrants: allOperations(api).some(({ grants }) => grants.length > 0),
  });
  return { path, title: "Scopes and grants", body };
}

const maxColumns = 24;

/** Creates the page of changes from the previous version. */
export function changesPage(site: SiteContext): SitePage {
  const path = "changes.html";
  const { links } = pageContext(site, path);
  const differences = site.changes?.differences ?? [];
  const views = differences.map(({ message, reason, breaking, code, where }) => ({
    message,
    reason,
    code,
    breaking: breaking.join(", "),
    operations: (where.operations ?? []).slice(0, 5).map((name) => ({ name, href: links.operation(name) })),
  }));
  const body = renderHtml("changes", {
    from: site.changes?.from,
    version: site.api.version,
    breaking: views.filter(({ breaking }) => breaking !== ""),
    other: views.filter(({ breaking }) => breaking === ""),
  });
  return { path, title: "Changes", body };
}
