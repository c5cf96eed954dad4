import type { Api } from "@plumbline/kit/model";

/** The paths of pages, relative to the root of the site. */
export interface SitePaths {
  readonly operations: ReadonlyMap<string, string>;
  readonly schemas: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly stateMachines: ReadonlyMap<string, string>;
  /** The page of each requirement. */
  readonly requirements: ReadonlyMap<string, string>;
}

/** The links of a page: relative, so that they work below any base path and in a folder. */
export interface PageLinks {
  /** What leads from the page to the root: `` or `../`. */
  readonly root: string;
  readonly page: (path: string) => string;
  readonly operation: (name: string) => string | undefined;
  readonly schema: (name: string) => string | undefined;
  readonly tag: (name: string) => string | undefined;
  readonly stateMachine: (name: string) => string | undefined;
  readonly requirement: (id: string) => string | undefined;
  readonly error: (id: string) => string;
  readonly limit: (id: string) => string;
}

/** A part of the documents, with its requirements. */
export interface DocumentSection {
  readonly document: string;
  readonly section: string;
  readonly path: string;
  readonly requirements: Api["requirements"];
}

/** Returns the sections of the documents, in the order of the requirements. */
export function documentSections(api: Api): readonly DocumentSection[] {
  const sections = new Map<string, Api["requirements"][number][]>();
  for (const each of api.requirements) {
    const key = JSON.stringify([each.document, each.section]);
    const section = sections.get(key);
    if (section === undefined) sections.set(key, [each]);
    else section.push(each);
  }
  return [...sections.values()].map((requirements, index) => ({
    document: requirements[0]?.document ?? "",
    section: requirements[0]?.section ?? "",
    path: `coverage/section-${index + 1}.html`,
    requirements,
  }));
}

/** Decides the path of each page. */
export function createSitePaths(api: Api): SitePaths {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const schemas = api.schemas.map(({ name }) => name);
  const stateMachines = api.stateMachines.map(({ name }) => name);
  return {
    operations: pathsIn(
      "operations",
      operations.map(({ name }) => name),
    ),
    schemas: pathsIn("schemas", schemas),
    tags: pathsIn("tags", tags),
    stateMachines: pathsIn("states", stateMachines),
    requirements: new Map(
      documentSections(api).flatMap(({ path, requirements }) => requirements.map(({ id }) => [id, path] as const)),
    ),
  };
}

/** Creates the links of a page by its path. */
export function createPageLinks(paths: SitePaths, path: string): PageLinks {
  const root = "../".repeat(path.split("/").length - 1);
  const linkIn =
    (names: ReadonlyMap<string, string>) =>
    (name: string): string | undefined => {
      const page = names.get(name);
      return page === undefined ? undefined : `${root}${page}`;
    };
  return {
    root,
    page: (target) => `${root}${target}`,
    operation: linkIn(paths.operations),
    schema: linkIn(paths.schemas),
    tag: linkIn(paths.tags),
    stateMachine: linkIn(paths.stateMachines),
    requirement: (id) => {
      const requirement = paths.requirements.get(id);
      return requirement === undefined ? undefined : `${root}${requirement}#${anchorOf(id)}`;
    },
    error: (id) => `${root}errors.html#${anchorOf(id)}`,
    limit: (id) => `${root}limits.html#${anchorOf(id)}`,
  };
}

/** Turns a name into an anchor: letters, digits, dots and hyphens. */
export function anchorOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9.-]+/g, "-").replace(/^-+(?=.)/, "") || "item";
}

/** File systems may ignore the case of letters, and Windows reserves some names. */
function pathsIn(folder: string, names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(["index", "con", "prn", "aux", "nul"]);
  const paths = new Map<string, string>();
  for (const name of names) {
    if (paths.has(name)) continue;
    const stem = anchorOf(name).slice(0, 80);
    let free = stem;
    for (let number = 2; used.has(free.toLowerCase()); number++) free = `${stem}-${number}`;
    used.add(free.toLowerCase());
    paths.set(name, `${folder}/${free}.html`);
  }
  return paths;
}
