import { createReadStream } from "node:fs";
import { join } from "node:path";
import { defineCommand, requiredArgument, string, UsageError, type Command } from "@plumbline/command-line";
import { defaultDataFolder } from "./options.js";
import { imageFile } from "./platform/image-data.js";
import { isDatabaseUrl, readVariable, serveOptions } from "./serve-options.js";
import type { ExportEnd, StorePlace } from "./store/export.js";

const { data, databaseUrl, uploadDir } = serveOptions;

type Io = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr">;

const variables = () => (name: string) => readVariable(name, process.env);

const backupOptions = { file: requiredArgument(string("FILE", "the backup", "file")), data, uploadDir };

/** `cloud-compute backup`: saves an embedded store, also while the service runs. */
export const backupCommand: Command<Io> = defineCommand({
  options: backupOptions,
  text: "Saves an embedded store in a new file, with the data of its images. The service may run meanwhile.",
  notes:
    "The backup has every write that was acknowledged before the command began, and none in part. For a store on PostgreSQL use its tools.",
  examples: ["cloud-compute backup --data /srv/cloud cloud.backup"],
  variables,
  run: async ({ file, ...store }, { stdout }: Io) => {
    const { backUp } = await import("./store/backup.js");
    stdout.write(`${file} has the store, and ${formatData(backUp({ ...placeOf(store), file }))}.\n`);
    return 0;
  },
});

/** `cloud-compute restore`: creates an embedded store from a backup. */
export const restoreCommand: Command<Io> = defineCommand({
  options: backupOptions,
  text: "Restores a backup in an empty folder.",
  examples: ["cloud-compute restore --data /srv/restored cloud.backup"],
  variables,
  run: async ({ file, ...store }, { stdout }: Io) => {
    const { restore } = await import("./store/backup.js");
    const place = placeOf(store);
    stdout.write(`${place.folder} has the store, and ${formatData(restore({ ...place, file }))}.\n`);
    return 0;
  },
});

const storeOptions = { data, databaseUrl, uploadDir };

/** `cloud-compute export`: writes a store as lines of JSON, also while the service runs. */
export const exportCommand: Command<Io> = defineCommand({
  options: {
    file: requiredArgument(string("FILE", "the new file, or - for standard output", "file")),
    ...storeOptions,
  },
  text: "Writes a store to a new file as lines of JSON, with the data of its images. The service may run meanwhile.",
  examples: ["cloud-compute export --data /srv/cloud cloud.jsonl"],
  variables,
  run: async ({ file, ...store }, { stdout, stderr }: Io) => {
    const { exportStore, saveLines } = await import("./store/export.js");
    const lines = withProgress(exportStore(placeOf(store), { isShared: true }), stderr);
    const { rows, images } = await saveLines(lines, file, stdout);
    (file === "-" ? stderr : stdout).write(`${file} has ${rows} rows, and ${formatData(images)}.\n`);
    return 0;
  },
});

/** `cloud-compute import`: creates a store from the lines of an export. */
export const importCommand: Command<Io> = defineCommand({
  options: { file: requiredArgument(string("FILE", "the export, or - for standard input", "file")), ...storeOptions },
  text: "Imports what `cloud-compute export` wrote, into an empty folder or database, completely or not at all.",
  examples: ["cloud-compute import --database-url postgres://localhost/cloud --upload-dir /srv/uploads cloud.jsonl"],
  variables,
  run: async ({ file, ...store }, { stdin, stdout, stderr }: Io) => {
    const { importStore, linesOf } = await import("./store/import.js");
    const source = file === "-" ? stdin : createReadStream(file, { highWaterMark: bytesAtOnce });
    const lines = withProgress(linesOf(source.setEncoding("utf8")), stderr);
    stdout.write(formatMoved(await importStore(placeOf(store), lines)));
    return 0;
  },
});

/** `cloud-compute move`: an export into an import, without a file in between. */
export const moveCommand: Command<Io> = defineCommand({
  options: {
    from: string("PLACE", "folder of the store, or postgres://…; no process may use it"),
    to: string("PLACE", "empty folder, or postgres://… of an empty database"),
    fromUploadDir: string("DIR", "folder of its image data (as for serve)", "folder"),
    toUploadDir: string("DIR", "folder for image data (as for serve)", "folder"),
  },
  text: "Moves a store to an empty folder or database, completely or not at all. The first store stays as it is.",
  notes: "Both places may be in files, which CLOUD_COMPUTE_FROM_FILE and CLOUD_COMPUTE_TO_FILE name.",
  examples: [
    "cloud-compute move --from /srv/cloud --to postgres://localhost/cloud --to-upload-dir /srv/uploads",
    "cloud-compute move --from postgres://localhost/cloud --from-upload-dir /srv/uploads --to /srv/cloud",
  ],
  variables,
  run: async ({ from, to, fromUploadDir, toUploadDir }, { stdout, stderr }: Io) => {
    if (from === undefined || to === undefined) throw new UsageError("--from and --to name the stores.");
    const [source, target] = [placeAt(from, fromUploadDir), placeAt(to, toUploadDir)];
    const { exportStore } = await import("./store/export.js");
    const { importStore } = await import("./store/import.js");
    const end = await importStore(target, withProgress(exportStore(source, { isShared: false }), stderr));
    stdout.write(formatMoved(end));
    return 0;
  },
});

/** Larger than a line, mostly. */
const bytesAtOnce = 1_048_576;

function placeAt(place: string, uploads: string | undefined): StorePlace {
  const isUrl = isDatabaseUrl(place);
  return placeOf({ data: isUrl ? undefined : place, databaseUrl: isUrl ? place : undefined, uploadDir: uploads });
}

function placeOf(values: {
  readonly data: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly uploadDir: string | undefined;
}): StorePlace {
  const folder = values.data ?? defaultDataFolder(process.env);
  if (folder === ":memory:" && values.databaseUrl === undefined)
    throw new UsageError("--data names a folder: nothing else is on disk.");
  const uploads = values.uploadDir ?? join(folder, "uploads");
  return { folder, databaseUrl: values.databaseUrl, imageFile: (image) => imageFile(uploads, image) };
}

/** Passes lines on, and reports every second how many. */
async function* withProgress(lines: AsyncIterable<string>, stderr: Io["stderr"]): AsyncGenerator<string> {
  let count = 0;
  let reported = performance.now();
  for await (const line of lines) {
    yield line;
    count += 1;
    if (performance.now() - reported < 1000) continue;
    stderr.write(`${count} lines\n`);
    reported = performance.now();
  }
}

function formatMoved({ rows, images }: ExportEnd): string {
  return `The store has ${rows} rows, and ${formatData(images)}.\n`;
}

function formatData(images: number): string {
  return `the data of ${images} ${images === 1 ? "image" : "images"}`;
}
