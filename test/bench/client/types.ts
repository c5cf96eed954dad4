import { writeFile } from "node:fs/promises";
import path from "node:path";
import { peerFile, run } from "../peers.js";
import type { Consumer } from "./consumers.js";
import type { Operation } from "./operations.js";

/** Counts the type instantiations of a call: those of a program with the calls, minus those of the program without. */
export async function instantiationsPerCall(
  consumer: Consumer,
  operations: readonly Operation[],
  folder: string,
): Promise<number> {
  const calls = operations.map((operation, index) => {
    const call = consumer.call(operation, { path: operation.values });
    return `  const r${index} = await ${call};\n  use(${consumer.data(`r${index}`)});\n`;
  });
  const counts: number[] = [];
  for (const body of [calls, []]) {
    const file = path.join(folder, `${consumer.key}-types.ts`);
    const program = `declare function use(value: unknown): void;
export async function calls(): Promise<void> {\n${body.join("")}}\n`;
    await writeFile(file, consumer.setup(operations, ".") + program);
    counts.push(await instantiations(file, folder));
  }
  const [all = Number.NaN, none = Number.NaN] = counts;
  return (all - none) / operations.length;
}

/** Throws when the program has an error, since the compiler stops looking where it finds one. */
async function instantiations(file: string, folder: string): Promise<number> {
  const settings = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler"];
  const tsc = peerFile("typescript", "bin/tsc");
  const said = await run(process.execPath, [tsc, ...settings, ...modules, "--extendedDiagnostics", file], folder);
  const count = /^Instantiations:\s+(\d+)/m.exec(said)?.[1];
  if (count === undefined) throw new Error(`The compiler did not say how many instantiations it made:\n${said}`);
  return Number(count);
}
