import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type Handlebars from "handlebars";

const require = createRequire(import.meta.url);

/** Reads a template of a generator: `readTemplate(new URL("../templates/readme.md.hbs", import.meta.url))`. */
export function readTemplate(url: URL): string {
  return readFileSync(url, "utf8");
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
  // Loaded when a template is rendered, which programs without a README never do.
  const handlebars = (require("handlebars") as typeof Handlebars).create();
  handlebars.registerHelper("prose", escapeTemplateText);
  return handlebars.compile(template.replaceAll(textPlaceholders, '{{{prose $1 "$1"}}}'), {
    strict: true,
    knownHelpers: { prose: true },
    knownHelpersOnly: true,
    preventIndent: true,
  });
}

const textPlaceholders = /(?<!\{)\{\{(?!else\}\})([\w.]+)\}\}(?!\})/g;

/** Handlebars would write entities, which are hard to read in a README. An ampersand is plain unless it begins one. */
function escapeTemplateText(value: string | number | undefined, name: string): string {
  if (value === undefined) throw new Error(`"${name}" not defined`);
  return String(value).replaceAll(/[<`]|&(?=#?\w+;)/g, "\\$&");
}
