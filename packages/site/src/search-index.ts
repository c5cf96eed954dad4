import { guidePages } from "./guide-pages.js";
import { scriptJson } from "./render/html.js";
import { firstSentenceOf } from "./render/sentences.js";
import { allOperations, operationsByTag, type SiteContext } from "./site-context.js";

/** One page in the index: its kind, title, detail, address, and other words to find it by. */
type SearchEntry = readonly [kind: string, title: string, detail: string, address: string, words: string];

/** Creates the search index as a classic script, which also works where a page may not fetch: in a folder. */
export function searchIndexScript(site: SiteContext): string {
  const { api, paths } = site;
  const entries: readonly SearchEntry[] = [
    ...guidePages(site).map(({ path, title }): SearchEntry => ["Guide", title, "", path, ""]),
    ...[...operationsByTag(api)].map(([tag, operations]): SearchEntry => [
      "Tag",
      tag,
      `${operations.length} operations`,
      paths.tags.get(tag) ?? "",
      "",
    ]),
    ...allOperations(api).map((each): SearchEntry => [
      "Operation",
      each.summary ?? each.name,
      `${each.method} ${each.path}`,
      paths.operations.get(each.name) ?? "",
      `${each.name} ${each.tag} ${each.errors.map(({ id }) => id).join(" ")}`,
    ]),
    ...api.schemas.map(({ name, schema }): SearchEntry => [
      "Schema",
      name,
      firstSentenceOf(schema.description ?? "").slice(0, 120),
      paths.schemas.get(name) ?? "",
      (schema.properties ?? [])
        .slice(0, 40)
        .map((each) => each.name)
        .join(" "),
    ]),
    ...api.stateMachines.map((each): SearchEntry => [
      "States",
      each.name,
      each.states.join(", "),
      paths.stateMachines.get(each.name) ?? "",
      each.resource,
    ]),
    ...api.errors.map(({ id, summary = "" }): SearchEntry => ["Error", id, summary, `errors.html#${id}`, ""]),
  ];
  return `globalThis.plumblineSearch = ${scriptJson(entries).toString()};\n`;
}
