import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { nodes, peersFolder, run } from "./peers.js";
import { repository } from "./places.js";
import { createCommandReaders } from "./readers/commands.js";
import { openPages, pageReaders } from "./readers/pages.js";
import type { BundledDescription, Complaints } from "./readers/reader.js";
import { evaluateGoal, type Report } from "./report.js";

/** The forms of `plumbline bundle`, by their file names. */
const forms: Readonly<Record<string, readonly string[]>> = {
  "complete.json": [],
  "complete.yaml": [],
  "plain.json": ["--without-extensions"],
};

/** Half of a description, which no tool may accept: the check of the check. */
const halved = "halved.json";

/** Loads our bundled description in the tools that people use today, and counts what they complain about. */
export const readers: Benchmark = {
  name: "readers",
  about: "the bundled description in Redoc, Scalar, Swagger UI, Prism and generators: complaints of each",
  rounds: 1,
  async run({ say }) {
    const folder = await mkdtemp(path.join(tmpdir(), "plumbline-readers-"));
    try {
      // Generated clients import what is installed beside them.
      await symlink(peersFolder, path.join(folder, "node_modules"));
      const complaints: Complaints[] = [];
      const descriptions = new Map<string, BundledDescription>();
      for (const [name, options] of Object.entries(forms)) descriptions.set(name, await bundle(folder, name, options));
      descriptions.set(halved, await halve(folder, "plain.json"));
      for (const [name, description] of descriptions) {
        for (const reader of createCommandReaders()) {
          say(`${reader.name}: ${name}`);
          complaints.push({ reader: reader.name, form: name, texts: await reader.read(description) });
        }
      }
      const pages = await openPages(folder, peersFolder);
      try {
        for (const name of descriptions.keys()) {
          for (const reader of pageReaders) {
            say(`${reader.name}: ${name}`);
            complaints.push({ reader: reader.name, form: name, texts: await pages.read(reader, name) });
          }
        }
      } finally {
        await pages.close();
      }
      return reportOf(complaints);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function bundle(folder: string, name: string, options: readonly string[]): Promise<BundledDescription> {
  const file = path.join(folder, name);
  const plumbline = path.join(repository, "packages", "plumbline", "bin", "plumbline.js");
  await run(process.execPath, [plumbline, "bundle", "-o", file, ...options], repository);
  return placed(folder, name);
}

async function halve(folder: string, name: string): Promise<BundledDescription> {
  const text = await readFile(path.join(folder, name), "utf8");
  await writeFile(path.join(folder, halved), text.slice(0, text.length / 2));
  return placed(folder, halved);
}

async function placed(folder: string, name: string): Promise<BundledDescription> {
  const out = path.join(folder, `read-${name}`);
  await mkdir(out);
  const [node] = nodes();
  return { file: path.join(folder, name), out, node: node?.program ?? process.execPath };
}

function reportOf(all: readonly Complaints[]): Report {
  const complaints = all.filter(({ form }) => form !== halved);
  const accepted = all.filter(({ form, texts }) => form === halved && texts.length === 0);
  const names = [...new Set(complaints.map(({ reader }) => reader))];
  const columns = Object.fromEntries(Object.keys(forms).map((form) => [form, { title: form, digits: 0 }]));
  const rows = names.map((name) => ({
    name,
    cells: Object.fromEntries(
      complaints.filter(({ reader }) => reader === name).map(({ form, texts }) => [form, texts.length]),
    ),
  }));
  const notes = complaints.flatMap(({ reader, form, texts }) =>
    texts.slice(0, 3).map((text) => `${reader}, ${form}: ${text.slice(0, 200)}`),
  );
  const total = complaints.reduce((sum, { texts }) => sum + texts.length, 0);
  return {
    benchmark: "readers",
    tables: [{ title: "Our bundled description in other tools: complaints", columns, rows, notes }],
    goals: [
      { what: "complaints of other tools", figure: total, limit: 0, unit: "" },
      { what: "tools that accept half of a description", figure: accepted.length, limit: 0, unit: "" },
    ].map(evaluateGoal),
  };
}
