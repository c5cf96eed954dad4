import { format } from "oxfmt";
import { ts } from "ts-morph";
import type { Random } from "../random/choices.js";
import type { Texts } from "./compile.js";

/** An edit that a person may make in files with handlers. Returns the same texts where it does not apply. */
export type HandlerEdit = (texts: Texts, random: Random, id: string) => Texts | Promise<Texts>;

const indexFile = "src/handlers/index.ts";

/** Writes the bodies of most handlers, as people do first. */
export function implementHandlers(texts: Texts, random: Random): Texts {
  return mapFiles(texts, (text) =>
    withoutUnused(
      text.replaceAll(
        /\(\) => \{\n {4}\/\/ Next: [^\n]*\n {4}throw new NotImplementedError\("(\w+)"\);\n {2}\}/g,
        (stub, name: string) => (random.below(4) === 0 ? stub : bodyOf(name, random)),
      ),
    ),
  );
}

function bodyOf(name: string, random: Random): string {
  const isRead = /list/i.test(name);
  const bodies = isRead
    ? [
        `async ({ query }, { requestId }) => {\n    // Pages of ${name} begin with 1.\n    const items = [requestId, String(query.page ?? 1)].map((text) => ({ name: text }));\n    return { status: 200, body: items };\n  }`,
        `({ query: { page = 1 } }) => ({ status: 200, body: [{ name: \`${name}\n  // not a comment \${page}\n\n      end\` }] })`,
      ]
    : [
        `async ({ body }) => {\n    const labels = body.labels?.filter((label) => label !== "${name}") ?? [];\n    return { status: 200, body: [{ name: body.name, labels }] };\n  }`,
        `function ({ body }, context) {\n    /* of ${name} */\n    const names = [body.name, context.requestId];\n    return { status: 200, body: names.map((each) => ({ name: each })) };\n  }`,
      ];
  return random.one(bodies);
}

const addComments: HandlerEdit = (texts, random, id) =>
  editObject(texts, random, (text, object) => {
    const member = object.properties[random.below(object.properties.length)];
    if (member === undefined) return text;
    const start = random.below(2) === 0 ? member.getFullStart() + 1 : object.end - 1;
    const comment = random.one([
      `\n  // Note ${id}.\n`,
      `\n  // Section ${id}\n\n`,
      `\n  /* Block ${id}\n   of two lines */\n`,
    ]);
    const isAtLine = text.slice(start - 1, start + 1).includes("\n") || start === object.end - 1;
    return isAtLine ? insert(text, start, comment) : text;
  });

const addTrailingComment: HandlerEdit = (texts, random, id) =>
  editObject(texts, random, (text, object) => {
    const member = object.properties[random.below(object.properties.length)];
    return member !== undefined && text[member.end] === "," ? insert(text, member.end + 1, ` // trailing ${id}`) : text;
  });

const addFunction: HandlerEdit = (texts, random, id) =>
  editObject(texts, random, (text, object) => {
    const bodies = object.properties.flatMap((member) => blockOf(member) ?? []);
    const chosen = bodies.filter(() => random.below(2) === 0);
    if (chosen.length === 0) return text;
    const declaration = random.one([
      `/** Trims, ${id}. */\nconst trim${id} = (text: string): string => text.trim();\n\n`,
      `function trim${id}(text: string): string {\n  const inner = shorten${id}(text);\n  return inner;\n}\n\nfunction shorten${id}(text: string): string {\n  return text.slice(1);\n}\n\n`,
      `interface Shape${id} {\n  readonly text: string;\n}\n\nfunction trim${id}(text: Shape${id} | string): string {\n  return typeof text === "string" ? text : text.text;\n}\n\n`,
    ]);
    let edited = text;
    for (const body of chosen.toReversed()) edited = insert(edited, body.getStart() + 1, `\n    void trim${id}("a");`);
    return insert(edited, statementStart(text), declaration);
  });

const addImport: HandlerEdit = (texts, random, id) =>
  editObject(texts, random, (text, object) => {
    const bodies = object.properties.flatMap((member) => blockOf(member) ?? []);
    const body = bodies[random.below(bodies.length || 1)];
    if (body === undefined) return text;
    const [line, use] = random.one([
      [`import { randomUUID as uuid${id} } from "node:crypto";`, `void uuid${id}();`],
      [`import path${id}, { join as join${id} } from "node:path";`, `void path${id}.sep; void join${id}("a");`],
      [`import * as os${id} from "node:os";`, `void os${id}.EOL;`],
      [
        `import type { Stats as Stats${id} } from "node:fs";`,
        `const stats${id}: Stats${id} | undefined = undefined; void stats${id};`,
      ],
    ] as const);
    return `${line}\n${insert(text, body.getStart() + 1, `\n    ${use}`)}`;
  });

const extractHandler: HandlerEdit = (texts, random) =>
  editObject(texts, random, (text, object) => {
    const properties = object.properties
      .filter(ts.isPropertyAssignment)
      .filter(({ initializer }) => !ts.isIdentifier(initializer));
    const property = properties[random.below(properties.length || 1)];
    if (property === undefined || !/\bHandlers\b/.test(text)) return text;
    const name = property.name.getText();
    const local = random.below(2) === 0 ? name : `${name}Handler`;
    const value = property.initializer.getText();
    const edited =
      text.slice(0, property.getStart()) + (local === name ? name : `${name}: ${local}`) + text.slice(property.end);
    return insert(
      edited,
      statementStart(text),
      `// Extracted ${name}.\nconst ${local}: Handlers["${name}"] = ${value};\n\n`,
    );
  });

const useMethods: HandlerEdit = (texts, random) =>
  editObject(texts, random, (text, object) => {
    const properties = object.properties.filter(ts.isPropertyAssignment);
    const property = properties[random.below(properties.length || 1)];
    if (property === undefined || !ts.isArrowFunction(property.initializer) || !ts.isBlock(property.initializer.body))
      return text;
    const { parameters, body, modifiers } = property.initializer;
    const head = `${modifiers === undefined ? "" : "async "}${property.name.getText()}(${parameters.map((each) => each.getText()).join(", ")})`;
    return `${text.slice(0, property.getStart())}${head} ${body.getText()}${text.slice(property.end)}`;
  });

const annotate: HandlerEdit = (texts, random) =>
  editFile(texts, random, (text) =>
    text.replace(/ = \{([^]*?)\n\} satisfies (Pick<[^;]*>);\n/, (whole, inner: string, type: string) =>
      inner.includes("satisfies") ? whole : `: ${type} = {${inner}\n};\n`,
    ),
  );

const freeze: HandlerEdit = (texts, random) =>
  editFile(texts, random, (text) =>
    text.replace(
      /Handlers: (Pick<[^;=]*>) = \{([^]*?)\n\};\n/,
      (_, type: string, inner: string) => `Handlers: ${type} = Object.freeze({${inner}\n});\n`,
    ),
  );

const nameTypes: HandlerEdit = (texts, random, id) =>
  editFile(texts, random, (text) => {
    const [whole, list] = /Pick<\s*Handlers,((?:\s*\|?\s*"\w+")+),?\s*>/.exec(text) ?? [];
    if (whole === undefined || list === undefined) return text;
    const edited = text.replace(whole, `Pick<Handlers, Names${id}>`);
    return insert(
      edited,
      statementStart(edited),
      `type Names${id} =${list.startsWith("\n") ? "" : " "}${list.trim()};\n\n`,
    );
  });

const useClass: HandlerEdit = (texts, random, id) =>
  editObject(texts, random, (text, object) => {
    const [, name, type] = /export const (\w+) = \{[^]*\n\} satisfies (Pick<[^;]*>);\n/.exec(text) ?? [];
    if (name === undefined || type === undefined || !object.properties.every(ts.isPropertyAssignment)) return text;
    const statement = object.parent.parent.parent.parent;
    const isDecorated = random.below(2) === 0;
    const members = object.properties.map((property, index) => {
      const { name: key, initializer } = property as ts.PropertyAssignment;
      const full = text.slice(property.getFullStart(), property.getStart()).replace(/^[^\n]*/, "");
      const decorator = isDecorated && index === 0 ? `@logged${id}\n  ` : "";
      return `${full}${decorator}readonly ${key.getText()}: Handlers["${key.getText()}"] = ${initializer.getText()};`;
    });
    const declared = isDecorated
      ? `function logged${id}(_value: undefined, _context: ClassFieldDecoratorContext): void {}\n\n`
      : "";
    const made = `${declared}class Handlers${id} implements ${type} {${members.join("\n")}\n}\n\nexport const ${name} = new Handlers${id}();`;
    return text.slice(0, statement.getStart()) + made + text.slice(statement.end);
  });

const useFunction: HandlerEdit = (texts, random, id) =>
  editFile(texts, random, (text) =>
    text.replace(
      /export const (\w+) = \{([^]*?)\n\} satisfies (Pick<[^;]*>);\n/,
      (whole, name: string, inner: string, type: string) =>
        inner.includes("satisfies")
          ? whole
          : `// Created ${id}.\nfunction create${id}(): ${type} {\n  return {${inner}\n};\n}\n\nexport const ${name} = create${id}();\n`,
    ),
  );

const spreadObject: HandlerEdit = (texts, random, id) =>
  editObject(texts, random, (text, object) => {
    const members = object.properties.filter(ts.isPropertyAssignment);
    const member = members[random.below(members.length || 1)];
    if (member === undefined || object.properties.length < 2 || text[member.end] !== "," || !/\bHandlers\b/.test(text))
      return text;
    const name = member.name.getText();
    const edited = `${text.slice(0, member.getStart())}...more${id}${text.slice(member.end)}`;
    const made = `const more${id} = {\n  ${member.getText()},\n} satisfies Pick<Handlers, "${name}">;\n\n`;
    return insert(edited, statementStart(text), made);
  });

const reExport: HandlerEdit = (texts, random, id) => {
  const file = chooseFile(texts, random);
  const text = texts[file] ?? "";
  const [, name] = /export const (\w+)/.exec(text) ?? [];
  if (name === undefined || /from "\./.test(text)) return texts;
  return {
    ...texts,
    [`src/made${id}.ts`]: text,
    [file]: `// Moved ${id}.\nexport { ${name} } from "../made${id}.js";\n`,
  };
};

const renameObject: HandlerEdit = (texts, random, id) => {
  const file = chooseFile(texts, random);
  const [, name] = /export const (\w+Handlers)\b/.exec(texts[file] ?? "") ?? [];
  if (name === undefined) return texts;
  const renamed = Object.entries(texts).map(([path, text]) => [
    path,
    text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}${id}`),
  ]);
  return Object.fromEntries(renamed) as Texts;
};

const splitFile: HandlerEdit = (texts, random, id) => {
  const index = texts[indexFile];
  if (index === undefined) return texts;
  let made: string | undefined;
  const edited = editObject(texts, random, (text, object) => {
    const member = object.properties.findLast((each) => ts.isPropertyAssignment(each) && text[each.end] === ",");
    const list = /Pick<Handlers, ((?:"\w+"(?: \| )?)+)>/.exec(text);
    if (member?.name === undefined || object.properties.length < 2 || list === null) return text;
    const name = member.name.getText();
    const body = member.getText();
    if (/trim|uuid|path|os\d|stats|Stats/.test(body) || !(list[1] ?? "").includes(`"${name}"`)) return text;
    const error = body.includes("NotImplementedError") ? ", NotImplementedError" : "";
    made = `import { type Handlers${error} } from "@pets/server";\n\nexport const extra${id} = {\n  ${body},\n} satisfies Pick<Handlers, "${name}">;\n`;
    const names = (list[1] ?? "").split(" | ").filter((each) => each !== `"${name}"`);
    const shorter = text.slice(0, member.getStart()) + text.slice(member.end + 1);
    return withoutUnused(shorter.replace(list[0], `Pick<Handlers, ${names.join(" | ")}>`));
  });
  if (made === undefined) return texts;
  const composed = `import { extra${id} } from "./extra${id}.js";\n${index.replace(/\n\};\n$/, `\n  ...extra${id},\n};\n`)}`;
  return { ...edited, [indexFile]: composed, [`src/handlers/extra${id}.ts`]: made };
};

function withoutUnused(text: string): string {
  return text.split("NotImplementedError").length === 2
    ? text.replace(/, NotImplementedError| *NotImplementedError,? */, "")
    : text;
}

const reorder: HandlerEdit = (texts, random) =>
  editObject(texts, random, (text, object) => {
    const [first, second] = object.properties;
    if (first === undefined || second === undefined) return text;
    return (
      text.slice(0, first.getStart()) +
      second.getText() +
      text.slice(first.end, second.getStart()) +
      first.getText() +
      text.slice(second.end)
    );
  });

const reformat: HandlerEdit = async (texts, random) => {
  const file = chooseFile(texts, random);
  const style = random.one([
    { singleQuote: true, semi: false },
    { useTabs: true },
    { tabWidth: 4, trailingComma: "none" },
    { printWidth: 40 },
  ] as const);
  return { ...texts, [file]: (await format(file, texts[file] ?? "", style)).code };
};

const useCarriageReturns: HandlerEdit = (texts, random) =>
  editFile(texts, random, (text) => (text.includes("`") ? text : text.replaceAll(/\r?\n/g, "\r\n")));

const addDeclarations: HandlerEdit = (texts, random, id) =>
  editFile(
    texts,
    random,
    (text) => `${text}\n/** Others use it, ${id}. */\nexport const shared${id} = new Map<string, number>();\n`,
  );

/** The edits, by what they do. */
export const handlerEdits: Readonly<Record<string, HandlerEdit>> = {
  addComments,
  addTrailingComment,
  addFunction,
  addImport,
  extractHandler,
  useMethods,
  annotate,
  freeze,
  nameTypes,
  useClass,
  useFunction,
  spreadObject,
  reExport,
  renameObject,
  splitFile,
  reorder,
  reformat,
  useCarriageReturns,
  addDeclarations,
};

function chooseFile(texts: Texts, random: Random): string {
  return random.one(Object.keys(texts).filter((file) => file !== indexFile));
}

function mapFiles(texts: Texts, map: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, map(text)]));
}

function editFile(texts: Texts, random: Random, edit: (text: string) => string): Texts {
  const file = chooseFile(texts, random);
  return { ...texts, [file]: edit(texts[file] ?? "") };
}

/** Edits the first exported object literal of a file. */
function editObject(
  texts: Texts,
  random: Random,
  edit: (text: string, object: ts.ObjectLiteralExpression) => string,
): Texts {
  return editFile(texts, random, (text) => {
    const tree = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): ts.ObjectLiteralExpression | undefined =>
      ts.isObjectLiteralExpression(node) ? node : ts.forEachChild(node, visit);
    const statement = tree.statements.find(
      (each) =>
        ts.isVariableStatement(each) &&
        each.modifiers !== undefined &&
        /^export const \w*(?:Handlers|extra)/.test(each.getText()),
    );
    const object = statement && visit(statement);
    return object === undefined || object.properties.length === 0 ? text : edit(text, object);
  });
}

function blockOf(member: ts.ObjectLiteralElementLike): ts.Block | undefined {
  const value = ts.isPropertyAssignment(member) ? member.initializer : member;
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value) && !ts.isMethodDeclaration(value)) return undefined;
  return value.body !== undefined && ts.isBlock(value.body) ? value.body : undefined;
}

/** The position after the imports of a file. */
function statementStart(text: string): number {
  const tree = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  const last = tree.statements.findLast(ts.isImportDeclaration);
  return last === undefined ? 0 : last.end + (/^\s*/.exec(text.slice(last.end))?.[0].length ?? 0);
}

function insert(text: string, position: number, added: string): string {
  return text.slice(0, position) + added + text.slice(position);
}
