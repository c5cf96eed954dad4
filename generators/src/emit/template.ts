import Handlebars from "handlebars";

/** Fills a Markdown template. Values in two braces are text, in which Markdown and HTML have no meaning; values in three stay as they are. */
export function fill<Data extends object>(template: string, data: Data): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper("prose", escapeProse);
  const render = handlebars.compile<Data>(template.replaceAll(textValues, '{{{prose $1 "$1"}}}'), {
    strict: true,
    knownHelpers: { prose: true },
    knownHelpersOnly: true,
    preventIndent: true,
  });
  return render(data);
}

const textValues = /(?<!\{)\{\{(?!else\}\})([\w.]+)\}\}(?!\})/g;

/** Handlebars itself also escapes quotes, which only attributes need: readers of the raw text would see `&#x27;`. */
function escapeProse(value: string | number | undefined, name: string): string {
  if (value === undefined) throw new Error(`"${name}" not defined`);
  return String(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("`", "&#x60;");
}
