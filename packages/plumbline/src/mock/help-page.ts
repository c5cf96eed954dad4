import type { Api, Operation } from "@plumbline/kit/model";

/**
 * A page that lists the operations of a mock, each with a command that calls it. Texts of the description are escaped.
 *
 * @param address - Where the paths of the API begin, such as `http://127.0.0.1:4010/v4`.
 */
export function helpPage(api: Api, address: string): string {
  const rows = api.operations.map(
    (operation) =>
      `<tr><td>${escape(operation.method)}</td><td><code>${escape(operation.path)}</code></td>` +
      `<td>${escape(operation.summary ?? operation.name)}</td><td><code>${escape(curlOf(operation, address))}</code></td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mock of ${escape(api.title)}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}td,th{padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top;border-top:1px solid #ddd}code{font-size:13px}</style>
</head><body>
<h1>Mock of ${escape(api.title)} ${escape(api.version)}</h1>
<p>The API begins at <code>${escape(address)}</code>. A request with the header <code>Prefer: code=404</code> gets that documented response,
<code>Prefer: example=NAME</code> a named example, and <code>Prefer: dynamic=true</code> a generated one.</p>
<table><tr><th>Method</th><th>Path</th><th>Summary</th><th>Example</th></tr>
${rows.join("\n")}
</table>
</body></html>
`;
}

function curlOf({ method, path, requestBody }: Operation, address: string): string {
  const [content] = requestBody?.contents ?? [];
  const parts = [
    "curl",
    method === "GET" ? "" : `-X ${method}`,
    quote(`${address}${path.replaceAll(/\{[^{}]*\}/g, "1")}`),
    content === undefined ? "" : `-H ${quote(`Content-Type: ${content.mediaType}`)}`,
    content?.example === undefined ? "" : `-d ${quote(JSON.stringify(content.example))}`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Quotes an argument of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
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
