import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type Handlebars from "handlebars";

const require = createRequire(import.meta.url);

/** Reads a template of a generator: `readTemplate(new URL("../templates/readme.md.hbs", import.meta.url))`. */
export function readTemplate(url: URL): string {
  const file = fileURLToPath(url);
  const text = readFileSync(file, "utf8");
  precompiledFiles.set(text, precompiledFileOf(file));
  return text;
}

/** By the text of their templates. They need not exist. */
const precompiledFiles = new Map<string, string>();

/**
 * The file of a precompiled template: `dist/templates/readme.md.hbs.cjs` for `templates/readme.md.hbs`. Where it exists, and its template has not changed
 * since, `renderTemplate` does not load the compiler of Handlebars.
 */
export function precompiledFileOf(file: string): string {
  const at = file.lastIndexOf(`${path.sep}templates${path.sep}`);
  return at === -1 ? `${file}.cjs` : `${file.slice(0, at)}${path.sep}dist${file.slice(at)}.cjs`;
}

/** The contents of a precompiled template, for the build of a generator. */
export function precompileTemplate(template: string): string {
  // The types of Handlebars name what the text evaluates to.
  const compiled = withHelpers(require("handlebars") as typeof Handlebars).precompile(
    withEscapes(template),
    compilerOptions,
  ) as unknown as string;
  return `module.exports = { template: ${JSON.stringify(template)}, compiled: ${compiled} };\n`;
}

/**
 * Renders a Markdown template. In values in double braces nothing is HTML or code: they are escaped as Markdown does it. Values in triple braces are
 * unchanged.
 */
export function renderTemplate<Data extends object>(template: string, data: Data): string {
  const render = compiledTemplates.get(template) ?? compileTemplate(template);
  compiledTemplates.set(template, render);
  return render(data);
}

/** By text: a process has a handful of templates, and renders each for every description, or after every change. */
const compiledTemplates = new Map<string, Handlebars.TemplateDelegate>();

function compileTemplate(template: string): Handlebars.TemplateDelegate {
  const precompiled = readPrecompiled(template);
  return precompiled === undefined
    ? withHelpers(require("handlebars") as typeof Handlebars).compile(withEscapes(template), compilerOptions)
    : withHelpers(require("handlebars/runtime") as typeof Handlebars).template(precompiled);
}

function readPrecompiled(text: string): TemplateSpecification | undefined {
  const file = precompiledFiles.get(text);
  if (file === undefined || !existsSync(file)) return undefined;
  const { template, compiled } = require(file) as {
    readonly template: string;
    readonly compiled: TemplateSpecification;
  };
  return template === text ? compiled : undefined;
}

/** Handlebars is loaded when a template is rendered, which programs without a README never do. */
function withHelpers(library: typeof Handlebars): typeof Handlebars {
  const handlebars = library.create();
  handlebars.registerHelper("prose", escapeTemplateText);
  return handlebars;
}

const compilerOptions: CompileOptions = {
  strict: true,
  knownHelpers: { prose: true },
  knownHelpersOnly: true,
  preventIndent: true,
};

function withEscapes(template: string): string {
  return template.replaceAll(textPlaceholders, '{{{prose $1 "$1"}}}');
}

const textPlaceholders = /(?<!\{)\{\{(?!else\}\})([\w.]+)\}\}(?!\})/g;

/** Handlebars would write entities, which are hard to read in a README. An ampersand is plain unless it begins one. */
function escapeTemplateText(value: string | number | undefined, name: string): string {
  if (value === undefined) throw new Error(`"${name}" not defined`);
  return String(value).replaceAll(/[<`]|&(?=#?\w+;)/g, "\\$&");
}
