import type { NextVersion } from "./next-version.js";

/** Filters of lists move from a header to the query, the label of a tag from the body to the query, and a value is renamed. */
export const consoleAccess: NextVersion = {
  changes: [
    {
      file: "conventions/parameters.yaml",
      from: "  name: X-Filter\n  in: header\n",
      to: "  name: filter\n  in: query\n",
    },
    { file: "profile/*", from: /\bpassword_keys\b/g, to: "password_and_keys" },
    {
      file: "tags/paths.yaml",
      from: /(    operationId: createTag\n[^]*?)    requestBody:\n      required: true\n/,
      to: `$1    parameters:
      - name: label
        in: query
        required: true
        description: Names the tag.
        schema: {type: string, minLength: 3, maxLength: 50}
    requestBody:
      required: true
`,
    },
    {
      file: "tags/schemas.yaml",
      from: /(\nTagCreate:\n[^]*?)  required: \[label\]\n  properties:\n    label:\n(?:      .*\n)+/,
      to: "$1  properties:\n",
    },
  ],
  toOld: ({ url, headers, body, ...request }) => {
    const query = new URLSearchParams(url.searchParams);
    const [filter, label] = [query.get("filter"), query.get("label")];
    for (const name of ["filter", "label"]) query.delete(name);
    const old = new URL(`${url.pathname}?${query.toString()}`, url);
    return {
      ...request,
      url: old,
      headers: filter === null ? headers : { ...headers, "x-filter": filter },
      body: label === null ? toConsole(body, "password_and_keys", "password_keys") : { ...(body as object), label },
    };
  },
  toNew: (body) => toConsole(body, "password_keys", "password_and_keys"),
};

function toConsole(value: unknown, from: string, to: string): unknown {
  const { lish_auth_method: method } = (value ?? {}) as { readonly lish_auth_method?: unknown };
  return method === from ? { ...(value as object), lish_auth_method: to } : value;
}
