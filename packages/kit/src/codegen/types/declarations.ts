import { type Api, memoize, type Schema, visitSubschemas } from "../../model/index.js";
import type { TextFile } from "../files.js";
import { printSourceFile } from "../printer.js";
import { isBinary } from "./bytes.js";
import { type FileType, TypePrinter } from "./print.js";

/** Emits `types.ts`: the named types of the description. Every package has its own copy. */
export const emitSchemaTypes: (api: Api) => readonly TextFile[] = memoize((api) => emitTypes(api, "Blob"));

/** Emits `types.ts` of a package that receives what clients send. */
export const emitReceivedTypes: (api: Api) => readonly TextFile[] = memoize((api) =>
  api.schemas.some(({ schema }) => hasFile(schema)) ? emitTypes(api, "File") : emitSchemaTypes(api),
);

function hasFile(schema: Schema): boolean {
  let isFound = false;
  visitSubschemas(schema, (each) => {
    isFound ||= isBinary(each);
  });
  return isFound;
}

function emitTypes(api: Api, fileType: FileType): readonly TextFile[] {
  const printer = new TypePrinter(api, fileType);
  const declarations = api.schemas.map((schema) => printer.declaration(schema));
  return [
    {
      path: "src/gen/types.ts",
      text: printSourceFile(declarations) + (declarations.length === 0 ? "export {};\n" : ""),
    },
  ];
}
