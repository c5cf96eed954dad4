import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import { referencesOf } from "../variable-references.js";
import type { GeneratedClient } from "./generated-client.js";
import type { GeneratedImport } from "./generated-imports.js";

/**
 * Replaces a type by one of the generated package. An alias of the same name becomes an import: `type Pet = components["schemas"]["Pet"]`.
 *
 * @param name the name of the generated type
 */
export function replaceTypeUse(node: ts.TypeNode, name: string, recorder: CodeRecorder): void {
  const file = node.getSourceFile();
  const alias = node.parent;
  const isSame =
    ts.isTypeAliasDeclaration(alias) &&
    alias.name.text === name &&
    alias.typeParameters === undefined &&
    ts.isSourceFile(alias.parent);
  if (!isSame) {
    recorder.replace(node, () => recorder.importName(file, { imported: name, isType: true }));
    return;
  }
  const isExported = (alias.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (isExported)
    recorder.replace(alias, () => `export type { ${name} } from ${JSON.stringify(recorder.targetModule(file))};`);
  else {
    const end = /^[ \t]*\r?\n?/.exec(file.text.slice(alias.getEnd()))?.[0].length ?? 0;
    recorder.edit(file, { start: alias.getStart(file), end: alias.getEnd() + end, text: "" });
  }
  const isUsed = referencesOf(alias.name, recorder.checker).length > 0;
  if (isUsed || !isExported) recorder.importName(file, { imported: name, isType: true, local: name });
}

/** Replaces the import of a type by that of the generated package. Reports one without a counterpart. */
export function replaceTypeImport(
  { name, references }: GeneratedImport,
  client: GeneratedClient,
  recorder: CodeRecorder,
): void {
  const type = client.schemaType(name.imported);
  if (type === undefined) {
    recorder.report("notUnderstood", name.node, `The type \`${name.imported}\` has no counterpart of that name.`);
    return;
  }
  renameTypeImport({ name, references }, type, recorder);
}

/** Replaces the import of a type by that of one with another name, under the old name. */
export function renameTypeImport(
  { name, references }: Pick<GeneratedImport, "name" | "references">,
  type: string,
  recorder: CodeRecorder,
): void {
  recorder.removeImport(name);
  if (references.length === 0) return;
  recorder.importName(name.declaration.getSourceFile(), { imported: type, isType: true, local: name.local });
  recorder.report("done", name.node, `The type \`${name.imported}\` is \`${type}\` of the generated package.`);
}

/** Whether a file has no types. */
export function isJavaScript({ fileName }: ts.SourceFile): boolean {
  return /\.[cm]?jsx?$/.test(fileName);
}
