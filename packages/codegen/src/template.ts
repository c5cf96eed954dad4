import { readFileSync } from "node:fs";
import Handlebars from "handlebars";

/** Reads a template of a generator: `readTemplate(new URL("../templates/readme.md.hbs", import.meta.url))`. */
export function readTemplate(url: URL): string {
  return readFileSync(url, "utf8");
}

/** Renders a Markdown template. Values in double braces are escaped for HTML and Markdown; those in triple braces are not. */
export function renderTemplate<Data extends object>(template: string, data: Data): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper("prose", escapeTemplateText);
  const render = handlebars.compile<Data>(template.replaceAll(textPlaceholders, '{{{prose $1 "$1"}}}'), {
    strict: true,
    knownHelpers: { prose: true },
    knownHelpersOnly: true,
    preventIndent: true,
  });
  return render(data);
}

const textPlaceholders = /(?<!\{)\{\{(?!else\}\})([\w.]+)\}\}(?!\})/g;

/** Handlebars also escapes quotes, which only attributes need: the raw text would contain `&#x27;`. */
function escapeTemplateText(value: string | number | undefined, name: string): string {
  if (value === undefined) throw new Error(`"${name}" not defined`);
  return String(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("`", "&#x60;");
}
