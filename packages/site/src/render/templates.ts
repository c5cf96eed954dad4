import { readTemplate } from "@plumbline/kit/codegen";
import Handlebars from "handlebars";
import { trustHtml, type Html } from "./html.js";

/** The templates of pages and of their parts. A part is a partial of the others. */
const templateNames = [
  "layout",
  "overview",
  "tag",
  "operations",
  "operation",
  "schema",
  "schemas",
  "state-machine",
  "states",
  "access",
  "limits",
  "errors",
  "lists",
  "coverage",
  "requirements",
  "changes",
  "part-alternatives",
  "part-errors",
  "part-fields",
  "part-limits",
  "part-operations",
  "part-sources",
  "part-transitions",
  "part-value",
] as const;

export type TemplateName = (typeof templateNames)[number];

const handlebars = Handlebars.create();
const texts = new Map(
  templateNames.map((name) => [name, readTemplate(new URL(`../../templates/${name}.hbs`, import.meta.url))] as const),
);
for (const [name, text] of texts) if (name.startsWith("part-")) handlebars.registerPartial(name, text);

const compiled = new Map<TemplateName, HandlebarsTemplateDelegate>();

/**
 * Renders a template. Every value is escaped, but for values of `Html`.
 *
 * @param name - The name of a file in `templates`, without its extension.
 * @param data - The values of the template.
 */
export function renderHtml(name: TemplateName, data: object): Html {
  const render = compiled.get(name) ?? handlebars.compile(texts.get(name), { knownHelpersOnly: true });
  compiled.set(name, render);
  return trustHtml(render(data));
}
