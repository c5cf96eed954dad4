import { join } from "node:path";
import { defineCommand, requiredArgument, string, UsageError, type Command } from "@plumbline/command-line";
import { defaultDataFolder } from "./options.js";
import { imageFolder } from "./platform/image-data.js";
import { readVariable, serveOptions } from "./serve-options.js";
import type { BackupPlaces } from "./store/backup.js";

const { data, uploadDir } = serveOptions;

const backupOptions = { file: requiredArgument(string("FILE", "the backup", "file")), data, uploadDir };

type Io = Pick<NodeJS.Process, "stdout" | "stderr">;

const variables = () => (name: string) => readVariable(name, process.env);

/** `cloud-compute backup`: saves an embedded store, also while the service runs. */
export const backupCommand: Command<Io> = defineCommand({
  options: backupOptions,
  text: "Saves an embedded store in a new file, with the data of its images. The service may run meanwhile.",
  notes:
    "The backup has every write that was acknowledged before the command began, and none in part. For a store on PostgreSQL use its tools.",
  examples: ["cloud-compute backup --data /srv/cloud cloud.backup"],
  variables,
  run: async (values, { stdout }: Io) => {
    const { backUp } = await import("./store/backup.js");
    stdout.write(`${values.file} has the store, and the data of ${backUp(placesOf(values))} images.\n`);
    return 0;
  },
});

/** `cloud-compute restore`: creates an embedded store from a backup. */
export const restoreCommand: Command<Io> = defineCommand({
  options: backupOptions,
  text: "Restores a backup in an empty folder.",
  examples: ["cloud-compute restore --data /srv/restored cloud.backup"],
  variables,
  run: async (values, { stdout }: Io) => {
    const { restore } = await import("./store/backup.js");
    const places = placesOf(values);
    stdout.write(`${places.folder} has the store, and the data of ${restore(places)} images.\n`);
    return 0;
  },
});

function placesOf(values: {
  readonly file: string;
  readonly data: string | undefined;
  readonly uploadDir: string | undefined;
}): BackupPlaces {
  const folder = values.data ?? defaultDataFolder(process.env);
  if (folder === ":memory:") throw new UsageError("--data names a folder: nothing else is on disk.");
  const uploads = values.uploadDir ?? join(folder, "uploads");
  return { file: values.file, folder, imageFile: (image) => join(imageFolder(uploads, image), image.file ?? "") };
}
