import { buildFixtureApi, withSchemas } from "../../../openapi/testing.js";
import { formatFile } from "../../format-file.js";
import { printSourceFile } from "../../printer.js";
import { NamedChecks } from "../checks.js";
import { HoistedConstants } from "./hoisted-constants.js";
import type { NullHandling } from "./scope.js";

/** Returns the printed checks of schema `A` with their dependencies, as in a generated file, without imports. */
export async function compileFixtureChecks(
  schemas: string,
  nulls: NullHandling = "validated",
  custom?: { readonly formats: readonly string[]; readonly keywords: readonly string[] },
): Promise<string> {
  const api = await buildFixtureApi(withSchemas(schemas), {}, custom?.keywords);
  const checks = new NamedChecks(api, custom && { formats: new Set(custom.formats) });
  checks.refer("A", nulls);
  const names = api.schemas.map((schema) => schema.name);
  const pool = new HoistedConstants(names, (origin) => ({ ...origin, line: 1, column: 1 }));
  const file = await formatFile({ path: "checks.ts", text: printSourceFile(checks.print(pool)) });
  return file.text.replaceAll(/^import [^;]*;\n/gm, "").trim();
}
