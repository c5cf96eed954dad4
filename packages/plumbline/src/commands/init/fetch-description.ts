import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DiagnosticsError } from "@plumbline/kit/model";
import { readSource, type SourceFile } from "@plumbline/kit/openapi/files";
import { DownloadError, createDownloader, redactUrl, type DownloadLimits } from "./download.js";
import { findReferences, rewriteReferences } from "./remote-references.js";

/** A description from a server, with the files that it refers to. */
export interface FetchedDescription {
  /** Its URL without query, for people. */
  readonly source: string;
  /** The description first. */
  readonly files: readonly FetchedFile[];
}

export interface FetchedFile {
  /** The path to save it at, relative to a folder for all of them, with forward slashes. */
  readonly name: string;
  /** Its URL without query, for people. */
  readonly source: string;
  readonly text: string;
}

/** Limits of a description with all its files together. */
export interface FetchLimits extends DownloadLimits {
  readonly maxFiles: number;
}

export const fetchLimits: FetchLimits = {
  maxBytes: 50 * 2 ** 20,
  timeoutMs: 30_000,
  maxRedirects: 5,
  maxFiles: 1000,
};

/**
 * Fetches a description once, and the files of the same origin that it refers to. Sends no credentials.
 *
 * @throws DownloadError with the URL and the reason; DiagnosticsError for a file that is not JSON or YAML.
 */
export async function fetchDescription(
  address: string,
  limits: FetchLimits = fetchLimits,
): Promise<FetchedDescription> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-fetch-"));
  try {
    const download = createDownloader(limits);
    const root = await download(address);
    const rootUrl = root.url;
    const remotes = new Map<string, RemoteFile>();
    const add = async (key: string, url: URL, text: string): Promise<RemoteFile> => {
      const remote = {
        url,
        at: new URL(key),
        text,
        source: await parse(text, url, path.join(folder, `${remotes.size}`)),
      };
      remotes.set(key, remote);
      return remote;
    };
    const queue = [await add(withoutFragment(rootUrl), rootUrl, root.text)];
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      for (const { tokens, fileName } of findReferences(file.source.value)) {
        const place = (): string => placeOf(file, tokens);
        const target = resolveReference(fileName, file.url);
        if (target === undefined)
          throw new DownloadError(`${place()}  The reference "${fileName}" is not a valid URL.`);
        if (target.origin !== rootUrl.origin)
          throw new DownloadError(
            `${place()}  A reference to another origin is not fetched: ${redactUrl(target)}. Download the files, change the reference to a relative path, and run plumbline init FILE.`,
          );
        const key = withoutFragment(target);
        if (remotes.has(key)) continue;
        if (remotes.size >= limits.maxFiles)
          throw new DownloadError(`${place()}  The description has more than ${limits.maxFiles} files.`);
        const { url, text } = await download(key, { origin: rootUrl.origin, referrer: place() });
        queue.push(await add(key, url, text));
      }
    }
    return { source: redactUrl(rootUrl), files: layOut([...remotes.values()]) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface RemoteFile {
  /** The URL after redirects: the base of its references. */
  readonly url: URL;
  /** The URL in references to it. */
  readonly at: URL;
  readonly text: string;
  readonly source: SourceFile;
}

async function parse(text: string, url: URL, file: string): Promise<SourceFile> {
  await writeFile(file, text);
  try {
    return await readSource(file, path.dirname(file));
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    throw new DiagnosticsError(
      error.diagnostics.map((each) => ({ ...each, origin: { ...each.origin, file: redactUrl(url) } })),
    );
  }
}

function placeOf({ url, source }: RemoteFile, tokens: readonly string[]): string {
  const { line, column } = source.locate(tokens);
  return `${redactUrl(url)}:${line}:${column}`;
}

function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = "";
  return copy.href;
}

function resolveReference(reference: string, base: URL): URL | undefined {
  return URL.canParse(reference, base.href) ? new URL(reference, base) : undefined;
}

/** Names the files as their URLs are below the nearest common folder, and makes references relative. */
function layOut(remotes: readonly RemoteFile[]): readonly FetchedFile[] {
  const folders = remotes.map(({ at }) => at.pathname.split("/").slice(1, -1));
  const [first = []] = folders;
  const differs = first.findIndex((segment, index) => folders.some((folder) => folder[index] !== segment));
  const depth = differs < 0 ? first.length : differs;
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const { at, source } of remotes) {
    const local = localName(at.pathname.split("/").slice(1 + depth), source.text);
    let name = local;
    for (let number = 2; used.has(name.toLowerCase()); number += 1) name = local.replace(/(\.\w+)$/, `-${number}$1`);
    used.add(name.toLowerCase());
    names.set(at.href, name);
  }
  return remotes.map(({ url, at, text, source }) => {
    const name = names.get(at.href) ?? "";
    const relative = (fileName: string): string => {
      const target = names.get(withoutFragment(new URL(fileName, url))) ?? "";
      return path.posix.relative(path.posix.dirname(name), target);
    };
    const rewritten = rewriteReferences({ text, value: source.value, rename: relative });
    if (rewritten === undefined)
      throw new DownloadError(
        `${redactUrl(url)}  Its references cannot be made relative. Download the files, and run plumbline init FILE.`,
      );
    return { name, source: redactUrl(url), text: rewritten };
  });
}

/** Only characters that every file system accepts; with an extension that references may have. */
function localName(segments: readonly string[], text: string): string {
  const safe = segments.map(
    (segment) =>
      segment
        .replaceAll(/[^\w.-]+/g, "-")
        .replace(/^\.+/, "")
        .slice(-100) || "openapi",
  );
  const name = safe.join("/");
  const extension = text.trimStart().startsWith("{") ? ".json" : ".yaml";
  const complete = /\.(ya?ml|json)$/.test(name) ? name : `${name}${extension}`;
  // The name of the configuration is taken.
  return complete.replace(/(^|\/)plumbline(\.ya?ml)$/, "$1openapi$2");
}
