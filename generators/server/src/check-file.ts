import { generatedBanner, type TextFile, printSourceFile, type Code, type ArtifactOptions } from "@plumbline/codegen";
import { isSchemaFunction, NamedChecks, HoistedConstants, type CompileContext } from "@plumbline/codegen/validation";
import type { Api } from "@plumbline/model";

/** A file of tables, with compiled checks of its own. */
export class CheckFile {
  readonly context: CompileContext;
  readonly #checks: NamedChecks;
  readonly #constants: HoistedConstants;
  readonly #own: readonly string[];

  constructor(api: Api, { locate }: ArtifactOptions, own: readonly string[]) {
    this.#checks = new NamedChecks(api);
    this.#constants = new HoistedConstants(own, locate, (name) => isSchemaFunction(api, name));
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
