import type { Api } from "../../model/index.js";
import type { TextFile } from "../files.js";
import type { ArtifactOptions } from "../generator.js";
import { printSourceFile, type Code } from "../printer.js";
import { createConstants, NamedChecks } from "../validation/checks.js";
import type { HoistedConstants } from "../validation/compile/hoisted-constants.js";
import type { CompileContext } from "../validation/compile/scope.js";

/** A file of tables, with compiled checks of its own. */
export class CheckFile {
  readonly context: CompileContext;
  readonly #checks: NamedChecks;
  readonly #constants: HoistedConstants;
  readonly #reserved: readonly string[];

  constructor(api: Api, { locate }: ArtifactOptions, reserved: readonly string[]) {
    this.#checks = new NamedChecks(api);
    this.#constants = createConstants(api, reserved, locate);
    this.#reserved = reserved;
    this.context = this.#checks.context(this.#constants, "validated");
  }

  print(path: string, statements: readonly Code[]): TextFile {
    return {
      path,
      text: printSourceFile([...this.#checks.print(this.#constants), ...statements], this.#reserved),
    };
  }
}
