/** A value and its schema, in JSON Schema and in OpenAPI 3.0. */
export interface Shape {
  readonly schema: string;
  readonly schema30?: string;
  readonly values: readonly unknown[];
}

/** Texts with what separates, encodes or ends values somewhere, or looks like something else. */
const texts = [
  "a",
  "",
  "a b",
  " a ",
  "a,b",
  "a;b",
  "a|b",
  "a.b",
  "a=b&c+d",
  "50%41",
  "null",
  "1",
  '"q"',
  "[x]",
  "ä",
  "€😀",
  "!'()*~#?",
  "..",
  ".",
  "a/b",
  "%2F",
  "{v}",
];
const separating = ["", " a ", "a,b", "a;b", "a|b", "a.b", "a=b&c+d", "%2F", "€😀"];

/** What parameters and fields may be. */
export const shapes = {
  text: { schema: "{type: string}", values: texts },
  integer: { schema: "{type: integer}", values: [0, -7] },
  number: { schema: "{type: number}", values: [1.5, 1e21] },
  flag: { schema: "{type: boolean}", values: [true, false] },
  maybe: {
    schema: "{type: [string, 'null']}",
    schema30: "{type: string, nullable: true}",
    values: ["null", null],
  },
  count: {
    schema: "{type: [integer, 'null']}",
    schema30: "{type: integer, nullable: true}",
    values: [1, null],
  },
  either: {
    schema: "{oneOf: [{type: string, enum: [all]}, {type: array, items: {type: integer}}]}",
    values: ["all", [1, 2]],
  },
  choice: {
    schema: "{oneOf: [{type: integer}, {type: object, properties: {gte: {type: integer}}}]}",
    values: [5, { gte: 5 }],
  },
  list: {
    schema: "{type: array, items: {type: string}}",
    values: [...separating.map((text) => [text, "z"]), [""], []],
  },
  numbers: { schema: "{type: array, items: {type: number}}", values: [[1.5, -2], [3], []] },
  object: {
    schema: "{type: object, properties: {R: {type: integer}, é-b: {type: string}}}",
    values: [...separating.map((text) => ({ R: 1, "é-b": text })), {}],
  },
  map: { schema: "{type: object, additionalProperties: {type: integer}}", values: [{ a: 1, "b,=.c": 2 }, {}] },
  free: { schema: "{type: object}", values: [{ a: "x", b: "y" }] },
  lists: {
    schema: "{type: object, properties: {t: {type: array, items: {type: integer}}}}",
    values: [{ t: [1, 2] }, { t: [1] }],
  },
  listMap: {
    schema: "{type: object, additionalProperties: {type: array, items: {type: string}}}",
    values: [{ a: ["x", "y-z"], b: ["w"] }],
  },
  records: {
    schema: "{type: array, items: {type: object, properties: {x: {type: integer}, y: {type: string}}}}",
    values: [[{ x: 1, y: "a b" }, { x: 2 }], [{ y: "&" }]],
  },
  nested: {
    schema: "{type: object, properties: {in: {type: object, properties: {x: {type: integer}}}}}",
    values: [{ in: { x: 1 } }],
  },
  grid: { schema: "{type: array, items: {type: array, items: {type: integer}}}", values: [[[1, 2], [3]]] },
} satisfies Readonly<Record<string, Shape>>;

export type ShapeName = keyof typeof shapes;

/** The shapes of a row that is like another one but for them. */
const few = ["text", "list", "object", "map", "records"] as const;

/** Where a value stands, and how it is described. A star is `explode: true`. */
export const serializations: Readonly<
  Record<string, readonly [location: string, rules: string, shapes?: readonly ShapeName[]]>
> = {
  "path simple": ["/{v}", "schema"],
  "path simple*": ["/{v}", "explode: true, schema", few],
  "path label": ["/{v}", "style: label, schema", few],
  "path label*": ["/{v}", "style: label, explode: true, schema"],
  "path matrix": ["/{v}", "style: matrix, schema", few],
  "path matrix*": ["/{v}", "style: matrix, explode: true, schema"],
  "path json": ["/{v}", "json"],
  "path simple beside .json": ["/{v}.json", "schema", few],
  "path simple beside a;": ["/a;{v}", "schema", few],
  "path label* beside .json": ["/{v}.json", "style: label, explode: true, schema", few],
  "path matrix beside a": ["/a{v}", "style: matrix, schema", few],
  "path matrix* beside a": ["/a{v}", "style: matrix, explode: true, schema", few],
  "query form*": ["query", "schema"],
  "query form": ["query", "explode: false, schema"],
  "query reserved*": ["query", "allowReserved: true, schema", few],
  "query reserved": ["query", "allowReserved: true, explode: false, schema", few],
  "query space": ["query", "style: spaceDelimited, explode: false, schema"],
  "query space*": ["query", "style: spaceDelimited, explode: true, schema", few],
  "query pipe": ["query", "style: pipeDelimited, explode: false, schema"],
  "query pipe*": ["query", "style: pipeDelimited, explode: true, schema", few],
  "query deep*": ["query", "style: deepObject, explode: true, schema"],
  "query json": ["query", "json"],
  "query text": ["query", "text"],
  "header simple": ["header", "schema"],
  "header simple*": ["header", "explode: true, schema", [...few, "choice"]],
  "header json": ["header", "json"],
  "cookie form*": ["cookie", "schema"],
  "cookie form": ["cookie", "explode: false, schema"],
  "cookie plain*": ["cookie", "style: cookie, schema", few],
  "cookie plain": ["cookie", "style: cookie, explode: false, schema", few],
  "cookie json": ["cookie", "json", few],
  "form fields": ["form", ""],
  "form form*": ["form", "style: form, explode: true"],
  "form form": ["form", "style: form, explode: false", few],
  "form space": ["form", "style: spaceDelimited, explode: false", few],
  "form pipe": ["form", "style: pipeDelimited, explode: false", few],
  "form deep*": ["form", "style: deepObject, explode: true"],
  "multipart parts": ["multipart", ""],
  "multipart json": ["multipart", "contentType: application/json"],
};

/** Shapes that a serialization cannot write as OpenAPI has it. The generator says so. */
export const reported = {
  /** The value is written in the style `deepObject` instead. */
  deepObject: [
    [/^(query|form) (form|reserved|space|pipe)\*?$/, /^(records|nested|grid)$/],
    [/^(query|form) (form|reserved|space|pipe)$/, /^(lists|listMap)$/],
  ],
  /** A call throws. */
  unsendable: [
    [/^(path|header|cookie) (?!json)/, /^(records|nested|grid)$/],
    [/^(path|header|cookie) (?!json|matrix\*|form\*|plain\*)/, /^(lists|listMap)$/],
  ],
  /** A call with null throws. */
  withoutNull: [[/^path (?!json)/, /^(maybe|count)$/]],
  /** The value is sent as text. A call with an array or an object throws. */
  asText: [[/^query text$/, /^(either|choice|list|numbers|object|map|free|lists|listMap|records|nested|grid)$/]],
} as const satisfies Readonly<Record<string, readonly (readonly [rows: RegExp, shapes: RegExp])[]>>;

/** What becomes of a value that does not arrive as it is: it arrives as absent, the client throws, or a server responds with 404 or 400. */
export type Outcome = "absent" | "unsendable" | "rejected" | "invalid";

export interface Exception {
  readonly outcome: Outcome;
  readonly rows: RegExp;
  readonly shapes: RegExp;
  readonly when: (value: unknown) => boolean;
}

/** True if a text in the value matches. */
const hasText =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === "string" ? pattern.test(value) : Object.values(value ?? {}).some(hasText(pattern));
/** True if a text or a key in the value matches. */
const hasTextOrKey =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    hasText(pattern)(value) || (!Array.isArray(value) && Object.keys(value ?? {}).some((key) => pattern.test(key)));
const isNull = (value: unknown): boolean => value === null;
const isEmpty = (value: unknown): boolean => typeof value === "object" && Object.keys(value ?? { a: 1 }).length === 0;

/** Values that do not arrive as they are. The first that matches counts. */
export const exceptions: readonly Exception[] = [
  // A path has no empty segments, and no dots alone.
  { outcome: "unsendable", rows: /^path (?!json)/, shapes: /./, when: (value) => isNull(value) || isEmpty(value) },
  { outcome: "unsendable", rows: /^path json/, shapes: /./, when: (value) => isNull(value) || value === "" },
  { outcome: "unsendable", rows: /^path simple/, shapes: /^text$/, when: hasText(/^\.{0,2}$/) },
  { outcome: "unsendable", rows: /^path label/, shapes: /^text$/, when: hasText(/^\.?$/) },
  { outcome: "unsendable", rows: /^path matrix/, shapes: /^text$/, when: hasText(/^$/) },
  { outcome: "unsendable", rows: /^path (?!json|matrix\*)/, shapes: /^list$/, when: (value) => String(value) === "" },
  // Servers reject encoded slashes, and what a second decoding would turn into them.
  { outcome: "rejected", rows: /^path/, shapes: /./, when: hasText(/\/|%2F/) },
  // Nothing but JSON has nulls, empty arrays and empty objects.
  { outcome: "absent", rows: /^(?!path|(query|cookie) json)/, shapes: /./, when: isNull },
  { outcome: "absent", rows: /^(query|header|cookie|form) (?!json|fields)/, shapes: /./, when: isEmpty },
  { outcome: "absent", rows: /^(form fields|multipart)/, shapes: /^(list|numbers)$/, when: isEmpty },
  // JSON that is no array reads as an only item.
  { outcome: "invalid", rows: /^multipart json/, shapes: /^either$/, when: (value) => value === "all" },
  // What separates items cannot be in them, unless it is percent-encoded.
  { outcome: "unsendable", rows: /^(query|form) space$/, shapes: /^(list|object)$/, when: hasText(/ /) },
  { outcome: "unsendable", rows: /^(query|form) pipe$/, shapes: /^(list|object)$/, when: hasText(/\|/) },
  { outcome: "unsendable", rows: /^header simple/, shapes: /^(list|object|map)$/, when: hasTextOrKey(/,/) },
  // A header is Latin-1 without spaces at its ends. Cookies of the style `cookie` are not encoded.
  { outcome: "unsendable", rows: /^header simple/, shapes: /./, when: hasText(/^ | $|[^\0-\xff]/) },
  { outcome: "unsendable", rows: /^cookie plain$/, shapes: /./, when: hasTextOrKey(/[^!-~]|[",;\\]/) },
  { outcome: "unsendable", rows: /^cookie plain\*$/, shapes: /./, when: hasText(/[^!-~]|[",;\\]/) },
];

/** A request in which values stand beside others, or none. */
export interface WholeRequest {
  readonly about: string;
  /** Default: a path without parameters. */
  readonly path?: string;
  /** The parameters or the body in the description. */
  readonly described: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** Default: what is given. */
  readonly arrives?: Readonly<Record<string, unknown>>;
  /** What the generator reports. Default: nothing. */
  readonly report?: string;
}

const form = (schema: string, required = true, type = "application/x-www-form-urlencoded"): string =>
  `requestBody: {required: ${required}, content: {${type}: {schema: ${schema}}}}`;
const map = "{type: object, additionalProperties: {type: string}}";
const point = "{type: object, properties: {x: {type: integer}, y: {type: integer}}}";

export const wholeRequests: readonly WholeRequest[] = [
  {
    about: "an exploded map takes no names of other parameters",
    described: `parameters: [{name: all, in: query, schema: ${map}}, {name: limit, in: query, schema: {type: integer}}, {name: filter, in: query, style: deepObject, schema: ${map}}, {name: at, in: query, schema: ${point}}]`,
    given: { query: { all: { a: "b" }, limit: 5, filter: { x: "y" }, at: { x: 1 } } },
  },
  {
    about: "an exploded map is absent beside other parameters",
    described: `parameters: [{name: all, in: query, schema: ${map}}, {name: limit, in: query, schema: {type: integer}}]`,
    given: { query: { limit: 5 } },
  },
  {
    about: "an exploded map in cookies takes no names of other cookies",
    described: `parameters: [{name: all, in: cookie, schema: ${map}}, {name: limit, in: cookie, schema: {type: integer}}]`,
    given: { cookies: { all: { a: "b" }, limit: 5 } },
  },
  {
    about: "an exploded object does not take the value of a parameter",
    described: `parameters: [{name: at, in: query, schema: ${point}}, {name: x, in: query, schema: {type: integer}}]`,
    given: { query: { at: { y: 2 }, x: 1 } },
    report: 'The property "x" of "at" is sent by the name of another parameter, and read as that.',
  },
  {
    about: "two exploded maps are one",
    described: `parameters: [{name: one, in: query, schema: ${map}}, {name: two, in: query, schema: ${map}}]`,
    given: { query: { one: { a: "b" } } },
    arrives: { query: { one: { a: "b" }, two: { a: "b" } } },
    report: 'Nothing distinguishes the properties of "two" from those of another exploded object.',
  },
  {
    about: "parameters of one segment are separated by a literal",
    path: "/{a}...{b}",
    described:
      "parameters: [{name: a, in: path, required: true, schema: {type: integer}}, {name: b, in: path, required: true, schema: {type: string}}]",
    given: { path: { a: 1, b: "2...3" } },
  },
  {
    about: "a literal that a value has ends it",
    path: "/{a}-{b}",
    described:
      "parameters: [{name: a, in: path, required: true, schema: {type: string}}, {name: b, in: path, required: true, schema: {type: string}}]",
    given: { path: { a: "1-2", b: "3" } },
    arrives: { path: { a: "1", b: "2-3" } },
    report: 'A value of "a" that has "-" ends there, and the rest is read as the value of "b".',
  },
  {
    about: "names are encoded as values are",
    path: "/{a b}",
    described: `parameters: [{name: a b, in: path, required: true, style: matrix, schema: {type: string}}, {name: 'q[1]&', in: query, schema: {type: string}}, {name: 'c$d', in: cookie, schema: {type: string}}]`,
    given: { path: { "a b": "c" }, query: { "q[1]&": "x" }, cookies: { c$d: "y" } },
  },
  {
    about: "an id of several segments and a slash in one",
    path: "/{a}/{b}",
    described:
      "parameters: [{name: a, in: path, required: true, x-input: {segments: 2}, schema: {type: string}}, {name: b, in: path, required: true, x-input: {encodedSlash: true}, schema: {type: string}}]",
    given: { path: { a: "x/y", b: "v/w" } },
  },
  {
    about: "an array has no nulls",
    described: "parameters: [{name: a, in: query, schema: {type: array, items: {type: [integer, 'null']}}}]",
    given: { query: { a: [1, null] } },
    arrives: { query: { a: [1] } },
    report: 'A null within the query parameter "a" cannot be sent.',
  },
  {
    about: "a deep object has five levels",
    described: `parameters: [{name: a, in: query, style: deepObject, schema: ${"{type: object, properties: {x: ".repeat(6)}{type: integer}${"}}".repeat(6)}}]`,
    given: { query: { a: { x: { x: { x: { x: { x: { x: 1 } } } } } } } },
    arrives: { query: {} },
    report: 'The query parameter "a" nests deeper than 5 levels, which servers do not read.',
  },
  {
    about: "no parameters",
    described: "parameters: [{name: a, in: query, schema: {type: string}}]",
    given: {},
    arrives: { query: {} },
  },
  { about: "a required form may be empty", described: form(point), given: { body: {} } },
  {
    about: "an optional form that is empty is absent",
    described: form(point, false),
    given: { body: {} },
    arrives: {},
  },
  { about: "a body may be absent", described: form(point, false), given: {} },
  {
    about: "a form may be a map",
    described: form("{type: object, additionalProperties: {type: integer}}"),
    given: { body: { a: 1, "b c": 2 } },
  },
  {
    about: "a form may be a map of arrays beside fields",
    described: form(
      "{type: object, properties: {n: {type: integer}}, additionalProperties: {type: array, items: {type: integer}}}",
    ),
    given: { body: { n: 1, a: [1, 2], b: [3] } },
  },
  { about: "a form of parts may be empty", described: form(point, true, "multipart/form-data"), given: { body: {} } },
  { about: "a required text may be empty", described: form("{type: string}", true, "text/plain"), given: { body: "" } },
  {
    about: "an optional text that is empty is absent",
    described: form("{type: string}", false, "text/plain"),
    given: { body: "" },
    arrives: {},
  },
  {
    about: "JSON may be null",
    described: form("{type: [object, 'null']}", true, "application/json"),
    given: { body: null },
  },
];
