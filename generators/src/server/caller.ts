import { code, comment, join, key, literal, type Code } from "../emit/printer.js";
import type { Api, Condition, Shape } from "../model/api.js";
import { $serverType } from "./runtime.js";

/** Emits the types of callers and of the handler context. A caller has the fields that conditions of the description use. */
export function emitCaller(api: Api): Code {
  const owners = new Set(api.resources.flatMap(({ owner }) => owner));
  const asked = askedOf(api);
  const isRestricted = [...api.operations, ...api.linked].some(({ grants }) => grants.length > 0);
  const account = asked.get("account");
  const known = new Set(["user", "account", "client", "restricted", "scopes"]);
  const members = [
    ...(owners.has("account") || account !== undefined
      ? [
          code`readonly account: { readonly id: ${$serverType("Key")} }${account === undefined ? code`` : code` & ${account}`};`,
        ]
      : []),
    ...(isRestricted ? [code`readonly restricted: boolean;`] : []),
    ...(api.scopes === undefined ? [] : [code`readonly scopes: string;`]),
    ...[...asked].flatMap(([field, type]) => (known.has(field) ? [] : [code`readonly ${key(field)}: ${type};`])),
  ];
  return code`${comment(["The caller of a request, with the fields that the description uses."])}
export interface Caller extends ${$serverType("Caller")} {\n${members}\n}

${comment(["The context of a request, which handlers receive beside their input."])}
export interface Call extends ${$serverType("Call")} {
  readonly caller: Caller | undefined;
}`;
}

/** Returns the caller fields that conditions use, with types as far as the conditions determine them. */
function askedOf(api: Api): ReadonlyMap<string, Code> {
  const found = new Map<string, Code>();
  for (const shape of callerShapes(api)) {
    for (const property of shape.properties ?? []) found.set(property.name, typeOf(property.shape));
  }
  return found;
}

function callerShapes(api: Api): readonly Shape[] {
  const conditions: (Condition | undefined)[] = [...api.operations, ...api.linked].flatMap(
    ({ grants, failures, replies }) => [
      ...grants.map(({ when }) => when),
      ...failures.map(({ when }) => when),
      ...replies.map(({ visible }) => visible?.when),
    ],
  );
  for (const { shape } of api.shapes)
    for (const each of shape.properties ?? []) conditions.push(each.shape.visible?.when);
  return conditions.flatMap((when) => when?.caller ?? []);
}

function typeOf({ types, const: only, enum: values, properties, minimum, maximum, pattern, minLength }: Shape): Code {
  if (properties !== undefined) {
    const members = properties.map((each) => code`readonly ${key(each.name)}: ${typeOf(each.shape)};`);
    return code`{ ${join(members, code` `)} }`;
  }
  const said = new Set<string>(types.flatMap((type) => (type === "integer" ? "number" : type)));
  for (const value of only === undefined ? (values ?? []) : [only]) said.add(value === null ? "null" : typeof value);
  if (minimum !== undefined || maximum !== undefined) said.add("number");
  if (pattern !== undefined || minLength !== undefined) said.add("string");
  const plain = [...said].filter(
    (type) => type === "boolean" || type === "number" || type === "string" || type === "null",
  );
  if (plain.length === 0 || plain.length !== said.size) return code`unknown`;
  return join(
    plain.map((type) => plainTypes[type]),
    code` | `,
  );
}

const plainTypes = {
  boolean: code`boolean`,
  number: code`number`,
  string: code`string`,
  null: literal(null),
} as const;
