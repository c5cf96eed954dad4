import { memoize, preferredContent, type Api, type Operation } from "@plumbline/kit/model";
import { describeValue } from "../describe/fields.js";
import { describeSources } from "../describe/sources.js";
import { mergedParts } from "../describe/types.js";
import { highlightJson } from "../render/highlight.js";
import { firstSentenceOf } from "../render/sentences.js";
import { renderHtml } from "../render/templates.js";
import { allOperations, type SiteContext } from "../site-context.js";
import { pageContext, type SitePage } from "../site-page.js";
import { operationRow } from "./operations.js";

/** Creates the list of all named schemas. */
export function schemasPage(site: SiteContext): SitePage {
  const path = "schemas/index.html";
  const { links } = pageContext(site, path);
  const schemas = site.api.schemas.map(({ name, schema, variantOf }) => ({
    name,
    href: links.schema(name),
    text: schema.description === undefined ? undefined : firstSentenceOf(schema.description),
    variantOf: variantOf?.name,
    isResource: site.api.resources.some((each) => each.name === name),
  }));
  return { path, title: "Schemas", body: renderHtml("schemas", { schemas }) };
}

/** Creates a page for each named schema. */
export function schemaPages(site: SiteContext): readonly SitePage[] {
  return site.api.schemas.map(({ name, schema, variantOf }) => {
    const path = site.paths.schemas.get(name) ?? "";
    const context = pageContext(site, path);
    const resource = site.api.resources.find((each) => each.name === name);
    const example = mergedParts(site.api, schema).find(({ examples }) => examples !== undefined)?.examples?.[0];
    const body = renderHtml("schema", {
      name,
      variantOf: variantOf && { ...variantOf, href: context.links.schema(variantOf.name) },
      value: describeValue(context, schema, { anchor: "field", name, headingLevel: 2 }),
      resource: resource && { owner: resource.owner.join(", "), parent: resource.parent },
      machines: site.api.stateMachines
        .filter((each) => each.resource === name)
        .map((each) => ({ name: each.name, href: context.links.stateMachine(each.name) })),
      users: (schemaUsers(site.api).get(name) ?? []).slice(0, maxUsers).map((each) => operationRow(context, each)),
      example: example === undefined ? undefined : highlightJson(example),
      sources: describeSources(context, [schema, ...(resource === undefined ? [] : [resource])]),
    });
    return { path, title: name, body };
  });
}

/** Operations that a page of a schema lists: a schema for errors has all of them. */
const maxUsers = 30;

/** The operations whose body or success has a schema, directly, as items of a list or in `allOf`. */
const schemaUsers: (api: Api) => ReadonlyMap<string, readonly Operation[]> = memoize((api) => {
  const users = new Map<string, Operation[]>();
  for (const operation of allOperations(api)) {
    const successes = operation.responses.filter(({ status }) => String(status).startsWith("2"));
    const contents = [operation.requestBody?.contents ?? [], ...successes.map((each) => each.contents)];
    const schemas = contents.flatMap((each) => preferredContent(each)?.schema ?? []);
    const parts = schemas.flatMap((schema) => mergedParts(api, schema));
    const inner = parts.flatMap(({ items, properties = [] }) => [
      ...(items === undefined ? [] : [items]),
      ...properties.flatMap((each) => each.schema.items ?? []),
    ]);
    for (const name of new Set([...parts, ...inner].flatMap(({ ref }) => ref ?? []))) {
      const ofSchema = users.get(name);
      if (ofSchema === undefined) users.set(name, [operation]);
      else ofSchema.push(operation);
    }
  }
  return users;
});
