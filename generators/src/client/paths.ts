import { importType, printSourceFile, type GeneratedFile } from "@plumbline/kit/codegen";
import { emitOpenapiTypes } from "@plumbline/kit/codegen/openapi-types";
import type { Api, Json } from "@plumbline/kit/model";

/** Emits `src/gen/paths.ts`: the types of openapi-typescript, with the client's types of named schemas. */
export function emitClientPaths(api: Api, document: Readonly<Record<string, Json>>): readonly GeneratedFile[] {
  const baseSchemas = api.schemas.filter(({ variantOf }) => variantOf === undefined);
  const schemaTypes = new Map(baseSchemas.map(({ name }) => [name, importType(name, "./types.js")] as const));
  return [{ path: "src/gen/paths.ts", text: printSourceFile(emitOpenapiTypes(document, { schemaTypes })) }];
}
