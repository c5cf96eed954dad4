import { generatedBanner } from "../../../packages/codegen/src/banner.js";
import type { TextFile } from "../../../packages/codegen/src/files.js";
import { printSourceFile, type Code } from "../../../packages/codegen/src/printer.js";
import type { ArtifactOptions } from "../../../packages/codegen/src/generator.js";
import { NamedChecks } from "../../../packages/codegen/src/validation/checks.js";
import { HoistedConstants } from "../../../packages/codegen/src/validation/compile/hoisted-constants.js";
import type { CompileContext } from "../../../packages/codegen/src/validation/compile/scope.js";
import type { Api } from "../../../packages/model/src/api.js";

/** A file of tables, with compiled checks of its own. */
export class CheckFile {
  readonly context: CompileContext;
  readonly #checks: NamedChecks;
  readonly #constants: HoistedConstants;
  readonly #own: readonly string[];

  constructor(api: Api, { locate }: ArtifactOptions, own: readonly string[]) {
    this.#checks = new NamedChecks(api);
    this.#constants = new HoistedConstants([...own, ...api.schemas.map((schema) => schema.name)], locate);
    this.#own = own;
    this.context = this.#checks.context(this.#constants, "validated");
  }

  print(path: string, statements: readonly Code[]): TextFile {
    return {
      path,
      text: printSourceFile([...this.#checks.print(this.#constants), ...statements], generatedBanner, this.#own),
    };
  }
}
