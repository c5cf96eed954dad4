import Handlebars from "handlebars";

/** Fills a Markdown template. Values are escaped for HTML, which Markdown is; only prose is made this way. */
export function fill<Data extends object>(template: string, data: Data): string {
  const render = Handlebars.compile<Data>(template, { strict: true, knownHelpersOnly: true, preventIndent: true });
  return render(data);
}
