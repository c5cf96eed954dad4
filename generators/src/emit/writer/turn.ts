import { randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { UnwrittenError, attempt } from "./failures.js";
import { isInside, remove, removeEmpty } from "./paths.js";

/** How the names of files end that are not complete, and of those that say who is writing. */
export const temporarySuffix = ".plumbline-tmp";

/** While it lasts, this run alone writes to a folder. */
export interface Turn {
  /** Absolute path that a file has until it is complete, beside its own. */
  readonly temporary: (name: string) => string;
  /** Says which temporary files there will be, for the run that has to clean up should this one be killed. */
  readonly announce: (names: readonly string[]) => Promise<void>;
  /** Lets others write; removes the temporary files that are left, and the folders that nothing was written to. */
  readonly end: () => Promise<void>;
}

/**
 * Waits until no other run writes to a folder, and cleans up after those that were killed.
 *
 * Each run puts a ticket of its own into the folder and then looks for others: of two at the same time at least one sees the other, and
 * whoever sees a live one withdraws and tries again. No ticket is ever taken over, so there is no race for those that the killed leave.
 * After `attempts` it throws an UnwrittenError.
 */
export async function takeTurn(folder: string, attempts: number = patience): Promise<Turn> {
  const id = randomUUID();
  const ticket = path.join(folder, `.plumbline.${process.pid}.${id}${temporarySuffix}`);
  const temporary = (name: string): string => temporaryPath(folder, name, id);
  const created = await attempt(folder, "untouched", () => mkdir(folder, { recursive: true }));
  let announced: readonly string[] = [];
  const end = async (): Promise<void> => {
    // What cannot be removed now is announced, and the next run's to remove; what this run came to matters more.
    for (const name of announced) await remove(temporary(name), folder).catch(() => undefined);
    await rm(ticket, { force: true }).catch(() => undefined);
    if (created !== undefined) await removeEmpty(folder, path.dirname(created));
    held.delete(id);
  };
  const announce = async (names: readonly string[]): Promise<void> => {
    await attempt(folder, "untouched", () => writeFile(ticket, JSON.stringify(names)));
    announced = names;
  };
  held.add(id);
  try {
    for (let tries = 1; ; tries += 1) {
      await attempt(folder, "untouched", () => writeFile(ticket, "", { flag: "wx" }));
      const others = (await ticketsIn(folder)).filter((each) => each.id !== id);
      const alive = others.find((each) => each.isAlive);
      if (alive === undefined) {
        for (const each of others) await cleanUpAfter(each, folder);
        return { temporary, announce, end };
      }
      await rm(ticket);
      if (tries === attempts) throw busy(folder, alive);
      await setTimeout(20 + Math.random() * 60); // by chance, so that two that met do not meet again
    }
  } catch (error) {
    await end();
    throw error;
  }
}

/** Whether somebody is writing to a folder, or was killed while writing. */
export async function hasTickets(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => ticketName.test(name));
}

/** Attempts: ten seconds or so. A run writes for less than one. */
const patience = 200;

/** A process number may come round again, or be of another machine: a ticket this old is nobody's. */
const oldAge = 10 * 60_000;

const ticketName = /^\.plumbline\.(\d+)\.([0-9a-f-]{36})\.plumbline-tmp$/;

/** The tickets of this very process, which may have the number of one that was killed. */
const held = new Set<string>();

interface Ticket {
  readonly path: string;
  readonly process: number;
  readonly id: string;
  readonly isAlive: boolean;
}

async function ticketsIn(folder: string): Promise<readonly Ticket[]> {
  const matches = (await readdir(folder)).map((name) => ticketName.exec(name)).filter((match) => match !== null);
  return Promise.all(
    matches.map(async ([name, number = "", id = ""]): Promise<Ticket> => {
      const file = path.join(folder, name);
      const age = await stat(file).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => Infinity,
      );
      const isAlive = age < oldAge && (Number(number) === process.pid ? held.has(id) : isRunning(Number(number)));
      return { path: file, process: Number(number), id, isAlive };
    }),
  );
}

function isRunning(number: number): boolean {
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Removes the temporary files that a ticket announces, and no others; then the ticket. */
async function cleanUpAfter(ticket: Ticket, folder: string): Promise<void> {
  for (const name of announcedBy(await readFile(ticket.path, "utf8").catch(() => ""))) {
    await attempt(folder, "untouched", () => remove(temporaryPath(folder, name, ticket.id), folder));
  }
  await attempt(ticket.path, "untouched", () => rm(ticket.path, { force: true }));
}

/** None where the ticket is not complete: whoever was to write it had nothing else written yet. */
function announcedBy(text: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names)
      ? names.filter((name): name is string => typeof name === "string" && isInside(name))
      : [];
  } catch {
    return [];
  }
}

function temporaryPath(folder: string, name: string, id: string): string {
  return path.join(folder, ...`${name}.${id}${temporarySuffix}`.split("/"));
}

function busy(folder: string, { path: file, process: number }: Ticket): UnwrittenError {
  const message = `Another run, process ${number}, is writing here. Wait for it and run the command again; should there be none, remove ${path.basename(file)}. Nothing was changed.`;
  return new UnwrittenError(folder, message);
}
