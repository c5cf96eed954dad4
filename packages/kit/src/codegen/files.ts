import { isJsonObject, type Json } from "../model/index.js";

/** A file of a generated package. Its path is relative to the package, with forward slashes. */
export type GeneratedFile = TextFile | ManagedJsonFile | EditedFile;

export interface TextFile {
  readonly path: string;
  readonly text: string;
  /** Writes the text as it is, without formatting: for pages of HTML, where white space has a meaning. Default: false. */
  readonly isVerbatim?: true;
}

/** A JSON file of which the generator manages some keys. Other keys, such as `version`, belong to the user. */
export interface ManagedJsonFile {
  readonly path: string;
  /** The values of the managed keys, which the generator overwrites. */
  readonly managedKeys: Readonly<Record<string, Json>>;
  /**
   * The initial values of keys that the generator does not manage; existing values stay unchanged. An object under a managed key has the initial
   * entries of that object, such as a version range among the dependencies.
   */
  readonly defaults: Readonly<Record<string, Json>>;
}

/**
 * A file of the user, of which the generator has changed parts. Plumbline writes its text as it is: without formatting, without an entry in the
 * manifest. It never removes the file.
 */
export interface EditedFile {
  readonly path: string;
  readonly text: string;
  /** The text that the generator has read; null for a new file. The writer rejects a file that has changed since. */
  readonly original: string | null;
}

/** A generated package. */
export interface GeneratedPackage {
  /** Absolute path of the package's folder. */
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
}

/** Prints a JSON file of which the generator manages some keys. The order of its keys does not depend on what is on the disk. */
export function printManagedJson(
  { managedKeys, defaults }: ManagedJsonFile,
  onDisk: Readonly<Record<string, unknown>> = {},
): string {
  const managed = Object.entries(managedKeys).map(
    ([key, value]) => [key, withInitialEntries(value, defaults[key], onDisk[key])] as const,
  );
  const merged: object = { ...managedKeys, ...defaults, ...onDisk, ...Object.fromEntries(managed) };
  const ordered = Object.entries(merged).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  return `${JSON.stringify(Object.fromEntries(ordered), undefined, 2)}\n`;
}

function withInitialEntries(managed: Json, initial: Json | undefined, present: unknown): unknown {
  if (!isJsonObject(managed) || !isJsonObject(initial)) return managed;
  const entries = isJsonObject(present) ? Object.entries(present).filter(([name]) => Object.hasOwn(initial, name)) : [];
  return { ...initial, ...Object.fromEntries(entries), ...managed };
}

const firstKeys = ["name", "version", "private", "description"];

function rankOf(key: string): number {
  return firstKeys.includes(key) ? firstKeys.indexOf(key) : firstKeys.length;
}
