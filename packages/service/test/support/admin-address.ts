import { expect } from "vitest";
import type { Program } from "./program.js";

/** The address of `/readyz` and `/metrics`, which the program logs at the level `info` when it is ready. */
export async function adminAddressOf(program: Program): Promise<string> {
  await expect.poll(() => program.log()).toContain('"msg":"ready"');
  return /"admin":"([^"]+)"/.exec(program.log())?.[1] ?? "";
}
