/** The one file that knows how types are printed: through openapi-typescript's transformation of a single schema. */
import ts from "typescript";
import { transformSchemaObject, tsRecord, STRING, NEVER } from "openapi-typescript";
import { commentText } from "../emit/comments.js";
import type { TypeSchema } from "./document.js";

type Context = Parameters<typeof transformSchemaObject>[1]["ctx"];

/** The TypeScript type of a schema. References `#/Name` become `Name`. */
export function typeNode(schema: TypeSchema, resolve: (name: string) => TypeSchema | undefined): ts.TypeNode {
  return transformSchemaObject(schema as Parameters<typeof transformSchemaObject>[0], {
    path: "#/",
    ctx: context(resolve),
  });
}

function context(resolve: (name: string) => TypeSchema | undefined): Context {
  const settings: Partial<Context> = {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    immutable: false,
    injectFooter: [],
    silent: true,
    resolve: <T>($ref: string) => resolve($ref.slice(2)) as T | undefined,
    transform: (schema) => special(schema as TypeSchema),
    transformProperty: (property, schema) => commented(property, (schema as TypeSchema)["x-comment"] ?? []),
  };
  return settings as Context; // the rest is about whole documents, of which this prints none
}

function special(schema: TypeSchema): ts.TypeNode | undefined {
  if (schema.type === "never") return NEVER;
  if (schema.maxProperties === 0) return tsRecord(STRING, NEVER);
  if (schema.type === "Blob") return ts.factory.createTypeReferenceNode(blob);
  return undefined;
}

function commented(property: ts.PropertySignature, lines: readonly string[]): ts.PropertySignature {
  const text = commentText(lines);
  return text === ""
    ? property
    : ts.addSyntheticLeadingComment(property, ts.SyntaxKind.MultiLineCommentTrivia, text, true);
}

// Qualified, because a description may well have a schema that is called Blob.
const blob: ts.QualifiedName = ts.factory.createQualifiedName(ts.factory.createIdentifier("globalThis"), "Blob");
