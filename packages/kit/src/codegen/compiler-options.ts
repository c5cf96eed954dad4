import type { Json } from "../model/index.js";

const strictOptions = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  declaration: true,
  declarationMap: true,
  sourceMap: true,
  skipLibCheck: true,
  rootDir: "src",
  outDir: "dist",
};

/** The strictest options of TypeScript, so that the sources compile in any project. */
export const compilerOptions: Json = { compilerOptions: strictOptions, include: ["src"] };

/** The same for a package with hand-written sources for Node. */
export const nodeCompilerOptions: Json = { compilerOptions: { ...strictOptions, types: ["node"] }, include: ["src"] };
