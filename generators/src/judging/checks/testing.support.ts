import { formatted } from "../../emit/format.js";
import { code, print } from "../../emit/printer.js";
import { apiOf, withSchemas } from "../../model/testing.support.js";
import { NamedChecks } from "../checks.js";
import { Pool } from "./pool.js";
import type { Nulls } from "./scope.js";

/** Returns the printed checks of schema `A` with their dependencies, as in a generated file, without imports. */
export async function checksOf(schemas: string, nulls: Nulls = "judged"): Promise<string> {
  const api = await apiOf(withSchemas(schemas));
  const checks = new NamedChecks(api);
  checks.refer("A", nulls);
  const names = api.shapes.map((shape) => shape.name);
  const pool = new Pool(names, (origin) => ({ ...origin, line: 1, column: 1 }));
  const file = await formatted({ path: "checks.ts", text: print(checks.print(pool), code``) });
  return file.text.replaceAll(/^import [^;]*;\n/gm, "").trim();
}
