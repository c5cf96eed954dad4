import { isObject, ownField, type Fields } from "../../http/index.js";

const methods: ReadonlySet<string> = new Set("get put post delete options head patch trace query".split(" "));

/**
 * Prints a page that lists the operations of a description, with links to its documents. All texts are escaped.
 *
 * @param json - The description as JSON.
 * @param hasYaml - Whether there is a document in YAML, too.
 */
export function printDocsPage(json: string, hasYaml: boolean): string {
  const document = childOf({ document: JSON.parse(json) as unknown }, "document");
  const info = childOf(document, "info");
  const title = textOf(info, "title");
  const operations = Object.keys(childOf(document, "paths")).flatMap((path) => {
    const item = childOf(childOf(document, "paths"), path);
    return Object.keys(item)
      .filter((method) => methods.has(method))
      .map((method) => ({ path, method: method.toUpperCase(), operation: childOf(item, method) }));
  });
  const rows = operations.map(
    ({ path, method, operation }) =>
      `<tr><td>${method}</td><td><code>${escape(path)}</code></td><td>${escape(textOf(operation, "summary") || textOf(operation, "operationId"))}</td></tr>`,
  );
  const yaml = hasYaml ? ` or <a href="../openapi.yaml">openapi.yaml</a>` : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{padding:.4rem .8rem .4rem 0;text-align:left;vertical-align:top;border-top:1px solid #8884}code{font-size:.875em;overflow-wrap:anywhere}</style>
</head><body><main>
<h1>${escape(`${title} ${textOf(info, "version")}`)}</h1>
<p>The description of this API is in <a href="../openapi.json">openapi.json</a>${yaml}.</p>
<table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Operation</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>
</main></body></html>
`;
}

/** A child that is an object; an empty one for any other value. */
function childOf(parent: Fields, key: string): Fields {
  const child = ownField(parent, key);
  return isObject(child) ? child : {};
}

function textOf(parent: Fields, key: string): string {
  const text = ownField(parent, key);
  return typeof text === "string" ? text : "";
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
