import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { print, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import { NamedChecks } from "../judging/checks.js";
import { Pool } from "../judging/checks/pool.js";
import type { Around } from "../judging/checks/scope.js";
import type { Api } from "../model/api.js";

/** A file of tables, with compiled checks of its own. */
export class CheckFile {
  readonly around: Around;
  readonly #checks: NamedChecks;
  readonly #pool: Pool;
  readonly #own: readonly string[];

  constructor(api: Api, { locate }: ArtifactOptions, own: readonly string[]) {
    this.#checks = new NamedChecks(api);
    this.#pool = new Pool([...own, ...api.shapes.map((shape) => shape.name)], locate);
    this.#own = own;
    this.around = this.#checks.around(this.#pool, "judged");
  }

  print(path: string, statements: readonly Code[]): TextFile {
    return { path, text: print([...this.#checks.print(this.#pool), ...statements], banner, this.#own) };
  }
}
