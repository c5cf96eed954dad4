import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { print } from "../emit/printer.js";
import type { Api } from "../model/api.js";
import { once } from "../model/once.js";
import { TypePrinter } from "./print.js";

/** Emits `types.ts`: the named types of the description. Every package has its own copy. */
export const emitTypes: (api: Api) => readonly TextFile[] = once((api) => {
  const printer = new TypePrinter(api);
  const declarations = api.shapes.map((shape) => printer.declaration(shape));
  return [
    { path: "src/gen/types.ts", text: print(declarations, banner) + (declarations.length === 0 ? "export {};\n" : "") },
  ];
});
