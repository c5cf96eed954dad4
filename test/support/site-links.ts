import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

/** The texts of the pages of a site, by path. */
export function readPages(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".html")).toSorted();
  return new Map(pages.map((name) => [name.replaceAll("\\", "/"), readFileSync(path.join(folder, name), "utf8")]));
}

/** The links of pages that lead nowhere, as `page -> link`. `files` are the paths of everything else that the site has. */
export function findDeadLinks(pages: ReadonlyMap<string, string>, files: ReadonlySet<string>): readonly string[] {
  const anchors = new Map([...pages].map(([name, text]) => [name, new Set(idsOf(text))] as const));
  return [...pages].flatMap(([name, text]) =>
    addressesOf(text).flatMap((link) => {
      if (/^(?:https?:|mailto:)/.test(link)) return [];
      const [target = "", anchor] = link.split("#");
      const file = target === "" ? name : path.posix.join(path.posix.dirname(name), decodeURIComponent(target));
      const isThere =
        files.has(file) ||
        (anchors.get(file) !== undefined && (anchor === undefined || anchors.get(file)?.has(anchor)));
      return isThere === true ? [] : [`${name} -> ${link}`];
    }),
  );
}

/** The ids that a page has more than once. */
export function findRepeatedIds(text: string): readonly string[] {
  const ids = idsOf(text);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

/** Bytes of a text as servers send it. */
export function compressedSize(text: string): number {
  return gzipSync(text).length;
}

function idsOf(text: string): readonly string[] {
  return [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => unescapeEntities(id));
}

function addressesOf(text: string): readonly string[] {
  return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = ""]) => unescapeEntities(link));
}

function unescapeEntities(text: string): string {
  return text.replaceAll("&#x3D;", "=").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
