import { type Api, memoize } from "../../model/index.js";
import type { TextFile } from "../files.js";
import { printSourceFile } from "../printer.js";
import { TypePrinter } from "./print.js";

/** Emits `types.ts`: the named types of the description. Every package has its own copy. */
export const emitSchemaTypes: (api: Api) => readonly TextFile[] = memoize((api) => {
  const printer = new TypePrinter(api);
  const declarations = api.schemas.map((schema) => printer.declaration(schema));
  return [
    {
      path: "src/gen/types.ts",
      text: printSourceFile(declarations) + (declarations.length === 0 ? "export {};\n" : ""),
    },
  ];
});
