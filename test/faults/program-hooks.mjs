// Gives one service texts in place of files, by their addresses. A module is loaded again where it imports, in however many steps, what is
// replaced; all others are shared by the services of a process.
const texts = new Map();
const separate = new Map();
const importers = new Map();

export function initialize({ port }) {
  port.on("message", ({ id, sources }) => {
    texts.set(id, new Map(Object.entries(sources)));
    separate.set(id, importersOf(Object.keys(sources)));
    port.postMessage(id);
  });
}

export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  const [parent, ofParent] = parted(context.parentURL ?? "");
  const [url, ofItself] = parted(resolved.url);
  importers.set(url, (importers.get(url) ?? new Set()).add(parent));
  const id = ofItself ?? ofParent;
  return { ...resolved, url: separate.get(id)?.has(url) === true ? `${url}?service=${id}` : url };
}

export async function load(address, context, nextLoad) {
  const [url, id] = parted(address);
  const source = texts.get(id)?.get(url);
  return source === undefined ? nextLoad(address, context) : { format: "module", source, shortCircuit: true };
}

/** An address, and the service that it is of. */
function parted(address) {
  const [, url, id] = /^(.*)\?service=(\d+)$/.exec(address) ?? [];
  return url === undefined ? [address] : [url, Number(id)];
}

/** These files and all that import them; any of ours where that is not known of one of them, since nothing has loaded it yet. */
function importersOf(files) {
  if (files.some((file) => !importers.has(file))) return { has: isOurs };
  const found = new Set(files);
  for (const url of found) for (const parent of importers.get(url) ?? []) found.add(parent);
  return found;
}

function isOurs(url) {
  return url.includes("/packages/") && !url.includes("/node_modules/");
}
